/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The models and what was used of each. The heads of the columns are buttons that sort; a row opens
 * the days or months of its model, which are rows too. In little space there are the model, its
 * tokens and its money; the rest is in the rows that it opens. */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-table.h"

#include "gadget-usage-labels.h"
#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

typedef enum
{
  COLUMN_MODEL,
  COLUMN_SHARE,
  COLUMN_FRESH,
  COLUMN_CACHED,
  COLUMN_WRITTEN,
  COLUMN_REASONING,
  COLUMN_TOKENS,
  COLUMN_MONEY,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title;
  gboolean wide, narrow; /* when it is shown */
} columns[N_COLUMNS] = {
  [COLUMN_MODEL] = { N_ ("Model"), TRUE, TRUE },
  [COLUMN_SHARE] = { N_ ("Share"), TRUE, FALSE },
  [COLUMN_FRESH] = { N_ ("Fresh"), TRUE, FALSE },
  [COLUMN_CACHED] = { N_ ("Cached"), TRUE, FALSE },
  [COLUMN_WRITTEN] = { N_ ("Written"), TRUE, FALSE },
  [COLUMN_REASONING] = { N_ ("Reasoning"), TRUE, FALSE },
  [COLUMN_TOKENS] = { N_ ("Tokens"), FALSE, TRUE },
  [COLUMN_MONEY] = { N_ ("Money"), TRUE, TRUE },
};

struct _GadgetUsageTable
{
  GtkBox parent_instance;

  GtkWidget *heads;
  GtkWidget *buttons[N_COLUMNS];
  GtkListBox *list;
  GtkSizeGroup *widths[N_COLUMNS]; /* owned: of the cells of each column */
  GPtrArray *models;               /* (nullable): of GadgetUsageModel, owned */
  GHashTable *opened;              /* of the keys of models */
  double whole;                    /* what a share is of */
  Column sorted;
  gboolean by_money;
  gboolean ascending;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (GadgetUsageTable, gadget_usage_table, GTK_TYPE_BOX)

/* --- Values ----------------------------------------------------------------------------------- */

static gboolean
is_shown (GadgetUsageTable *self, Column column)
{
  return self->narrow ? columns[column].narrow : columns[column].wide;
}

/* Returns what a column is sorted by; a negative number for what is unknown. */
static double
get_value (GadgetUsageTable *self, Column column, const GadgetUsageSum *sum)
{
  const GadgetUsage *usage = &sum->usage;

  switch (column)
    {
    case COLUMN_FRESH:
      return (double) (usage->input_tokens - usage->cached_tokens);
    case COLUMN_CACHED:
      return (usage->known & GADGET_USAGE_CACHED) != 0 ? (double) usage->cached_tokens : -1;
    case COLUMN_WRITTEN:
      return (double) usage->output_tokens;
    case COLUMN_REASONING:
      return (usage->known & GADGET_USAGE_REASONING) != 0 ? (double) usage->reasoning_tokens : -1;
    case COLUMN_MONEY:
      return (usage->known & GADGET_USAGE_COST) != 0 ? (double) usage->cost : -1;
    case COLUMN_SHARE:
      return get_value (self, self->by_money ? COLUMN_MONEY : COLUMN_TOKENS, sum);
    case COLUMN_TOKENS:
    case COLUMN_MODEL:
    case N_COLUMNS:
    default:
      return (double) _gadget_usage_get_tokens (usage);
    }
}

static char *
dup_text (GadgetUsageTable *self, Column column, const GadgetUsageSum *sum)
{
  const gint64 tokens = (gint64) get_value (self, column, sum);

  if (column == COLUMN_MONEY)
    return _gadget_usage_dup_cost (sum);
  if (column == COLUMN_CACHED)
    return _gadget_usage_dup_part (sum, GADGET_USAGE_CACHED, tokens);
  if (column == COLUMN_REASONING)
    return _gadget_usage_dup_part (sum, GADGET_USAGE_REASONING, tokens);
  return _gadget_usage_dup_thousands (tokens);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  GadgetUsageTable *self = user_data;
  const GadgetUsageModel *first = *(const GadgetUsageModel **) a;
  const GadgetUsageModel *second = *(const GadgetUsageModel **) b;
  const double one = get_value (self, self->sorted, &first->sum);
  const double other = get_value (self, self->sorted, &second->sum);
  const int by_name = g_utf8_collate (first->name, second->name);
  int order = self->sorted == COLUMN_MODEL ? by_name : (one > other) - (one < other);

  if (!self->ascending)
    order = -order;
  return order != 0 ? order : by_name;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
make_share (GadgetUsageTable *self, const GadgetUsageSum *sum, gboolean shown)
{
  GtkWidget *bar = g_object_new (GTK_TYPE_PROGRESS_BAR, "accessible-role",
                                 GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  const double value = get_value (self, COLUMN_SHARE, sum);

  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_widget_set_opacity (bar, shown ? 1 : 0);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), MAX (value, 0) / MAX (self->whole, 1));
  return bar;
}

/* Makes the cells of a line, of which @name is the first. (transfer floating) */
static GtkWidget *
make_line (GadgetUsageTable *self, GtkWidget *name, const GadgetUsageSum *sum, gboolean has_share)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (line, "usage-line");
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (line), name);
  for (Column i = COLUMN_SHARE; i < N_COLUMNS; i++)
    {
      g_autofree char *text = dup_text (self, i, sum);
      GtkWidget *cell;

      if (!is_shown (self, i))
        continue;
      cell = i == COLUMN_SHARE ? make_share (self, sum, has_share) : make_label (text, "numeric");
      if (i != COLUMN_SHARE)
        gtk_label_set_xalign (GTK_LABEL (cell), 1);
      if (i != COLUMN_SHARE && get_value (self, i, sum) < 0)
        gtk_widget_add_css_class (cell, "dimmed");
      gtk_size_group_add_widget (self->widths[i], cell);
      gtk_box_append (GTK_BOX (line), cell);
    }
  return line;
}

/* @key: (transfer full) */
static GtkWidget *
make_row (GtkWidget *child, char *key, const char *spoken)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  g_object_set_data_full (G_OBJECT (row), "key", key, g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return row;
}

static gboolean
is_open (GadgetUsageTable *self, const GadgetUsageModel *model)
{
  return g_hash_table_contains (self->opened, model->key);
}

static GtkWidget *
make_model_row (GadgetUsageTable *self, GadgetUsageModel *model)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *caption = make_label (model->provider, "caption");
  /* Translators: a model and its provider */
  g_autofree char *names = g_strdup_printf (_ ("%s, %s"), model->name, model->provider);
  g_autofree char *spoken = _gadget_usage_dup_spoken (names, &model->sum);
  GtkWidget *row;

  gtk_widget_add_css_class (caption, "dimmed");
  gtk_box_append (GTK_BOX (box), make_label (model->name, NULL));
  gtk_box_append (GTK_BOX (box), caption);
  row = make_row (make_line (self, box, &model->sum, TRUE), g_strdup (model->key), spoken);
  g_object_set_data (G_OBJECT (row), "model", model);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED,
                               is_open (self, model), -1);
  return row;
}

static GtkWidget *
make_period_row (GadgetUsageTable *self, const GadgetUsageModel *model,
                 const GadgetUsageRow *period)
{
  g_autofree char *name = _gadget_usage_dup_period (period->period);
  g_autofree char *spoken = _gadget_usage_dup_spoken (name, &period->sum);
  GtkWidget *line = make_line (self, make_label (name, NULL), &period->sum, FALSE);
  GtkWidget *row = make_row (line, g_strconcat (model->key, "\n", period->period, NULL), spoken);

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_add_css_class (row, "usage-period");
  return row;
}

/* Makes a row with the columns for which there is no room. */
static GtkWidget *
make_rest_row (GadgetUsageTable *self, const GadgetUsageModel *model)
{
  g_autofree char *fresh = dup_text (self, COLUMN_FRESH, &model->sum);
  g_autofree char *cached = dup_text (self, COLUMN_CACHED, &model->sum);
  g_autofree char *written = dup_text (self, COLUMN_WRITTEN, &model->sum);
  g_autofree char *reasoning = dup_text (self, COLUMN_REASONING, &model->sum);
  /* Translators: numbers of tokens, or "unknown" */
  g_autofree char *text = g_strdup_printf (_ ("Fresh %s, cached %s, written %s, reasoning %s"),
                                           fresh, cached, written, reasoning);
  GtkWidget *label = make_label (text, "caption");
  GtkWidget *row = make_row (label, g_strconcat (model->key, "\n", NULL), text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "usage-line");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_add_css_class (row, "usage-period");
  return row;
}

/* Adds what a model opens, at @index: the rest, and then the latest period first. */
static void
insert_opened (GadgetUsageTable *self, const GadgetUsageModel *model, int index)
{
  for (guint i = 0; i < model->periods->len; i++)
    gtk_list_box_insert (
        self->list, make_period_row (self, model, g_ptr_array_index (model->periods, i)), index);
  if (self->narrow)
    gtk_list_box_insert (self->list, make_rest_row (self, model), index);
}

static void
remove_opened (GadgetUsageTable *self, int index)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, index)) != NULL
         && g_object_get_data (G_OBJECT (row), "model") == NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
}

static void
row_activated_cb (GadgetUsageTable *self, GtkListBoxRow *row)
{
  const GadgetUsageModel *model = g_object_get_data (G_OBJECT (row), "model");
  const gboolean open = !is_open (self, model);
  const int index = gtk_list_box_row_get_index (row) + 1;

  if (open)
    g_hash_table_add (self->opened, g_strdup (model->key));
  else
    g_hash_table_remove (self->opened, model->key);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
  if (open)
    insert_opened (self, model, index);
  else
    remove_opened (self, index);
}

static GtkListBoxRow *
find_row (GadgetUsageTable *self, const char *key)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (g_strcmp0 (g_object_get_data (G_OBJECT (row), "key"), key) == 0)
      return row;
  return NULL;
}

static void
update_heads (GadgetUsageTable *self)
{
  for (Column i = 0; i < N_COLUMNS; i++)
    {
      const char *sorting =
          self->ascending ? _ ("Sorted, the least first") : _ ("Sorted, the most first");

      gtk_widget_set_visible (self->buttons[i], is_shown (self, i));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->buttons[i]),
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      i == self->sorted ? sorting : "", -1);
    }
}

/* Makes all rows again; the focus stays on the same one. */
static void
update (GadgetUsageTable *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child (GTK_WIDGET (self->list));
  g_autofree char *key =
      focus != NULL ? g_strdup (g_object_get_data (G_OBJECT (focus), "key")) : NULL;
  GtkListBoxRow *row;

  gtk_list_box_remove_all (self->list);
  update_heads (self);
  if (self->models == NULL)
    return;
  g_ptr_array_sort_with_data (self->models, compare_cb, self);
  for (guint i = self->models->len; i-- > 0;)
    {
      GadgetUsageModel *model = g_ptr_array_index (self->models, i);

      if (is_open (self, model))
        insert_opened (self, model, 0);
      gtk_list_box_prepend (self->list, make_model_row (self, model));
    }
  if (key != NULL && (row = find_row (self, key)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

/* --- Sorting ---------------------------------------------------------------------------------- */

static void
sort_cb (GtkWidget *button, GadgetUsageTable *self)
{
  const Column column = (Column) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "column"));
  g_autofree char *text = NULL;

  self->ascending = self->sorted == column ? !self->ascending : column == COLUMN_MODEL;
  self->sorted = column;
  update (self);
  text = g_strdup_printf (self->ascending ? _ ("Sorted by %s, the least first")
                                          : _ ("Sorted by %s, the most first"),
                          _ (columns[column].title));
  gadget_announce (button, text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
add_head (GadgetUsageTable *self, Column column)
{
  GtkWidget *button = gtk_button_new_with_label (_ (columns[column].title));

  gtk_widget_set_css_classes (
      button, (const char *[]) { "flat", "caption-heading", "dimmed", "usage-head", NULL });
  gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))),
                        column <= COLUMN_SHARE ? 0 : 1);
  gtk_widget_set_hexpand (button, column == COLUMN_MODEL);
  g_object_set_data (G_OBJECT (button), "column", GINT_TO_POINTER (column));
  g_signal_connect (button, "clicked", G_CALLBACK (sort_cb), self);
  self->widths[column] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  if (column != COLUMN_MODEL)
    gtk_size_group_add_widget (self->widths[column], button);
  gtk_box_append (GTK_BOX (self->heads), button);
  self->buttons[column] = button;
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_usage_table_dispose (GObject *object)
{
  GadgetUsageTable *self = GADGET_USAGE_TABLE (object);

  g_clear_pointer (&self->models, g_ptr_array_unref);
  g_clear_pointer (&self->opened, g_hash_table_unref);
  for (Column i = 0; i < N_COLUMNS; i++)
    g_clear_object (&self->widths[i]);

  G_OBJECT_CLASS (gadget_usage_table_parent_class)->dispose (object);
}

static void
gadget_usage_table_class_init (GadgetUsageTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_usage_table_dispose;
}

static void
gadget_usage_table_init (GadgetUsageTable *self)
{
  self->opened = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sorted = COLUMN_SHARE;
  self->heads = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->heads, "usage-heads");
  for (Column i = 0; i < N_COLUMNS; i++)
    add_head (self, i);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_set_css_classes (GTK_WIDGET (self->list),
                              (const char *[]) { "boxed-list", "usage-rows", NULL });
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Models"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_append (GTK_BOX (self), self->heads);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->list));
  update_heads (self);
}

void
_gadget_usage_table_set_models (GadgetUsageTable *self, GPtrArray *models, gboolean by_money)
{
  g_clear_pointer (&self->models, g_ptr_array_unref);
  self->models = g_ptr_array_ref (models);
  self->by_money = by_money;
  self->whole = 0;
  for (guint i = 0; i < models->len; i++)
    {
      const GadgetUsageModel *model = g_ptr_array_index (models, i);

      self->whole += MAX (get_value (self, COLUMN_SHARE, &model->sum), 0);
    }
  update (self);
}

void
_gadget_usage_table_set_narrow (GadgetUsageTable *self, gboolean narrow)
{
  self->narrow = narrow;
  update (self);
}
