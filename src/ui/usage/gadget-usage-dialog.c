/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that shows what models used: a sentence, a plot over time, and a table of models. One
 * report of the store, by time and model, is all of that. It is read again when something was
 * written or a price was set. */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-dialog.h"

#include "gadget-usage-labels.h"
#include "gadget-usage-plot.h"
#include "gadget-usage-prices.h"
#include "gadget-usage-table.h"
#include "common/gadget-clock.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-save.h"

#include <glib/gi18n.h>

/* How long changes are waited for before the report is read again, in milliseconds. */
#define SETTLE_MS 500

typedef enum
{
  RANGE_WEEK,
  RANGE_MONTH,
  RANGE_YEAR,
  N_RANGES,
} Range;

static const struct
{
  const char *name;
  int n_periods;
  gboolean by_month;
} ranges[N_RANGES] = {
  [RANGE_WEEK] = { "7-days", 7, FALSE },
  [RANGE_MONTH] = { "30-days", 30, FALSE },
  [RANGE_YEAR] = { "12-months", 12, TRUE },
};

struct _GadgetUsageDialog
{
  AdwDialog parent_instance;

  GtkWidget *export_button;
  AdwToastOverlay *toasts;
  AdwToggleGroup *range_group;
  AdwToggleGroup *unit_group;
  GtkStack *stack;
  AdwStatusPage *empty_page;
  GtkLabel *title;
  GtkLabel *words;
  GtkLabel *note;
  AdwWrapBox *legend;
  GadgetUsagePlot *plot;
  GadgetUsageTable *table;

  GadgetStore *store;
  GadgetPrices *prices;
  GadgetUsageReport *report; /* (nullable): what is shown */
  GHashTable *models;        /* (nullable): of GadgetUsageModel, by provider and model */
  Range range;               /* of the report, see ranges[] */
  gboolean reading;
  gboolean outdated; /* something changed while reading */
  gboolean closed;
  guint read_id; /* timeout after which the report is read again */
};

G_DEFINE_FINAL_TYPE (GadgetUsageDialog, gadget_usage_dialog, ADW_TYPE_DIALOG)

static Range
get_range (GadgetUsageDialog *self)
{
  const char *name = adw_toggle_group_get_active_name (self->range_group);

  for (Range i = 0; i < N_RANGES; i++)
    if (g_strcmp0 (ranges[i].name, name) == 0)
      return i;
  g_return_val_if_reached (0);
}

static gboolean
is_by_money (GadgetUsageDialog *self)
{
  return g_strcmp0 (adw_toggle_group_get_active_name (self->unit_group), "money") == 0;
}

static gboolean
is_known (const GadgetUsageSum *sum)
{
  return (sum->usage.known & GADGET_USAGE_COST) != 0;
}

/* Returns the beginning of a period of the range, the first of which has the index 0, in local
 * time. (transfer full) */
static GDateTime *
make_period (Range range, int index)
{
  const int back = index - ranges[range].n_periods + 1;
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (gadget_clock_wall_ms () / 1000);
  const int day = ranges[range].by_month ? 1 : g_date_time_get_day_of_month (now);
  g_autoptr (GDateTime) last =
      g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now), day, 0, 0, 0);

  return ranges[range].by_month ? g_date_time_add_months (last, back)
                                : g_date_time_add_days (last, back);
}

static gint64
get_period_ms (Range range, int index)
{
  g_autoptr (GDateTime) time = make_period (range, index);

  return g_date_time_to_unix (time) * 1000;
}

/* --- Models ----------------------------------------------------------------------------------- */

static void
model_free (gpointer data)
{
  GadgetUsageModel *model = data;

  g_free (model->key);
  g_free (model->name);
  g_free (model->provider);
  g_ptr_array_unref (model->periods);
  g_free (model);
}

static GadgetUsageModel *
find_model (GadgetUsageDialog *self, const GadgetUsageRow *row)
{
  g_autofree char *key = g_strconcat (row->provider != NULL ? row->provider : "", "\n",
                                      row->model != NULL ? row->model : "", NULL);
  GadgetUsageModel *model = g_hash_table_lookup (self->models, key);

  if (model != NULL)
    return model;
  model = g_new0 (GadgetUsageModel, 1);
  model->key = g_steal_pointer (&key);
  model->name = _gadget_usage_dup_model (row);
  model->provider = _gadget_usage_dup_provider (row);
  model->periods = g_ptr_array_new ();
  g_hash_table_insert (self->models, model->key, model);
  return model;
}

static void
collect_models (GadgetUsageDialog *self)
{
  const GadgetUsageReport *report = self->report;

  self->models = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, model_free);
  for (guint i = 0; i < report->rows->len; i++)
    {
      GadgetUsageRow *row = g_ptr_array_index (report->rows, i);
      GadgetUsageModel *model = find_model (self, row);

      gadget_usage_sum_add (&model->sum, &row->sum);
      g_ptr_array_add (model->periods, row);
    }
}

static double
get_amount (const GadgetUsageSum *sum, gboolean by_money)
{
  return (double) (by_money ? sum->usage.cost : _gadget_usage_get_tokens (&sum->usage));
}

static int
compare_amounts_cb (gconstpointer a, gconstpointer b, gpointer by_money)
{
  const GadgetUsageModel *first = *(const GadgetUsageModel **) a;
  const GadgetUsageModel *second = *(const GadgetUsageModel **) b;
  const double one = get_amount (&first->sum, by_money != NULL);
  const double other = get_amount (&second->sum, by_money != NULL);

  return one != other ? (one < other) - (one > other) : g_utf8_collate (first->name, second->name);
}

/* --- Showing ---------------------------------------------------------------------------------- */

static void
show_sentence (GadgetUsageDialog *self)
{
  const GadgetUsageSum *total = &self->report->total;
  const GadgetUsage *usage = &total->usage;
  g_autofree char *amount = is_known (total)
                                ? _gadget_usage_dup_money (usage->cost, usage->estimated)
                                : _gadget_usage_dup_words (_gadget_usage_get_tokens (usage));
  g_autofree char *title =
      _gadget_usage_dup_title (ranges[self->range].n_periods, is_known (total), amount);
  g_autofree char *replies =
      g_strdup_printf (ngettext ("%'u reply", "%'u replies", total->n_replies), total->n_replies);
  /* Those of incognito chats are of some chat as well. */
  const guint n_chats = MAX (self->report->n_chats, 1);
  g_autofree char *chats = g_strdup_printf (ngettext ("%'u chat", "%'u chats", n_chats), n_chats);
  g_autofree char *read = _gadget_usage_dup_words (usage->input_tokens);
  g_autofree char *cached = _gadget_usage_dup_words (usage->cached_tokens);
  g_autofree char *written = _gadget_usage_dup_words (usage->output_tokens);
  g_autofree char *time = gadget_dup_duration (total->ms);
  g_autofree char *words =
      (usage->known & GADGET_USAGE_CACHED) != 0
          ? g_strdup_printf (
                /* Translators: "214 replies", "37 chats", numbers of tokens */
                _ ("%s in %s read %s tokens, %s of them from the cache, and wrote %s."), replies,
                chats, read, cached, written)
          /* Translators: "214 replies", "37 chats", numbers of tokens */
          : g_strdup_printf (_ ("%s in %s read %s tokens and wrote %s."), replies, chats, read,
                             written);
  /* Translators: the sentence before, and a time */
  g_autofree char *all = g_strdup_printf (_ ("%s They worked for %s."), words, time);

  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->words, (usage->known & GADGET_USAGE_TIME) != 0 ? all : words);
}

static void
show_note (GadgetUsageDialog *self)
{
  GHashTableIter iter;
  gpointer model;
  guint n = 0;
  g_autofree char *text = NULL;

  g_hash_table_iter_init (&iter, self->models);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    n += (((GadgetUsageModel *) model)->sum.unknown & GADGET_USAGE_COST) != 0;
  if (n > 0)
    text = g_strdup_printf (
        ngettext ("%'u model without a price: its tokens are counted, not its money.",
                  "%'u models without a price: their tokens are counted, not their money.", n),
        n);
  else
    {
      g_autofree char *day = _gadget_usage_dup_period (gadget_prices_get_date (self->prices));

      text = g_strdup_printf (
          _ ("Money that a provider does not report is counted by prices of %s."), day);
    }
  gtk_label_set_label (self->note, text);
}

static void
add_to_legend (GadgetUsageDialog *self, GadgetUsagePattern pattern, const char *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (box), _gadget_usage_sample_new (pattern));
  gtk_box_append (GTK_BOX (box), label);
  adw_wrap_box_append (self->legend, box);
}

/* Gives a pattern to each model, and one to all that are left when there are too many. */
static void
show_legend (GadgetUsageDialog *self, GPtrArray *sorted)
{
  const guint n = sorted->len;
  const guint last = GADGET_USAGE_N_PATTERNS - 1;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->legend))) != NULL)
    adw_wrap_box_remove (self->legend, child);
  for (guint i = 0; i < n; i++)
    {
      GadgetUsageModel *model = g_ptr_array_index (sorted, i);

      model->pattern = MIN (i, last);
      if (i < last || n == GADGET_USAGE_N_PATTERNS)
        add_to_legend (self, model->pattern, model->name);
    }
  if (n > GADGET_USAGE_N_PATTERNS)
    add_to_legend (self, last, _ ("Other models"));
}

/* Returns what is written below a bar: each day of a week, each Monday of a month, each month of a
 * year. (transfer full) (nullable) */
static char *
dup_mark (Range range, GDateTime *time)
{
  if (ranges[range].by_month)
    return g_date_time_format (time, "%b");
  if (ranges[range].n_periods > 7 && g_date_time_get_day_of_week (time) != 1)
    return NULL;
  /* xgettext:no-c-format */
  return g_date_time_format (time, _ ("%b %-d"));
}

/* Makes the bar of a period from its rows, which begin at *@at, and sets *@at behind them. */
static GadgetUsageBar *
make_bar (GadgetUsageDialog *self, int index, guint *at)
{
  const Range range = self->range;
  g_autoptr (GDateTime) time = make_period (range, index);
  g_autofree char *period = g_date_time_format (time, ranges[range].by_month ? "%Y-%m" : "%F");
  g_autofree char *name = _gadget_usage_dup_period (period);
  GadgetUsageBar *bar = g_new0 (GadgetUsageBar, 1);
  GPtrArray *rows = self->report->rows;
  GadgetUsageSum sum = { 0 };

  for (; *at < rows->len; (*at)++)
    {
      const GadgetUsageRow *row = g_ptr_array_index (rows, *at);

      if (strcmp (row->period, period) > 0)
        break;
      if (strcmp (row->period, period) < 0)
        continue;
      gadget_usage_sum_add (&sum, &row->sum);
      bar->parts[find_model (self, row)->pattern] += get_amount (&row->sum, is_by_money (self));
    }
  /* The note says which money is not in it. */
  if (is_known (&sum))
    sum.unknown &= ~(guint) GADGET_USAGE_COST;
  bar->mark = dup_mark (range, time);
  bar->values = _gadget_usage_dup_marked (name, &sum);
  bar->text = _gadget_usage_dup_spoken (name, &sum);
  return bar;
}

static void
show_plot (GadgetUsageDialog *self)
{
  GPtrArray *bars = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_usage_bar_free);
  const Range range = self->range;
  guint at = 0;

  for (int i = 0; i < ranges[range].n_periods; i++)
    g_ptr_array_add (bars, make_bar (self, i, &at));
  _gadget_usage_plot_set_bars (
      self->plot, bars,
      is_by_money (self) ? _gadget_usage_dup_money_scale : _gadget_usage_dup_token_scale,
      ranges[range].by_month ? _ ("Plot of the months by model") : _ ("Plot of the days by model"));
}

static void
show_report (GadgetUsageDialog *self)
{
  g_autoptr (GPtrArray) models = g_hash_table_get_values_as_ptr_array (self->models);
  const gboolean by_money = is_by_money (self);

  g_ptr_array_sort_with_data (models, compare_amounts_cb, GINT_TO_POINTER (by_money));
  _gadget_usage_table_set_models (self->table, models, by_money);
  if (models->len == 0)
    return;
  show_sentence (self);
  show_note (self);
  show_legend (self, models);
  show_plot (self);
  gtk_stack_set_visible_child_name (self->stack, "usage");
}

static void
show_nothing (GadgetUsageDialog *self, const char *title, const char *text)
{
  adw_status_page_set_title (self->empty_page, title);
  adw_status_page_set_description (self->empty_page, text);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void read_report (GadgetUsageDialog *self); /* declared here because what changes while it is
                                                    * read has it read again */

static void
read_id_cb (gpointer user_data)
{
  GadgetUsageDialog *self = user_data;

  self->read_id = 0;
  read_report (self);
}

static void
changed_cb (GadgetUsageDialog *self)
{
  if (self->read_id == 0)
    self->read_id = g_timeout_add_once (SETTLE_MS, read_id_cb, self);
}

/* Tells whether anything was used before. */
static void
read_all_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUsageDialog) self = user_data;
  g_autoptr (GadgetUsageReport) all = gadget_usage_report_finish (result, NULL);

  if (self->closed || self->report == NULL || self->report->rows->len > 0)
    return;
  if (all != NULL && all->rows->len > 0)
    show_nothing (self, _gadget_usage_get_nothing (ranges[self->range].n_periods), NULL);
  else
    show_nothing (self, _ ("Nothing Used Yet"),
                  _ ("Tokens, money and time of replies are counted here."));
}

/* Most of what is written is no usage. */
static gboolean
is_shown (GadgetUsageDialog *self, const GadgetUsageReport *report)
{
  g_autofree char *shown = self->report != NULL ? gadget_usage_report_dup_csv (self->report) : NULL;
  g_autofree char *csv = gadget_usage_report_dup_csv (report);

  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "usage") == 0
         && self->range == get_range (self) && g_strcmp0 (shown, csv) == 0;
}

/* Shows another report in place of the one that is shown, which the table needs until then. */
static void
take_report (GadgetUsageDialog *self, GadgetUsageReport *report)
{
  g_autoptr (GadgetUsageReport) old_report = self->report;
  g_autoptr (GHashTable) old_models = self->models;

  self->report = report;
  self->range = get_range (self);
  collect_models (self);
  show_report (self);
  gtk_widget_set_sensitive (self->export_button, report->rows->len > 0);
  if (report->rows->len == 0)
    gadget_usage_report_async (self->store, self->prices, 0, G_MAXINT64, 0, read_all_cb,
                               g_object_ref (self));
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUsageDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUsageReport) report = gadget_usage_report_finish (result, &error);

  self->reading = FALSE;
  if (self->closed)
    return;
  if (self->outdated)
    {
      read_report (self);
      return;
    }
  if (report != NULL && !is_shown (self, report))
    take_report (self, g_steal_pointer (&report));
  if (error != NULL)
    {
      g_autofree char *text = gadget_error_labels_dup (_ ("The usage cannot be read."), error);

      show_nothing (self, _ ("Usage Unknown"), text);
    }
}

static void
read_report (GadgetUsageDialog *self)
{
  const Range range = get_range (self);

  self->outdated = self->reading;
  if (self->reading)
    return;
  self->reading = TRUE;
  gadget_usage_report_async (
      self->store, self->prices, get_period_ms (range, 0),
      get_period_ms (range, ranges[range].n_periods),
      GADGET_USAGE_BY_MODEL
          | (ranges[range].by_month ? GADGET_USAGE_BY_MONTH : GADGET_USAGE_BY_DAY),
      read_cb, g_object_ref (self));
}

static void
unit_changed_cb (GadgetUsageDialog *self)
{
  if (self->report != NULL)
    show_report (self);
}

/* --- Actions ---------------------------------------------------------------------------------- */

static void
export_cb (GadgetUsageDialog *self)
{
  g_autofree char *csv = gadget_usage_report_dup_csv (self->report);
  const gsize length = strlen (csv);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&csv), length);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *day = g_date_time_format (now, "%F");
  /* Translators: the name of a file; %s is a date */
  g_autofree char *name = g_strdup_printf (_ ("Usage %s.csv"), day);

  gadget_save_ask (GTK_WIDGET (self), self->toasts, _ ("Export as CSV"), name, bytes,
                   _ ("Usage exported"));
}

static void
prices_cb (GadgetUsageDialog *self)
{
  adw_dialog_present (_gadget_usage_prices_new (self->store, self->prices), GTK_WIDGET (self));
}

static void
narrow_cb (GadgetUsageDialog *self)
{
  _gadget_usage_table_set_narrow (self->table, TRUE);
}

static void
wide_cb (GadgetUsageDialog *self)
{
  _gadget_usage_table_set_narrow (self->table, FALSE);
}

static void
closed_cb (GadgetUsageDialog *self)
{
  self->closed = TRUE;
  g_clear_handle_id (&self->read_id, g_source_remove);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_usage_dialog_dispose (GObject *object)
{
  GadgetUsageDialog *self = GADGET_USAGE_DIALOG (object);

  closed_cb (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_USAGE_DIALOG);
  g_clear_pointer (&self->models, g_hash_table_unref);
  g_clear_pointer (&self->report, gadget_usage_report_free);
  g_clear_object (&self->store);
  g_clear_object (&self->prices);

  G_OBJECT_CLASS (gadget_usage_dialog_parent_class)->dispose (object);
}

static void
gadget_usage_dialog_class_init (GadgetUsageDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_usage_dialog_dispose;

  g_type_ensure (GADGET_TYPE_USAGE_PLOT);
  g_type_ensure (GADGET_TYPE_USAGE_TABLE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/usage/gadget-usage-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, export_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, range_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, unit_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, empty_page);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, words);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, note);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, legend);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, plot);
  gtk_widget_class_bind_template_child (widget_class, GadgetUsageDialog, table);
  gtk_widget_class_bind_template_callback (widget_class, closed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_cb);
  gtk_widget_class_bind_template_callback (widget_class, prices_cb);
  gtk_widget_class_bind_template_callback (widget_class, wide_cb);
}

static void
gadget_usage_dialog_init (GadgetUsageDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
gadget_usage_dialog_new (GadgetEngine *engine)
{
  GadgetUsageDialog *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_USAGE_DIALOG, NULL);
  self->store = g_object_ref (gadget_engine_get_store (engine));
  self->prices = g_object_ref (gadget_agent_get_prices (gadget_engine_get_agent (engine)));
  g_signal_connect_object (self->store, "written", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->prices, "changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->range_group, "notify::active-name", G_CALLBACK (read_report), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->unit_group, "notify::active-name", G_CALLBACK (unit_changed_cb),
                           self, G_CONNECT_SWAPPED);
  read_report (self);
  return ADW_DIALOG (self);
}
