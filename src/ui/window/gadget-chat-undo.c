/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows, undoes and redoes the file changes of turns. Nothing is done while an agent works in the
 * same folder, because it would find other contents than it has just read. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "common/gadget-bidi.h"
#include "agent/gadget-undo-run.h"
#include "common/gadget-path.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-toast.h"
#include "ui/undo/gadget-undo-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#define LATE_MS 500

/* Data of a dialog: the id of the turn, its session, and the chat that shows it. */
#define TURN_KEY "gadget-turn"
#define SESSION_KEY "gadget-session"
#define CHAT_KEY "gadget-chat"

/* One undo or redo of files of a turn; also the data of the toast that reverses it. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session; /* the session of the turn; another one may be shown meanwhile */
  char *turn_id;
  gboolean redo;
  char **paths;  /* (nullable): absolute paths; NULL for all files of the turn */
  char **anyway; /* (nullable): files to overwrite afterwards, although they have changed since */
  guint n_done;
  guint n_left;       /* files and folders that were not reached before it was stopped */
  guint n_files_left; /* those of them that the line of the turn counts as changed */
  GPtrArray *problems;

  GadgetRun *run; /* (nullable): while it goes on */
  GadgetClock *clock;
  guint late_id;
  AdwToast *toast; /* (nullable): the toast with the Stop button */
} Work;

/* Removes the toast that shows progress, or the timeout for it. */
static void
clear_toast (Work *work)
{
  if (work->late_id != 0)
    gadget_clock_remove (work->clock, work->late_id);
  work->late_id = 0;
  if (work->toast == NULL)
    return;
  g_signal_handlers_disconnect_by_data (work->toast, work);
  gadget_toast_dismiss (work->toast);
  g_clear_object (&work->toast);
}

/* Forgets the run, which has ended, and its toast. */
static void
clear_progress (Work *work)
{
  clear_toast (work);
  if (work->run != NULL)
    g_signal_handlers_disconnect_by_data (work->run, work);
  g_clear_object (&work->run);
}

static void
work_free (Work *work)
{
  clear_progress (work);
  g_object_unref (work->clock);
  g_object_unref (work->chat);
  g_object_unref (work->session);
  g_free (work->turn_id);
  g_strfreev (work->paths);
  g_strfreev (work->anyway);
  g_ptr_array_unref (work->problems);
  g_free (work);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (GadgetChat *self, GadgetSession *session, const char *turn_id, gboolean redo,
          const char *const *paths, const char *const *anyway)
{
  Work *work = g_new0 (Work, 1);

  work->chat = g_object_ref (self);
  work->clock = g_object_ref (self->clock);
  work->session = g_object_ref (session);
  work->turn_id = g_strdup (turn_id);
  work->redo = redo;
  work->paths = g_strdupv ((char **) paths);
  work->anyway = anyway != NULL && *anyway != NULL ? g_strdupv ((char **) anyway) : NULL;
  work->problems = g_ptr_array_new_with_free_func (g_free);
  return work;
}

static void
work_unref_closure (gpointer data, GClosure *closure)
{
  work_free (data);
}

static GadgetSnapshotService *
get_snapshot_service (GadgetChat *self)
{
  return self->engine != NULL
             ? gadget_agent_get_snapshot_service (gadget_engine_get_agent (self->engine))
             : NULL;
}

/* Declared here because a toast can start the reverse, and a refusal opens the dialog. */
static void start (Work *work);
static void show_dialog (GadgetChat *self, GadgetSession *session, const char *turn_id,
                         const char *const *only);

/* --- Obstacles -------------------------------------------------------------------------------- */

static gboolean
share_folder (GadgetSession *a, GadgetSession *b)
{
  const char *first = gadget_session_get_workspace (a);
  const char *second = gadget_session_get_workspace (b);

  if (a == b)
    return TRUE;
  return first != NULL && second != NULL
         && (gadget_path_is_within (first, second) || gadget_path_is_within (second, first));
}

/* Returns why the files of the chat @own cannot be changed now, for people, or NULL. */
static const char *
get_obstacle (GadgetChat *self, GadgetSession *own)
{
  g_autoptr (GPtrArray) runs = NULL;

  if (gadget_session_is_working (own))
    return _ ("A turn is running in this chat. Wait until it has ended, or stop it.");
  runs = gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self->engine)));
  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);
      GadgetSession *session =
          gadget_run_get_kind (run) == GADGET_RUN_TURN
              ? gadget_engine_find_session (self->engine, gadget_run_get_session_id (run))
              : NULL;

      if (session == NULL)
        session = gadget_engine_find_incognito (self->engine, gadget_run_get_session_id (run));
      if (session != NULL && share_folder (session, own))
        return _ ("Another chat works in the same folder. Wait until it has ended, or stop it.");
    }
  return NULL;
}

/* Returns why the files of the chat that is shown cannot be changed now, or NULL. */
const char *
_gadget_chat_get_obstacle (GadgetChat *self)
{
  return self->session != NULL ? get_obstacle (self, self->session) : NULL;
}

/* --- Undoing and redoing ---------------------------------------------------------------------- */

static void
reverse_cb (AdwToast *toast, Work *work)
{
  start (work_new (work->chat, work->session, work->turn_id, !work->redo,
                   (const char *const *) work->paths, NULL));
}

/* Returns every path that was touched: those of @anyway were overwritten as well. NULL stands for
 * all files of the turn. */
static char **
join (char **paths, char **anyway)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();

  if (paths == NULL)
    return NULL;
  g_strv_builder_addv (all, (const char **) paths);
  if (anyway != NULL)
    g_strv_builder_addv (all, (const char **) anyway);
  return g_strv_builder_end (all);
}

static void
show_done (Work *work)
{
  AdwToast *toast = gadget_toast_new (work->redo ? _ ("Changes redone") : _ ("Changes undone"));
  Work *reverse = work_new (work->chat, work->session, work->turn_id, work->redo, NULL, NULL);

  reverse->paths = join (work->paths, work->anyway);
  adw_toast_set_button_label (toast, work->redo ? _ ("_Undo") : _ ("_Redo"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (reverse_cb), reverse,
                         work_unref_closure, G_CONNECT_DEFAULT);
  gadget_chat_add_toast (work->chat, toast);
}

static void
continue_cb (AdwToast *toast, Work *work)
{
  start (work_new (work->chat, work->session, work->turn_id, work->redo,
                   (const char *const *) work->paths, (const char *const *) work->anyway));
}

static char *
dup_left (const Work *work)
{
  const guint n = work->n_files_left > 0 ? work->n_files_left : work->n_left;

  if (work->n_files_left == 0)
    return g_strdup_printf (work->redo
                                ? ngettext ("%'u folder not redone", "%'u folders not redone", n)
                                : ngettext ("%'u folder not undone", "%'u folders not undone", n),
                            n);
  if (work->redo)
    return g_strdup_printf (ngettext ("%'u file not redone", "%'u files not redone", n), n);
  return g_strdup_printf (ngettext ("%'u file not undone", "%'u files not undone", n), n);
}

static void
show_stopped (Work *work)
{
  g_autofree char *text = dup_left (work);
  AdwToast *toast = gadget_toast_new (text);
  Work *rest = work_new (work->chat, work->session, work->turn_id, work->redo,
                         (const char *const *) work->paths, (const char *const *) work->anyway);

  adw_toast_set_button_label (toast, _ ("_Continue"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (continue_cb), rest,
                         work_unref_closure, G_CONNECT_DEFAULT);
  gadget_chat_add_toast (work->chat, toast);
}

static void
show_problems (Work *work)
{
  AdwDialog *dialog = adw_alert_dialog_new (
      work->redo ? _ ("Not Everything Was Redone") : _ ("Not Everything Was Undone"), NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;
  GtkWidget *list;

  for (guint i = 0; i < MIN (work->problems->len, 10); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                            (const char *) g_ptr_array_index (work->problems, i));
  if (work->problems->len > 10)
    g_string_append (text, "\n…");
  shown = gadget_bidi_escape (text->str);
  list = gtk_label_new (shown);
  gtk_label_set_wrap (GTK_LABEL (list), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (list), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (list), 0);
  gtk_label_set_selectable (GTK_LABEL (list), TRUE);
  gtk_widget_set_can_focus (list, FALSE);
  adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog), list);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"));
  adw_dialog_present (dialog, GTK_WIDGET (work->chat));
}

static void
report_failure (Work *work, const GError *error)
{
  g_autofree char *text = NULL;

  if (g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED)
      && (work->chat->session == work->session || work->chat->cover_toasts != NULL))
    {
      /* The files changed after the dialog was read; a new one shows what happened to each. */
      show_dialog (work->chat, work->session, work->turn_id, (const char *const *) work->paths);
      return;
    }
  text = gadget_error_labels_dup (
      work->redo ? _ ("Nothing was redone.") : _ ("Nothing was undone."), error);
  gadget_chat_show_toast (work->chat, text);
}

/* Adds the result of a run to @work. Returns FALSE, and reports the error, when nothing could be
 * done at all. */
static gboolean
add_report (Work *work, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = gadget_undo_run_finish (result, &error);

  clear_progress (work);
  if (report == NULL)
    {
      report_failure (work, error);
      return FALSE;
    }
  work->n_done += report->n_done;
  work->n_left = report->n_left;
  work->n_files_left = report->n_files_left;
  for (guint i = 0; i < report->problems->len; i++)
    g_ptr_array_add (work->problems, g_strdup (g_ptr_array_index (report->problems, i)));
  return TRUE;
}

static void
show_outcome (Work *work)
{
  if (work->problems->len > 0)
    show_problems (work);
  if (work->n_left > 0)
    show_stopped (work);
  else if (work->problems->len > 0)
    return;
  else if (work->n_done == 0)
    gadget_chat_show_toast (work->chat, work->redo ? _ ("Nothing was left to redo")
                                                   : _ ("Nothing was left to undo"));
  else
    show_done (work);
}

static void
replaced_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;

  if (add_report (work, result))
    show_outcome (work);
}

static void
stop_cb (Work *work)
{
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (work->chat->engine),
                                             gadget_session_get_id (work->session),
                                             gadget_run_get_id (work->run), GADGET_STOP_USER));
}

/* The run takes longer than LATE_MS: shows a toast with a Stop button. */
static void
late_cb (gpointer user_data)
{
  Work *work = user_data;

  work->late_id = 0;
  /* The window may have been closed meanwhile. */
  if (gtk_widget_get_root (GTK_WIDGET (work->chat)) == NULL)
    return;
  work->toast = gadget_toast_new (work->redo ? _ ("Redoing changes…") : _ ("Undoing changes…"));
  adw_toast_set_button_label (work->toast, _ ("_Stop"));
  adw_toast_set_timeout (work->toast, 0);
  g_signal_connect_swapped (work->toast, "button-clicked", G_CALLBACK (stop_cb), work);
  gadget_chat_add_toast (work->chat, g_object_ref (work->toast));
}

static void
apply (Work *work, char **paths, GadgetUndoPolicy policy, GAsyncReadyCallback callback)
{
  GadgetAgent *agent = gadget_engine_get_agent (work->chat->engine);

  work->run =
      gadget_undo_run_start (gadget_agent_get_registry (agent), get_snapshot_service (work->chat),
                             gadget_session_get_id (work->session), work->turn_id, work->redo,
                             (const char *const *) paths, policy, callback, work);
  g_signal_connect_swapped (work->run, "aborted", G_CALLBACK (clear_toast), work);
  work->late_id =
      gadget_clock_add_timeout (work->clock, LATE_MS, "[gadget] undo takes long", late_cb, work);
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;

  if (!add_report (work, result))
    return;
  if (work->anyway == NULL || work->n_left > 0)
    show_outcome (work);
  else
    {
      Work *rest = g_steal_pointer (&work);

      apply (rest, rest->anyway, GADGET_UNDO_OVERWRITE, replaced_cb);
    }
}

/* Begins to undo or redo; takes @work. Files that have changed since are refused, except those of
 * @anyway, which the user chose to overwrite. */
static void
start (Work *work)
{
  const char *obstacle = get_obstacle (work->chat, work->session);

  if (get_snapshot_service (work->chat) == NULL || obstacle != NULL)
    {
      if (obstacle != NULL)
        gadget_chat_show_toast (work->chat, obstacle);
      work_free (work);
    }
  else if (work->paths != NULL && *work->paths == NULL && work->anyway != NULL)
    apply (work, work->anyway, GADGET_UNDO_OVERWRITE, replaced_cb);
  else
    apply (work, work->paths, GADGET_UNDO_REFUSE, applied_cb);
}

/* --- Dialogs ---------------------------------------------------------------------------------- */

static void
chosen_cb (AdwDialog *dialog, gboolean redo, const char *const *paths, const char *const *anyway,
           GadgetChat *self)
{
  start (work_new (self, g_object_get_data (G_OBJECT (dialog), SESSION_KEY),
                   g_object_get_data (G_OBJECT (dialog), TURN_KEY), redo, paths, anyway));
}

static void
update_obstacle (GadgetUndoDialog *dialog)
{
  GadgetChat *self = g_object_get_data (G_OBJECT (dialog), CHAT_KEY);

  gadget_undo_dialog_set_obstacle (
      dialog, get_obstacle (self, g_object_get_data (G_OBJECT (dialog), SESSION_KEY)));
}

/* Closes the dialog about files of the chat: another chat, or another dialog, is about to be shown.
 */
void
_gadget_chat_close_files (GadgetChat *self)
{
  AdwDialog *dialog = self->files_dialog;

  g_clear_weak_pointer (&self->files_dialog);
  if (dialog != NULL)
    adw_dialog_force_close (dialog);
}

/* Presents a dialog about the chat that is shown, in the place of the one before; it is closed when
 * another chat is shown. */
static void
present (GadgetChat *self, AdwDialog *dialog)
{
  _gadget_chat_close_files (self);
  g_set_weak_pointer (&self->files_dialog, dialog);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
show_dialog (GadgetChat *self, GadgetSession *session, const char *turn_id, const char *const *only)
{
  GadgetSnapshotService *service = get_snapshot_service (self);
  GadgetRegistry *registry;
  AdwDialog *dialog;

  if (service == NULL)
    return;
  registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  dialog = gadget_undo_dialog_new (service, turn_id, gadget_session_get_workspace (session), only);
  g_object_set_data_full (G_OBJECT (dialog), TURN_KEY, g_strdup (turn_id), g_free);
  g_object_set_data_full (G_OBJECT (dialog), SESSION_KEY, g_object_ref (session), g_object_unref);
  g_object_set_data_full (G_OBJECT (dialog), CHAT_KEY, g_object_ref (self), g_object_unref);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (registry, "added", G_CALLBACK (update_obstacle), dialog,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (registry, "removed", G_CALLBACK (update_obstacle), dialog,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::active-run", G_CALLBACK (update_obstacle), dialog,
                           G_CONNECT_SWAPPED);
  update_obstacle (GADGET_UNDO_DIALOG (dialog));
  present (self, dialog);
}

/* --- Actions ---------------------------------------------------------------------------------- */

static void
undo_changes_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    show_dialog (self, self->session, g_variant_get_string (parameter, NULL), NULL);
}

static void
show_effects_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action_variant (widget, "win.turn-actions", parameter);
}

/* Undoes or redoes the one file that a call changed. */
static void
undo_call_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *turn_id, *call_turn_id, *call_id;
  GadgetTurnChanges *changes;
  gboolean redo, undone;
  g_auto (GStrv) paths = NULL;

  g_variant_get (parameter, "(&s&s&sb)", &turn_id, &call_turn_id, &call_id, &redo);
  changes = self->cache != NULL ? gadget_change_cache_get (self->cache, turn_id) : NULL;
  if (changes != NULL)
    paths = gadget_turn_changes_dup_call_paths (changes, call_turn_id, call_id, &undone);
  if (paths != NULL && self->session != NULL)
    start (work_new (self, self->session, turn_id, redo, (const char *const *) paths, NULL));
}

/* The data of a read before an undo. */
typedef struct
{
  Work *work;
  char *call_turn_id;
  char *call_id; /* (nullable) */
} CallUndo;

static void
call_undo_free (CallUndo *undo)
{
  g_clear_pointer (&undo->work, work_free);
  g_free (undo->call_turn_id);
  g_free (undo->call_id);
  g_free (undo);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CallUndo, call_undo_free)

static void
call_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CallUndo) undo = user_data;
  Work *work = undo->work;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);
  gboolean undone;

  if (work->chat->engine == NULL)
    return;
  if (changes == NULL)
    {
      report_failure (work, error);
      return;
    }
  if (undo->call_id != NULL)
    work->paths =
        gadget_turn_changes_dup_call_paths (changes, undo->call_turn_id, undo->call_id, &undone);
  if (work->paths != NULL)
    start (g_steal_pointer (&undo->work));
  else
    gadget_chat_show_toast (work->chat, _ ("This change cannot be undone by itself."));
}

void
gadget_chat_undo_call (GadgetChat *self, GadgetSession *session, const char *turn_id,
                       const char *call_turn_id, const char *call_id, gboolean redo)
{
  CallUndo *undo;

  g_return_if_fail (GADGET_IS_CHAT (self) && GADGET_IS_SESSION (session));
  g_return_if_fail (turn_id != NULL && call_turn_id != NULL);

  if (get_snapshot_service (self) == NULL)
    return;
  undo = g_new0 (CallUndo, 1);
  undo->work = work_new (self, session, turn_id, redo, NULL, NULL);
  undo->call_turn_id = g_strdup (call_turn_id);
  undo->call_id = g_strdup (call_id);
  gadget_turn_changes_read_async (get_snapshot_service (self), turn_id, call_read_cb, undo);
}

void
_gadget_chat_install_undo_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "session.undo-changes", "s", undo_changes_action);
  gtk_widget_class_install_action (widget_class, "session.undo-call", "(sssb)", undo_call_action);
  gtk_widget_class_install_action (widget_class, "session.show-effects", "s", show_effects_action);
}

/* Makes the change cache for the chat that is shown now; to be called before its transcript is
 * shown. */
void
_gadget_chat_renew_change_cache (GadgetChat *self)
{
  GadgetSnapshotService *service = get_snapshot_service (self);

  g_clear_object (&self->cache);
  if (service != NULL)
    self->cache = gadget_change_cache_new (service);
}
