/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The quick switcher. The focus stays in the entry while the keys choose a row; the rows are made
 * anew for each text, since there are never more than some fifteen. */

#define G_LOG_DOMAIN "gadget-switcher"

#include "config.h"

#include "gadget-switcher.h"

#include "gadget-switcher-row.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

#define ROWS_PER_PAGE 8

struct _GadgetSwitcher
{
  AdwDialog parent_instance;

  GtkText *text;
  GtkWidget *scrolled;
  GtkListBox *list;
  GtkWidget *foot;
  GtkWidget *probe;

  GadgetEngine *engine;
  gboolean searched;     /* a text has been typed */
  GtkListBoxRow *chosen; /* (nullable): what is gone to when the dialog has closed */
};

enum
{
  OPEN_SESSION,
  ACTIVATE,
  SEARCH,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSwitcher, gadget_switcher, ADW_TYPE_DIALOG)

static const GadgetSwitcherEntry *
get_entry (GtkListBoxRow *row)
{
  return gadget_switcher_row_get_entry (GADGET_SWITCHER_ROW (row));
}

/* --- The list --------------------------------------------------------------------------------- */

/* An action of a widget class cannot be asked for, but a button follows it. */
static gboolean
is_enabled (const char *action, gpointer user_data)
{
  GadgetSwitcher *self = user_data;

  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (!g_action_parse_detailed_name (action, &name, &target, NULL))
    return FALSE;
  /* GTK warns where the target does not fit the action, also for a moment. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->probe), NULL);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->probe), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->probe), name);
  return gtk_widget_get_sensitive (self->probe);
}

static void
add_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
  GadgetSwitcher *self = user_data;
  const GadgetSwitcherGroup group = get_entry (row)->group;
  const char *name = gadget_switcher_group_name (group, self->searched);
  GtkWidget *label = NULL;

  if (name != NULL && (before == NULL || get_entry (before)->group != group))
    {
      label = gtk_label_new (name);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_widget_add_css_class (label, "dimmed");
      gtk_widget_add_css_class (label, "switcher-heading");
    }
  gtk_list_box_row_set_header (row, label);
}

static void
fill (GadgetSwitcher *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->text));
  g_autoptr (GPtrArray) entries = gadget_switcher_find (self->engine, text, is_enabled, self);
  const gboolean narrow = !gtk_widget_get_visible (self->foot);

  self->searched = *text != '\0';
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < entries->len; i++)
    gtk_list_box_append (
        self->list, gadget_switcher_row_new (g_steal_pointer (&entries->pdata[i]), text, narrow));
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
}

static void
changed_cb (GadgetSwitcher *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

/* Screen readers read the chosen row, though the focus is in the entry. */
static void
row_selected_cb (GadgetSwitcher *self, GtkListBoxRow *row)
{
  const GadgetSwitcherEntry *entry;
  g_autofree char *words = NULL;

  /* The rows outlive the entry for a moment when the dialog goes. */
  if (self->text == NULL)
    return;
  if (row == NULL)
    {
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->text),
                                     GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT);
      return;
    }
  entry = get_entry (row);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->text),
                                  GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, row, -1);
  words = entry->detail != NULL ? g_strdup_printf ("%s, %s", entry->title, entry->detail)
                                : g_strdup (entry->title);
  gadget_announce (GTK_WIDGET (self->text), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* --- Choosing --------------------------------------------------------------------------------- */

static void
scroll_to (GadgetSwitcher *self, GtkWidget *row)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  graphene_rect_t bounds;

  if (gtk_widget_compute_bounds (row, GTK_WIDGET (self->list), &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

static void
select_by (GadgetSwitcher *self, int rows)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int index = row != NULL ? gtk_list_box_row_get_index (row) + rows : 0;
  GtkListBoxRow *last = gtk_list_box_get_row_at_index (self->list, index);

  /* One row beyond an end leads to the other end, a page beyond it to the end. */
  if (last == NULL)
    {
      int n = 0;

      while (gtk_list_box_get_row_at_index (self->list, n) != NULL)
        n++;
      if (rows == 1)
        index = 0;
      else
        index = index < 0 && rows < -1 ? 0 : n - 1;
    }
  row = gtk_list_box_get_row_at_index (self->list, index);
  if (row == NULL)
    return;
  gtk_list_box_select_row (self->list, row);
  scroll_to (self, GTK_WIDGET (row));
}

static gboolean
key_cb (GadgetSwitcher *self, guint keyval, guint keycode, GdkModifierType state)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      select_by (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      select_by (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      select_by (self, -ROWS_PER_PAGE);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      select_by (self, ROWS_PER_PAGE);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
row_activated_cb (GadgetSwitcher *self, GtkListBoxRow *row)
{
  g_set_object (&self->chosen, row);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
activate_cb (GadgetSwitcher *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  if (row != NULL)
    row_activated_cb (self, row);
}

/* What is gone to takes the focus, which the dialog gives back when it closes. */
static void
gadget_switcher_closed (AdwDialog *dialog)
{
  GadgetSwitcher *self = GADGET_SWITCHER (dialog);
  g_autoptr (GtkListBoxRow) row = g_steal_pointer (&self->chosen);
  const GadgetSwitcherEntry *entry;

  if (row == NULL)
    return;
  entry = get_entry (row);
  if (entry->session != NULL)
    g_signal_emit (self, signals[OPEN_SESSION], 0, entry->session);
  else if (entry->action != NULL)
    g_signal_emit (self, signals[ACTIVATE], 0, entry->action);
  else
    g_signal_emit (self, signals[SEARCH], 0, gtk_editable_get_text (GTK_EDITABLE (self->text)));
}

/* --- Object ----------------------------------------------------------------------------------- */

/* The actions are in reach from now on. */
static void
gadget_switcher_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_switcher_parent_class)->map (widget);
  fill (GADGET_SWITCHER (widget));
}

static void
gadget_switcher_dispose (GObject *object)
{
  GadgetSwitcher *self = GADGET_SWITCHER (object);

  g_clear_object (&self->chosen);
  g_clear_object (&self->engine);
  /* The list box may outlive the dialog for a moment. */
  if (self->list != NULL)
    gtk_list_box_set_header_func (self->list, NULL, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_SWITCHER);

  G_OBJECT_CLASS (gadget_switcher_parent_class)->dispose (object);
}

static void
gadget_switcher_class_init (GadgetSwitcherClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_switcher_dispose;
  widget_class->map = gadget_switcher_map;
  ADW_DIALOG_CLASS (klass)->closed = gadget_switcher_closed;

  signals[OPEN_SESSION] = g_signal_new ("open-session", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[ACTIVATE] = g_signal_new ("activate", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SEARCH] = g_signal_new ("search", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/switcher/gadget-switcher.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcher, text);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcher, scrolled);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcher, list);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcher, foot);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcher, probe);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_selected_cb);
}

static void
gadget_switcher_init (GadgetSwitcher *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_header_func (self->list, add_header, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Go to a chat, an action or a setting"), -1);
}

GtkWidget *
gadget_switcher_new (GadgetEngine *engine)
{
  GadgetSwitcher *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_SWITCHER, NULL);
  self->engine = g_object_ref (engine);
  return GTK_WIDGET (self);
}
