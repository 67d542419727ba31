/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of a tool call, including that of a subagent. It is updated when its item, the phase of
 * its turn or the known changes change, and each second while the call runs. */

#define G_LOG_DOMAIN "gadget-tool-row"

#include "config.h"

#include "gadget-tool-row.h"
#include "ui/text/gadget-line.h"
#include "ui/transcript/model/gadget-diff.h"
#include "ui/transcript/model/gadget-tool-file.h"

#include "common/gadget-bidi.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-immediate-button.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetToolRow
{
  GadgetRow parent_instance;

  GtkWidget *box;
  GadgetLine *line;
  GtkWidget *stop; /* made when first needed, like the members below */
  GtkWidget *undo;
  GtkWidget *warning;
  GtkLabel *warning_label;
};

G_DEFINE_FINAL_TYPE (GadgetToolRow, gadget_tool_row, GADGET_TYPE_ROW)

const char *
_gadget_get_tool_icon (const char *name)
{
  static const struct
  {
    const char *name;
    const char *icon;
  } icons[] = {
    { "shell", "utilities-terminal-symbolic" },
    { "read_file", "text-x-generic-symbolic" },
    { "write_file", "document-edit-symbolic" },
    { "edit_file", "document-edit-symbolic" },
    { "list_dir", "folder-symbolic" },
    { "search", "edit-find-symbolic" },
    { "fetch", "network-transmit-receive-symbolic" },
    { "ask_user", "dialog-question-symbolic" },
    { "instructions", "text-x-generic-symbolic" },
    { "wait", "alarm-symbolic" },
    { "task", "gadget-subagent-symbolic" },
    { "find_files", "edit-find-symbolic" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (icons); i++)
    if (g_strcmp0 (name, icons[i].name) == 0)
      return icons[i].icon;
  return "system-run-symbolic";
}

static GadgetItem *
get_item (GadgetToolRow *self)
{
  return gadget_row_data_get_item (gadget_row_get_data (GADGET_ROW (self)));
}

/* Returns how long the call has been running; NULL when that is less than a second. */
static char *
dup_elapsed (GadgetItem *item)
{
  const gint64 started = gadget_item_get_started_at (item);
  const gint64 elapsed = started > 0 ? gadget_item_get_now (item) - started : 0;

  return elapsed >= 1000 ? gadget_dup_duration (elapsed) : NULL;
}

/* Describes the state of a subagent, since its title says nothing about that. */
static char *
describe_subagent (GadgetItem *item)
{
  const gint64 started = gadget_item_get_started_at (item);
  const gint64 ended = gadget_item_get_ended_at (item);

  if (gadget_item_get_asking (item))
    return g_strdup (_ ("waiting for you"));
  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_RUNNING:
      return dup_elapsed (item);
    case GADGET_ITEM_ABORTED:
      return g_strdup (_ ("stopped"));
    case GADGET_ITEM_FAILED:
      return g_strdup (_ ("failed"));
    case GADGET_ITEM_NOT_RUN:
      return g_strdup (_ ("not run"));
    case GADGET_ITEM_FINISHED:
      return started > 0 && ended > started ? gadget_dup_duration (ended - started) : NULL;
    case GADGET_ITEM_STREAMING:
    case GADGET_ITEM_PENDING:
    default:
      return NULL;
    }
}

/* Describes the state that the summary does not mention: that the call is running, or why it is
 * not. */
static char *
describe_state (GadgetItem *item)
{
  const gboolean has_result = gadget_item_get_result (item) != NULL;

  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_RUNNING:
      return dup_elapsed (item);
    case GADGET_ITEM_ABORTED:
      return has_result ? NULL : g_strdup (_ ("interrupted"));
    case GADGET_ITEM_FAILED:
      return gadget_item_get_summary (item) != NULL ? NULL : g_strdup (_ ("failed"));
    case GADGET_ITEM_NOT_RUN:
      return g_strdup (_ ("not run"));
    case GADGET_ITEM_STREAMING:
    case GADGET_ITEM_PENDING:
    case GADGET_ITEM_FINISHED:
    default:
      return NULL;
    }
}

static char *
describe (GadgetItem *item)
{
  const char *summary = gadget_item_get_summary (item);
  g_autofree char *state =
      gadget_item_get_child_id (item) != NULL ? describe_subagent (item) : describe_state (item);

  if (summary == NULL)
    summary = gadget_item_get_name (item);
  return state != NULL ? g_strconcat (summary, " · ", state, NULL) : g_strdup (summary);
}

/* Shows the numbers of added and removed lines at the end of a summary separately, in color. */
static void
show_text (GadgetToolRow *self, const char *text)
{
  gsize length = strlen (text);
  guint n_added = 0;
  guint n_removed = 0;
  g_autofree char *rest = NULL;

  if (gadget_diff_split_counts (text, &length, &n_added, &n_removed))
    rest = g_strndup (text, length);
  gadget_line_set_text (self->line, rest != NULL ? rest : text);
  gadget_line_set_counts (self->line, rest != NULL ? n_added : 0, rest != NULL ? n_removed : 0);
}

static gboolean
has_details (GadgetItem *item)
{
  const char *arguments = gadget_item_get_arguments (item);
  const char *result = gadget_item_get_result (item);

  return gadget_item_get_length (item) > 0 || (result != NULL && *result != '\0')
         || *arguments != '\0';
}

/* The target of the action names the call: the id of its chat, "" for the chat that is shown, and
 * the id of the call. */
static GtkWidget *
make_button (GadgetToolRow *self, const char *icon_name, const char *label, const char *action)
{
  GadgetSession *session = gadget_row_data_get_session (gadget_row_get_data (GADGET_ROW (self)));
  GtkWidget *button = gadget_immediate_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  if (icon_name != NULL)
    gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name (icon_name));
  gtk_box_append (GTK_BOX (content), gtk_label_new (label));
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)",
                                    session != NULL ? gadget_session_get_id (session) : "",
                                    gadget_item_get_call_id (get_item (self)));
  return button;
}

static void
update_stop (GadgetToolRow *self)
{
  GadgetItem *item = get_item (self);
  GadgetTurn *turn = gadget_row_data_get_turn (gadget_row_get_data (GADGET_ROW (self)));
  const gboolean running = gadget_item_get_status (item) == GADGET_ITEM_RUNNING
                           && gadget_turn_get_phase (turn) != GADGET_PHASE_ABORTING
                           && !gadget_item_get_unresponsive (item);

  if (running && self->stop == NULL)
    {
      self->stop =
          make_button (self, "media-playback-stop-symbolic", _ ("Stop"), "session.stop-tool");
      gtk_widget_set_tooltip_text (self->stop, gadget_item_get_child_id (item) != NULL
                                                   ? _ ("Stop this subagent; the turn goes on")
                                                   : _ ("Stop this tool; the turn goes on"));
      gtk_widget_add_css_class (self->stop, "flat");
      gtk_widget_add_css_class (self->stop, "line-action");
      gadget_line_add_suffix (self->line, self->stop);
    }
  if (self->stop != NULL)
    gtk_widget_set_visible (self->stop, running);
}

/* Returns whether the changes of the call can be undone or, with @undone, redone. This is known
 * when the turn has ended. */
static gboolean
get_undo (GadgetToolRow *self, gboolean *undone)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  GadgetItem *item = get_item (self);
  GadgetTurn *root = gadget_row_data_get_root (data);
  GadgetTurnChanges *changes;
  g_auto (GStrv) paths = NULL;

  if (root == NULL || gadget_turn_get_status (root) == GADGET_TURN_PROCESSING
      || !gadget_diff_is_in (item))
    return FALSE;
  changes = gadget_row_data_get_changes (data);
  if (changes == NULL)
    return FALSE;
  paths = gadget_turn_changes_dup_call_paths (changes,
                                              gadget_turn_get_id (gadget_row_data_get_turn (data)),
                                              gadget_item_get_call_id (item), undone);
  return paths != NULL;
}

static void
update_undo (GadgetToolRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  gboolean undone = FALSE;
  const gboolean can_undo = get_undo (self, &undone);

  if (can_undo && self->undo == NULL)
    {
      self->undo = gadget_line_button_new ();
      gadget_line_add_suffix (self->line, self->undo);
    }
  if (self->undo == NULL)
    return;
  gtk_widget_set_visible (self->undo, can_undo);
  if (!can_undo)
    return;
  gadget_line_button_show (self->undo, undone ? "edit-redo-symbolic" : "edit-undo-symbolic",
                           undone ? _ ("Redo") : _ ("Undo"));
  gtk_widget_set_tooltip_text (self->undo, undone ? _ ("Make the changes of this file again")
                                                  : _ ("Undo this turn’s changes to this file"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->undo), "(sssb)",
                                    gadget_turn_get_id (gadget_row_data_get_root (data)),
                                    gadget_turn_get_id (gadget_row_data_get_turn (data)),
                                    gadget_item_get_call_id (get_item (self)), undone);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->undo), "session.undo-call");
}

static void
make_warning (GadgetToolRow *self)
{
  GtkWidget *image = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  GtkWidget *button = make_button (self, NULL, _ ("Stop Waiting"), "session.stop-waiting");

  self->warning = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_add_css_class (self->warning, "tool-warning");
  gtk_widget_add_css_class (image, "warning");
  self->warning_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->warning_label, TRUE);
  /* The name of a tool may be one long word. */
  gtk_label_set_wrap_mode (self->warning_label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->warning_label, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->warning_label), TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->warning), image);
  gtk_box_append (GTK_BOX (self->warning), GTK_WIDGET (self->warning_label));
  gtk_box_append (GTK_BOX (self->warning), button);
  gtk_box_append (GTK_BOX (self->box), self->warning);
}

static void
update_warning (GadgetToolRow *self)
{
  GadgetItem *item = get_item (self);
  const gboolean unresponsive = gadget_item_get_unresponsive (item);

  if (unresponsive && self->warning == NULL)
    {
      g_autofree char *name = gadget_bidi_escape (gadget_item_get_name (item));
      g_autofree char *text = NULL;

      make_warning (self);
      if (gadget_item_get_child_id (item) != NULL)
        text = g_strdup (_ ("A tool of this subagent has not stopped for 3 s. Its work may go "
                            "on."));
      else
        /* Translators: %s is the name of a tool */
        text = g_strdup_printf (_ ("The tool “%s” has not stopped for 3 s. Its work may go on."),
                                name);
      gtk_label_set_text (self->warning_label, text);
      gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    }
  if (self->warning != NULL)
    gtk_widget_set_visible (self->warning, unresponsive);
}

/* The icon shows at a glance that a call failed or waits. */
static const char *
get_icon (GadgetItem *item, gboolean asking)
{
  if (asking)
    return "dialog-question-symbolic";
  if (gadget_item_get_status (item) == GADGET_ITEM_FAILED)
    return "dialog-warning-symbolic";
  return _gadget_get_tool_icon (gadget_item_get_name (item));
}

static void
gadget_tool_row_update (GadgetRow *row)
{
  GadgetToolRow *self = GADGET_TOOL_ROW (row);
  GadgetItem *item = get_item (self);
  const gboolean going = gadget_item_get_status (item) == GADGET_ITEM_RUNNING
                         || gadget_item_get_status (item) == GADGET_ITEM_STREAMING;
  const gboolean asking = going && gadget_item_get_asking (item);
  g_autofree char *text = describe (item);

  gadget_line_set_icon (self->line, get_icon (item, asking));
  gadget_line_set_accented (self->line, asking);
  gadget_line_set_spinning (self->line, going && !asking);
  gadget_line_set_dimmed (self->line, !going);
  show_text (self, text);
  gadget_line_set_file (self->line, gadget_tool_file_get_path (item));
  gadget_line_set_foldable (self->line, has_details (item));
  gadget_line_set_expanded (self->line, gadget_row_data_get_expanded (gadget_row_get_data (row)));
  gadget_row_set_ticking (row, gadget_item_get_status (item) == GADGET_ITEM_RUNNING);
  update_stop (self);
  update_undo (self);
  update_warning (self);
  /* A screen reader then reads the button of the line, which has the text. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  has_details (item) ? _ ("Tool call") : text, -1);
}

static void
gadget_tool_row_bind (GadgetRow *row)
{
  GadgetRowData *data = gadget_row_get_data (row);

  g_signal_connect_object (gadget_row_data_get_item (data), "notify",
                           G_CALLBACK (gadget_row_update), row, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_row_data_get_turn (data), "notify::phase",
                           G_CALLBACK (gadget_row_update), row, G_CONNECT_SWAPPED);
  if (!gadget_item_is_settled (gadget_row_data_get_item (data))
      || gadget_diff_is_in (gadget_row_data_get_item (data)))
    gadget_row_watch_file_changes (row);
}

static void
gadget_tool_row_class_init (GadgetToolRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_tool_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_tool_row_update;
}

static void
gadget_tool_row_init (GadgetToolRow *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->line = GADGET_LINE (gadget_line_new ());
  g_signal_connect_swapped (self->line, "toggled", G_CALLBACK (gadget_row_toggle), self);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->line));
  gadget_row_set_child (GADGET_ROW (self), self->box);
  gadget_row_set_piece (GADGET_ROW (self), gadget_line_get_piece (self->line));
}
