/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The last row of each turn: the status with model, tokens, cost and time, a line with the changes
 * of the turn above it, and buttons. While the turn is running, the row is updated each second.
 * Most widgets are made when they are first needed, since most footers never show them. */

#define G_LOG_DOMAIN "gadget-footer-row"

#include "config.h"

#include "gadget-footer-row.h"
#include "gadget-turn-actions.h"
#include "ui/text/gadget-line.h"
#include "ui/transcript/model/gadget-undo-offer.h"

#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-motion.h"

#include <glib/gi18n.h>

struct _GadgetFooterRow
{
  GadgetRow parent_instance;

  GtkWidget *column;
  GadgetLine *changes; /* the changes of the turn; made when first needed, like the next four */
  GtkWidget *undo;
  GtkWidget *effects;
  GtkWidget *retry;
  GtkWidget *more;
  GadgetTurnActions *actions;
  GtkWidget *box;
  GtkWidget *status; /* a slot of 16 px and the word; made when first needed, with its parts */
  GtkWidget *image;
  GtkWidget *dot;
  GtkLabel *word;
  GtkWidget *separator;
  GtkLabel *rest;
};

G_DEFINE_FINAL_TYPE (GadgetFooterRow, gadget_footer_row, GADGET_TYPE_ROW)

/* The text of a status, and how it is drawn. */
typedef struct
{
  const char *word;
  const char *icon; /* NULL for the dot */
  const char *css_class;
} Status;

/* Returns for how many milliseconds nothing has been received from the model; 0 when that is not
 * worth showing. */
static gint64
get_quiet_ms (GadgetTurn *turn)
{
  const gint64 since_us = gadget_receipt_get_quiet_since (gadget_turn_get_receipt (turn));

  switch (gadget_turn_get_phase (turn))
    {
    case GADGET_PHASE_WAITING:
    case GADGET_PHASE_LOADING:
    case GADGET_PHASE_REASONING:
    case GADGET_PHASE_STREAMING:
      return since_us != 0 ? (g_get_monotonic_time () - since_us) / 1000 : 0;
    default:
      return 0;
    }
}

static Status
get_processing_status (GadgetTurn *turn)
{
  if (get_quiet_ms (turn) > 0)
    /* Translators: the status of a reply; the time since then follows */
    return (Status) { _ ("Nothing received"), "dialog-warning-symbolic", "warning" };
  switch (gadget_turn_get_phase (turn))
    {
    case GADGET_PHASE_ABORTING:
      return (Status) { _ ("Aborting…"), "dialog-warning-symbolic", "warning" };
    case GADGET_PHASE_ASKING:
      return (Status) { _ ("Waiting for you"), NULL, "accent" };
    case GADGET_PHASE_COMPACTING:
      return (Status) { _ ("Summarizing earlier messages"), NULL, "accent" };
    case GADGET_PHASE_KEYRING:
      return (Status) { _ ("Waiting for the keyring"), NULL, "accent" };
    case GADGET_PHASE_LOADING:
      return (Status) { _ ("Loading the model"), NULL, "accent" };
    case GADGET_PHASE_RETRYING:
      return (Status) { _ ("Waiting for the provider"), NULL, "accent" };
    case GADGET_PHASE_IDLE:
    case GADGET_PHASE_WAITING:
    case GADGET_PHASE_REASONING:
    case GADGET_PHASE_STREAMING:
    case GADGET_PHASE_TOOLS:
    default:
      return (Status) { _ ("Working"), NULL, "accent" };
    }
}

static Status
get_status (GadgetTurn *turn)
{
  switch (gadget_turn_get_status (turn))
    {
    case GADGET_TURN_PROCESSING:
      return get_processing_status (turn);
    case GADGET_TURN_ABORTED:
      return (Status) { _ ("Aborted"), "dialog-warning-symbolic", "warning" };
    case GADGET_TURN_ERROR:
      return (Status) { _ ("Failed"), "dialog-error-symbolic", "error" };
    case GADGET_TURN_FINISHED:
    default:
      return (Status) { _ ("Finished"), NULL, NULL };
    }
}

static void
append_part (GString *text, const char *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
}

/* Returns the time until the request is sent again, rounded up to whole seconds, in milliseconds; 0
 * when the turn does not wait for that. */
static gint64
get_retry_ms (GadgetTurn *turn)
{
  const gint64 ms = gadget_turn_get_retry_at (turn) - gadget_turn_get_now (turn);

  if (gadget_turn_get_phase (turn) != GADGET_PHASE_RETRYING || ms <= 0)
    return 0;
  return (ms + 999) / 1000 * 1000;
}

static void
append_cost (GString *text, const GadgetUsage *usage)
{
  g_autofree char *cost = gadget_cost_dup_text (usage->cost);
  g_autofree char *part =
      /* Translators: %s is a sum of money, and not all of it is known */
      usage->estimated ? g_strdup_printf (_ ("at least %s"), cost) : g_strdup (cost);

  append_part (text, part);
}

static gboolean
is_short (GadgetTurn *turn)
{
  return gadget_turn_get_status (turn) == GADGET_TURN_FINISHED
         && gadget_turn_get_stop_reason (turn) == GADGET_STOP_LENGTH;
}

/* Describes an ended turn by model, tokens, cost (where it is known) and time. A running turn shows
 * only the time; while it waits to send its request again, the time counts down. */
static char *
describe_rest (GadgetTurn *turn, const char *provider_name)
{
  const char *model = gadget_turn_get_model (turn);
  const gboolean processing = gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING;
  const gint64 end = processing ? gadget_turn_get_now (turn) : gadget_turn_get_ended_at (turn);
  const gint64 ms = end - gadget_turn_get_started_at (turn);
  const GadgetUsage *usage = gadget_turn_get_usage (turn);
  const gint64 tokens = usage->input_tokens + usage->output_tokens;
  GString *text = g_string_new (NULL);

  if (is_short (turn))
    append_part (text, _ ("The model came to its limit of output tokens"));
  if (model == NULL)
    model = provider_name;
  if (!processing && model != NULL)
    append_part (text, model);
  if (!processing && tokens > 0)
    {
      g_autofree char *part =
          g_strdup_printf (ngettext ("%'d token", "%'d tokens", (gulong) tokens), (int) tokens);

      append_part (text, part);
    }
  if (!processing && usage->cost > 0)
    append_cost (text, usage);
  if (get_retry_ms (turn) > 0)
    {
      g_autofree char *part = gadget_dup_duration (get_retry_ms (turn));

      append_part (text, part);
    }
  else if (processing && get_quiet_ms (turn) > 0)
    {
      g_autofree char *time = gadget_dup_duration (get_quiet_ms (turn));
      /* Translators: behind "Nothing received" */
      g_autofree char *part = g_strdup_printf (_ ("for %s"), time);

      append_part (text, part);
    }
  else if (end > 0 && ms >= (processing ? 2000 : 1000))
    {
      g_autofree char *part = gadget_dup_duration (ms);

      append_part (text, part);
    }
  return g_string_free_and_steal (text);
}

static void
set_status_class (GtkWidget *widget, const char *css_class)
{
  static const char *const all[] = { "accent", "warning", "error" };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    gtk_widget_remove_css_class (widget, all[i]);
  if (css_class != NULL)
    gtk_widget_add_css_class (widget, css_class);
}

/* While the work gives no output yet, the dot pulses. After a while it stands still, and the time
 * beside it shows that the turn goes on. */
static void
set_pulse (GadgetFooterRow *self, GadgetTurn *turn)
{
  const GadgetTurnPhase phase = gadget_turn_get_phase (turn);

  if ((phase == GADGET_PHASE_KEYRING || phase == GADGET_PHASE_WAITING
       || phase == GADGET_PHASE_LOADING || phase == GADGET_PHASE_COMPACTING)
      && gadget_motion_get_left_ms (turn) > 0)
    gtk_widget_add_css_class (self->dot, "pulse");
  else
    gtk_widget_remove_css_class (self->dot, "pulse");
}

static void
make_status (GadgetFooterRow *self)
{
  GtkWidget *slot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->status = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_size_request (slot, 16, -1);
  gtk_widget_set_hexpand (slot, FALSE);
  self->image = gtk_image_new ();
  self->dot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->dot, "dot");
  gtk_widget_set_halign (self->dot, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->dot, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (self->dot, TRUE);
  gtk_box_append (GTK_BOX (slot), self->image);
  gtk_box_append (GTK_BOX (slot), self->dot);
  gtk_box_append (GTK_BOX (self->status), slot);

  self->word = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->word), "caption-heading");
  gtk_label_set_ellipsize (self->word, PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (self->status), GTK_WIDGET (self->word));
  self->separator = gtk_label_new (" · ");
  gtk_widget_add_css_class (self->separator, "caption");
  gtk_widget_add_css_class (self->separator, "dimmed");
  gtk_box_prepend (GTK_BOX (self->box), self->separator);
  gtk_box_prepend (GTK_BOX (self->box), self->status);
}

static void
show_status (GadgetFooterRow *self, const Status *status, GadgetTurn *turn, gboolean alone)
{
  if (status->css_class != NULL && self->status == NULL)
    make_status (self);
  if (self->status == NULL)
    return;

  gtk_widget_set_visible (self->status, status->css_class != NULL);
  gtk_widget_set_visible (self->image, status->icon != NULL);
  gtk_widget_set_visible (self->dot, status->icon == NULL);
  if (status->icon != NULL)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->image), status->icon);
  set_status_class (self->status, status->css_class);
  set_pulse (self, turn);
  gtk_label_set_text (self->word, status->word);
  gtk_widget_set_visible (self->separator, status->css_class != NULL && !alone);
}

/* --- What was changed and done ---------------------------------------------------------------- */

static char *
describe_changes (GadgetTurnChanges *changes)
{
  const guint n_files = gadget_turn_changes_get_n_files (changes);
  const guint n_folders = gadget_turn_changes_get_n_folders (changes);
  const guint n_undone = gadget_turn_changes_get_n_undone (changes);
  g_autofree char *text =
      n_folders > 0
          ? g_strdup_printf (ngettext ("%'u folder changed", "%'u folders changed", n_folders),
                             n_folders)
          : g_strdup_printf (ngettext ("%'u file changed", "%'u files changed", n_files), n_files);
  g_autofree char *undone = NULL;

  if (n_files + n_folders == 0)
    return g_strdup (_ ("Changes not recorded"));
  if (n_undone == 0)
    return g_steal_pointer (&text);
  if (n_undone == n_files + n_folders)
    /* Translators: behind "3 files changed": all of that was taken back */
    undone = g_strdup (_ ("undone"));
  else
    /* Translators: behind "3 files changed": so many of them were taken back */
    undone = g_strdup_printf (ngettext ("%'u undone", "%'u undone", n_undone), n_undone);
  return g_strconcat (text, " · ", undone, NULL);
}

static void
make_changes (GadgetFooterRow *self)
{
  self->changes = GADGET_LINE (gadget_line_new ());
  gadget_line_set_icon (self->changes, "document-edit-symbolic");
  gadget_line_set_dimmed (self->changes, TRUE);
  self->undo = gadget_line_button_new ();
  gadget_line_add_suffix (self->changes, self->undo);
  gtk_box_prepend (GTK_BOX (self->column), GTK_WIDGET (self->changes));
}

/* For an aborted turn the line is hidden, since the card above shows the same. */
static void
update_changes (GadgetFooterRow *self, GadgetRowData *data)
{
  GadgetTurn *turn = gadget_row_data_get_turn (data);
  const GadgetUndoOffer offer = gadget_turn_get_status (turn) == GADGET_TURN_ABORTED
                                    ? GADGET_UNDO_OFFER_NONE
                                    : _gadget_undo_offer_get (data);
  GadgetTurnChanges *changes =
      offer != GADGET_UNDO_OFFER_NONE ? gadget_row_data_get_changes (data) : NULL;
  const gboolean shown =
      changes != NULL
      && (gadget_turn_changes_get_n_files (changes) + gadget_turn_changes_get_n_folders (changes)
              > 0
          || offer == GADGET_UNDO_OFFER_UNDO);
  g_autofree char *text = NULL;

  if (shown && self->changes == NULL)
    make_changes (self);
  if (self->changes == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->changes), shown);
  if (!shown)
    return;
  text = describe_changes (changes);
  gadget_line_set_text (self->changes, text);
  gadget_line_button_show (
      self->undo, offer == GADGET_UNDO_OFFER_REDO ? "edit-redo-symbolic" : "edit-undo-symbolic",
      offer == GADGET_UNDO_OFFER_REDO ? _ ("Redo…") : _ ("Undo…"));
  gtk_widget_set_tooltip_text (self->undo,
                               offer == GADGET_UNDO_OFFER_WAIT ? _ ("Recording changes…") : NULL);
  _gadget_undo_offer_bind (offer, self->undo, turn);
}

/* Returns whether the button for the list of effects is shown: for a turn that has ended and has
 * called tools. The list may be empty. */
static gboolean
has_effects (GadgetRowData *data)
{
  GadgetTurn *turn = gadget_row_data_get_turn (data);

  return gadget_row_data_get_change_cache (data) != NULL
         && gadget_turn_get_status (turn) != GADGET_TURN_PROCESSING && gadget_turn_has_calls (turn);
}

static void
update_effects (GadgetFooterRow *self, GadgetRowData *data)
{
  const gboolean shown = has_effects (data);

  if (shown && self->effects == NULL)
    {
      self->effects = gtk_button_new_from_icon_name ("view-list-bullet-symbolic");
      gtk_widget_add_css_class (self->effects, "flat");
      gtk_widget_add_css_class (self->effects, "footer-action");
      gtk_widget_set_tooltip_text (self->effects, _ ("Actions"));
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->effects), "s",
                                        gadget_turn_get_id (gadget_row_data_get_turn (data)));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->effects), "session.show-effects");
      gtk_box_append (GTK_BOX (self->box), self->effects);
    }
  if (self->effects != NULL)
    gtk_widget_set_visible (self->effects, shown);
}

static GtkWidget *
add_button (GadgetFooterRow *self, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "footer-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (self->box), button);
  return button;
}

/* "Retry" is offered when nothing is received, since the connection may be dead; "Continue" when a
 * response ended at the model's limit of output tokens. */
static void
update_remedies (GadgetFooterRow *self, GadgetTurn *turn)
{
  const gboolean quiet =
      gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING && get_quiet_ms (turn) > 0;

  if (quiet && self->retry == NULL)
    self->retry = add_button (self, _ ("Retry"), "session.ask-again");
  if (self->retry != NULL)
    gtk_widget_set_visible (self->retry, quiet);
  if (is_short (turn) && self->more == NULL)
    {
      self->more = add_button (self, _ ("Continue"), "session.continue");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->more), "s",
                                        gadget_turn_get_id (turn));
    }
}

static void
gadget_footer_row_update (GadgetRow *row)
{
  GadgetFooterRow *self = GADGET_FOOTER_ROW (row);
  GadgetTurn *turn = gadget_row_data_get_turn (gadget_row_get_data (row));
  const Status status = get_status (turn);
  g_autofree char *rest =
      describe_rest (turn, gadget_row_data_get_provider_name (gadget_row_get_data (row)));

  show_status (self, &status, turn, *rest == '\0');
  gtk_label_set_text (self->rest, rest);
  update_changes (self, gadget_row_get_data (row));
  update_effects (self, gadget_row_get_data (row));
  update_remedies (self, turn);
  gadget_row_set_ticking (row, gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, rest,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, status.word, -1);
}

static void
gadget_footer_row_bind (GadgetRow *row)
{
  g_signal_connect_object (gadget_row_data_get_turn (gadget_row_get_data (row)), "notify",
                           G_CALLBACK (gadget_row_update), row, G_CONNECT_SWAPPED);
  gadget_row_watch_file_changes (row);
}

static void
gadget_footer_row_class_init (GadgetFooterRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_footer_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_footer_row_update;
}

static void
gadget_footer_row_init (GadgetFooterRow *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "footer");
  self->rest = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->rest, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->rest, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->rest), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->rest), "dimmed");
  gtk_widget_add_css_class (GTK_WIDGET (self->rest), "numeric");
  gtk_widget_set_hexpand (GTK_WIDGET (self->rest), TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->rest));
  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (self->column), self->box);
  gadget_row_set_child (GADGET_ROW (self), self->column);
}

/**
 * gadget_footer_row_offer_actions:
 * @shown: whether the buttons are visible without the pointer
 * @narrow: whether there is room for one button only
 *
 * Makes the buttons of a turn that has ended, or updates them.
 */
void
gadget_footer_row_offer_actions (GadgetFooterRow *self, gboolean shown, gboolean narrow)
{
  GadgetTurn *turn;

  g_return_if_fail (GADGET_IS_FOOTER_ROW (self));

  turn = gadget_row_data_get_turn (gadget_row_get_data (GADGET_ROW (self)));
  if (gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
    return;
  if (self->actions == NULL)
    {
      self->actions = GADGET_TURN_ACTIONS (gadget_turn_actions_new (turn));
      gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->actions));
      /* The button that is always visible comes last. */
      if (self->effects != NULL)
        gtk_box_reorder_child_after (GTK_BOX (self->box), self->effects,
                                     GTK_WIDGET (self->actions));
    }
  gadget_turn_actions_set_narrow (self->actions, narrow);
  gadget_turn_actions_set_shown (self->actions, shown);
}

/* gadget_footer_row_set_narrow () makes no buttons: it is called during allocation. */
void
gadget_footer_row_set_narrow (GadgetFooterRow *self, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_FOOTER_ROW (self));

  if (self->actions != NULL)
    gadget_turn_actions_set_narrow (self->actions, narrow);
}
