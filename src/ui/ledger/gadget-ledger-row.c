/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the list of all effects. What the icon says is left out of the text: a changed file is
 * its path, a command its line. */

#define G_LOG_DOMAIN "gadget-ledger"

#include "config.h"

#include "gadget-ledger-row.h"

#include "common/gadget-clock.h"
#include "session/gadget-call-summary.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/text/gadget-line.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetLedgerRow
{
  GtkBox parent_instance;

  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *added;
  GtkLabel *removed;
  GtkLabel *detail;
  GtkLabel *state;
  GtkWidget *undo_button;
  GtkImage *undo_icon;
  GtkLabel *undo_label;
  GtkLabel *time;

  GadgetLedgerEntry *entry; /* (nullable) */
  gboolean narrow;
  char *description; /* (nullable) */
};

enum
{
  PROP_0,
  PROP_NARROW,
  PROP_DESCRIPTION,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetLedgerRow, gadget_ledger_row, GTK_TYPE_BOX)

/* --- Texts ------------------------------------------------------------------------------------ */

static char *
dup_clock_time (gint64 ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (ms / 1000);

  /* Translators: the time of a day, for strftime */
  return time != NULL ? g_date_time_format (time, _ ("%H:%M")) : g_strdup ("");
}

static char *
dup_effect_text (GadgetLedgerEntry *entry)
{
  return gadget_effect_labels_dup_text (
      gadget_ledger_entry_get_found (entry)->row,
      gadget_session_get_workspace (gadget_ledger_entry_get_session (entry)));
}

/* Returns what was done, in words, without marks around code. (transfer full) */
static char *
dup_text (GadgetLedgerEntry *entry)
{
  g_autofree char *marked = dup_effect_text (entry);
  g_autoptr (GString) text = g_string_new (marked);

  g_string_replace (text, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (text, GADGET_CODE_END, "", 0);
  return g_strdup (text->str);
}

static gboolean
is_told_by_icon (const GadgetEffectRow *row)
{
  return row->kind == GADGET_EFFECT_COMMAND || row->kind == GADGET_EFFECT_HOST
         || (row->kind == GADGET_EFFECT_CHANGE && !row->made);
}

static char *
dup_title (GadgetLedgerEntry *entry)
{
  const GadgetEffectRow *row = gadget_ledger_entry_get_found (entry)->row;
  g_autofree char *text = dup_effect_text (entry);
  const char *start = strstr (text, GADGET_CODE_BEGIN);
  const char *end = start != NULL ? strstr (start, GADGET_CODE_END) : NULL;

  if (!is_told_by_icon (row) || end == NULL)
    return g_steal_pointer (&text);
  if (row->kind == GADGET_EFFECT_HOST)
    start += strlen (GADGET_CODE_BEGIN);
  else
    end += strlen (GADGET_CODE_END);
  return g_strndup (start, (gsize) (end - start));
}

/* Returns what there is to say of the effect besides its chat. (transfer full) (nullable) */
static char *
dup_detail (GadgetLedgerEntry *entry)
{
  const GadgetFoundEffect *found = gadget_ledger_entry_get_found (entry);
  const gboolean reverses =
      found->row->kind == GADGET_EFFECT_UNDO || found->row->kind == GADGET_EFFECT_REDO;

  /* Several files are not named. */
  if (reverses && strstr (found->row->subject, ", ") == NULL)
    return gadget_effect_labels_dup_path (
        found->row->subject,
        gadget_session_get_workspace (gadget_ledger_entry_get_session (entry)));
  if (found->undone_at > 0)
    {
      g_autofree char *time = dup_clock_time (found->undone_at);

      if (gadget_labels_days_between (found->undone_at, gadget_clock_wall_ms ()) > 0)
        /* Translators: of the change of a file */
        return g_strdup (_ ("undone"));
      /* Translators: of the change of a file; %s is a time */
      return g_strdup_printf (_ ("undone at %s"), time);
    }
  if (found->row->kind == GADGET_EFFECT_CHANGE || found->row->kind == GADGET_EFFECT_DELETE)
    {
      if (found->row->recording == GADGET_RECORDING_LOST)
        /* Translators: of the change of a file, why it cannot be undone */
        return g_strdup (_ ("its earlier version was not recorded"));
      if (found->row->recording == GADGET_RECORDING_PENDING)
        /* Translators: of the change of a file, why it cannot be undone yet */
        return g_strdup (_ ("its earlier version is being recorded"));
    }
  return gadget_effect_labels_dup_details (found->row);
}

/* Returns how long a command took, or that a change cannot be undone. (transfer full) */
static char *
dup_state (const GadgetFoundEffect *found)
{
  const GadgetEffectRow *row = found->row;

  if (row->kind == GADGET_EFFECT_COMMAND && row->ended_at > row->started_at)
    return gadget_dup_fine_duration ((double) (row->ended_at - row->started_at));
  if ((row->kind == GADGET_EFFECT_CHANGE || row->kind == GADGET_EFFECT_DELETE)
      && row->recording == GADGET_RECORDING_LOST)
    return g_strdup (_ ("Cannot be undone"));
  return g_strdup ("");
}

/* --- Showing ---------------------------------------------------------------------------------- */

static void
show_text (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

static void
show_count (GtkLabel *label, const char *sign, gint64 n)
{
  g_autofree char *text = n > 0 ? g_strdup_printf ("%s%" G_GINT64_FORMAT, sign, n) : g_strdup ("");

  show_text (label, text);
}

static void
show_counts (GadgetLedgerRow *self, const GadgetCallSummary *summary)
{
  gint64 added = 0;
  gint64 removed = 0;

  if (summary != NULL
      && (summary->kind == GADGET_CALL_SUMMARY_EDITED || summary->kind == GADGET_CALL_SUMMARY_WROTE
          || summary->kind == GADGET_CALL_SUMMARY_CREATED))
    {
      added = summary->numbers[0];
      removed = summary->numbers[1];
    }
  else if (summary != NULL && summary->kind == GADGET_CALL_SUMMARY_CREATED_LINES)
    added = summary->numbers[0];
  show_count (self->added, "+", added);
  show_count (self->removed, "\u2212", removed);
}

static void
show_undo (GadgetLedgerRow *self, const GadgetFoundEffect *found)
{
  const gboolean shown = gadget_found_effect_can_undo (found);
  const char *label = found->undone_at > 0 ? _ ("Redo") : _ ("Undo");

  gtk_widget_set_visible (self->undo_button, shown);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->undo_button), "x", found->row->number);
  gtk_image_set_from_icon_name (self->undo_icon,
                                found->undone_at > 0 ? "edit-redo-symbolic" : "edit-undo-symbolic");
  gtk_label_set_label (self->undo_label, label);
  gtk_widget_set_visible (GTK_WIDGET (self->undo_label), !self->narrow);
  gtk_widget_set_tooltip_text (self->undo_button, self->narrow ? label : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->undo_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
}

static void
show_edges (GadgetLedgerRow *self)
{
  static const char *const names[] = { "first", "last" };
  const gboolean shown[] = { gadget_ledger_entry_is_first (self->entry),
                             gadget_ledger_entry_is_last (self->entry) };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (shown[i])
      gtk_widget_add_css_class (GTK_WIDGET (self), names[i]);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (self), names[i]);
}

static char *
join (const char *separator, const char *first, const char *second)
{
  const gboolean has_both = first != NULL && *first != '\0' && second != NULL && *second != '\0';

  return g_strconcat (first != NULL ? first : "", has_both ? separator : "",
                      second != NULL ? second : "", NULL);
}

/* What it is, where and when it was, and how it ended. */
static void
describe (GadgetLedgerRow *self, const char *chat, const char *time, const char *detail,
          const char *state)
{
  g_autofree char *text = dup_text (self->entry);
  g_autofree char *end = join (", ", detail, state);
  /* Translators: said by a screen reader of an effect: what it is, the chat, the time */
  g_autofree char *name = g_strdup_printf (_ ("%s, %s, %s"), text, chat, time);

  g_free (self->description);
  self->description = join (", ", name, end);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DESCRIPTION]);
}

static void
show (GadgetLedgerRow *self)
{
  const GadgetFoundEffect *found;
  const char *chat;
  g_autofree char *title = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *state = NULL;
  g_autofree char *time = NULL;
  g_autofree char *caption = NULL;
  g_autofree char *short_caption = NULL;
  g_autofree char *timed = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;

  if (self->entry == NULL)
    return;
  found = gadget_ledger_entry_get_found (self->entry);
  chat = gadget_labels_title (gadget_ledger_entry_get_session (self->entry));
  title = dup_title (self->entry);
  detail = dup_detail (self->entry);
  state = dup_state (found);
  time = dup_clock_time (found->row->started_at);
  caption = join (" · ", chat, detail);
  /* There is no room for all, so the chat, which one can go to, is last. */
  short_caption = join (" · ", detail, chat);
  timed = join (" · ", time, short_caption);
  attributes = gadget_line_make_attributes (title);

  gtk_image_set_from_icon_name (self->icon, gadget_effect_labels_get_icon (found->row));
  gtk_label_set_label (self->title, title);
  gtk_label_set_attributes (self->title, attributes);
  /* The end of a path tells most, and the beginning of a command. */
  gtk_label_set_ellipsize (self->title, found->row->kind == GADGET_EFFECT_COMMAND
                                            ? PANGO_ELLIPSIZE_END
                                            : PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_label (self->detail, self->narrow ? timed : caption);
  show_counts (self, found->summary);
  show_text (self->state, state);
  show_text (self->time, self->narrow ? "" : time);
  show_undo (self, found);
  show_edges (self);
  describe (self, chat, time, detail, state);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_ledger_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GadgetLedgerRow *self = GADGET_LEDGER_ROW (object);

  if (id == PROP_NARROW)
    g_value_set_boolean (value, self->narrow);
  else
    g_value_set_string (value, self->description);
}

static void
gadget_ledger_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GadgetLedgerRow *self = GADGET_LEDGER_ROW (object);

  self->narrow = g_value_get_boolean (value);
  show (self);
}

static void
gadget_ledger_row_dispose (GObject *object)
{
  GadgetLedgerRow *self = GADGET_LEDGER_ROW (object);

  gadget_ledger_row_set_entry (self, NULL);
  g_clear_pointer (&self->description, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_LEDGER_ROW);

  G_OBJECT_CLASS (gadget_ledger_row_parent_class)->dispose (object);
}

static void
gadget_ledger_row_class_init (GadgetLedgerRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_ledger_row_dispose;
  object_class->get_property = gadget_ledger_row_get_property;
  object_class->set_property = gadget_ledger_row_set_property;

  props[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_DESCRIPTION] =
      g_param_spec_string ("description", NULL, NULL, NULL,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/ledger/gadget-ledger-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, added);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, removed);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, detail);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, state);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, undo_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, undo_icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, undo_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerRow, time);
}

static void
gadget_ledger_row_init (GadgetLedgerRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* gadget_ledger_row_new: makes a row that shows nothing before it has an entry. (transfer
 * floating) */
GtkWidget *
gadget_ledger_row_new (void)
{
  return g_object_new (GADGET_TYPE_LEDGER_ROW, NULL);
}

void
gadget_ledger_row_set_entry (GadgetLedgerRow *self, GadgetLedgerEntry *entry)
{
  g_return_if_fail (GADGET_IS_LEDGER_ROW (self));

  if (self->entry != NULL)
    {
      g_signal_handlers_disconnect_by_data (gadget_ledger_entry_get_session (self->entry), self);
      g_signal_handlers_disconnect_by_data (self->entry, self);
    }
  g_set_object (&self->entry, entry);
  if (entry == NULL)
    return;
  g_signal_connect_object (entry, "changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_ledger_entry_get_session (entry), "notify::title",
                           G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
}
