/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request of another program for work. Its steps are: read the options; check that the folder
 * exists; find the session; read its turns; read the attachments; start the turn, or hand the text
 * to the turn that is going on. Options that change the chat take effect when the turn starts, so a
 * request that is refused changes nothing.
 *
 * A program that is not the user's gets a chat without a folder in which the user is asked about
 * each use of a tool; otherwise a program in a sandbox could do through the agent what it may not
 * do itself. For the same reason it may not name files, because Gadget would read them for it. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-start-request.h"

#include "gadget-control-interface.h"
#include "gadget-request-files.h"
#include "agent/gadget-attachment-loading.h"
#include "common/gadget-blocking.h"

#include <string.h>

/* Both limits are in bytes. */
#define MAX_RUN_ID 64
#define NO_FOLDER "is not the whole path of a folder"
#define MAX_TEXT (10 * 1024 * 1024)

/* The option "when": what to do if the chat is busy. */
typedef enum
{
  WHEN_QUEUE,
  WHEN_STEER,
  WHEN_REFUSE,
} When;

/* The task data of a request. */
typedef struct
{
  GadgetEngine *engine;
  char *session_id;
  GadgetSession *session; /* (nullable): NULL until it was found */
  GadgetPendingRequest *request;
  char *text;
  char *run_id;
  char *provider;
  char *model;
  char *workspace;
  GadgetApproval approval;
  gint64 deadline_ms; /* milliseconds left until the deadline; 0 for no deadline */
  When when;
  GPtrArray *files;       /* (nullable) (element-type GFile): files to attach */
  GPtrArray *attachments; /* (nullable) (element-type GadgetAttachment): the files as read */
  GadgetPictureFileFunc shrink;
  gint64 reading_since; /* monotonic time at which reading the attachments began */
} StartRequest;

void
gadget_start_result_free (GadgetStartResult *self)
{
  if (self == NULL)
    return;
  g_free (self->session);
  g_free (self->turn);
  g_free (self->run);
  g_free (self);
}

static void
start_request_free (gpointer data)
{
  StartRequest *self = data;

  gadget_pending_request_unref (self->request);
  if (self->session != NULL)
    gadget_engine_release_session (self->engine, self->session);
  g_clear_object (&self->engine);
  g_clear_object (&self->session);
  g_free (self->session_id);
  g_free (self->text);
  g_free (self->run_id);
  g_free (self->provider);
  g_free (self->model);
  g_free (self->workspace);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->attachments, g_ptr_array_unref);
  g_free (self);
}

static void
fail (GTask *task, GadgetControlError code, const char *message)
{
  g_task_return_new_error_literal (task, GADGET_CONTROL_ERROR, (int) code, message);
}

/* Returns FALSE after failing the request: a chat that is deleted, or whose deletion the user can
 * still undo, takes no messages. */
static gboolean
check_deletion (GTask *task)
{
  const StartRequest *self = g_task_get_task_data (task);

  if (gadget_session_get_deletion (self->session) == GADGET_DELETION_NONE)
    return TRUE;
  fail (task, GADGET_CONTROL_ERROR_NOT_FOUND, "The session was deleted");
  return FALSE;
}

/* --- Options --- */

static gboolean
invalid (GError **error, const char *format, const char *word)
{
  g_autofree char *text = g_strconcat ("Option \"", word, "\" ", format, NULL);

  g_set_error_literal (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_INVALID, text);
  return FALSE;
}

static gboolean
read_word (const char *name, const char *value, const char *const *words, int *place,
           GError **error)
{
  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], value))
      {
        *place = i;
        return TRUE;
      }
  return invalid (error, "has a value that is not known", name);
}

static gboolean
read_string (StartRequest *self, const char *name, const char *value, GError **error)
{
  static const char *const approvals[] = { "ask", "auto", "never", NULL };
  static const GadgetApproval approval[] = { GADGET_APPROVAL_ASK, GADGET_APPROVAL_AUTO,
                                             GADGET_APPROVAL_NEVER };
  static const char *const whens[] = { "queue", "steer", "refuse", NULL };
  int place = 0;

  if (g_str_equal (name, "provider"))
    g_set_str (&self->provider, value);
  else if (g_str_equal (name, "model"))
    g_set_str (&self->model, value);
  else if (g_str_equal (name, "run-id"))
    {
      if (*value == '\0' || strlen (value) > MAX_RUN_ID)
        return invalid (error, "is empty or too long", name);
      g_set_str (&self->run_id, value);
    }
  else if (g_str_equal (name, "workspace"))
    {
      if (!g_path_is_absolute (value))
        return invalid (error, NO_FOLDER, name);
      g_set_str (&self->workspace, value);
    }
  else if (g_str_equal (name, "approve"))
    {
      if (!read_word (name, value, approvals, &place, error))
        return FALSE;
      self->approval = approval[place];
    }
  else if (g_str_equal (name, "when"))
    {
      if (!read_word (name, value, whens, &place, error))
        return FALSE;
      self->when = (When) place;
    }
  else
    {
      return invalid (error, "is not known", name);
    }
  return TRUE;
}

static gboolean
read_option (StartRequest *self, const char *name, GVariant *value, GError **error)
{
  if (g_str_equal (name, "attachments"))
    {
      g_clear_pointer (&self->files, g_ptr_array_unref);
      self->files = _gadget_request_files_read (value, error);
      return self->files != NULL;
    }
  if (g_str_equal (name, "deadline"))
    {
      if (!g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)
          || g_variant_get_uint32 (value) > G_MAXUINT32 / 1000)
        return invalid (error, "is not a number of seconds (u)", name);
      self->deadline_ms = (gint64) g_variant_get_uint32 (value) * 1000;
      return TRUE;
    }
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return invalid (error, "is not a string", name);
  return read_string (self, name, g_variant_get_string (value, NULL), error);
}

static gboolean
read_options (StartRequest *self, GVariant *options, GError **error)
{
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value))
    {
      g_autoptr (GVariant) hold = value;

      if (!read_option (self, name, value, error))
        return FALSE;
    }
  if (self->provider != NULL
      && gadget_provider_list_find (gadget_engine_get_providers (self->engine), self->provider)
             == NULL)
    {
      g_set_error (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND,
                   "There is no provider \"%s\"", self->provider);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_trust (StartRequest *self, GError **error)
{
  if (self->files != NULL)
    {
      g_set_error_literal (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_ACCESS_DENIED,
                           "Only the user's own programs may have files read");
      return FALSE;
    }
  if (self->workspace != NULL || self->approval == GADGET_APPROVAL_AUTO)
    {
      g_set_error_literal (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_ACCESS_DENIED,
                           "Only the user's own programs may choose the folder or allow things");
      return FALSE;
    }
  if (self->approval == GADGET_APPROVAL_SESSION)
    self->approval = GADGET_APPROVAL_ASK;
  return TRUE;
}

/* --- The turn --- */

static void
answer (GTask *task, const char *turn_id, const char *run_id)
{
  const StartRequest *self = g_task_get_task_data (task);
  GadgetStartResult *started = g_new0 (GadgetStartResult, 1);

  started->session = g_strdup (gadget_session_get_id (self->session));
  started->turn = g_strdup (turn_id);
  started->run = g_strdup (run_id);
  g_task_return_pointer (task, started, (GDestroyNotify) gadget_start_result_free);
}

/* Returns why a chat in which a turn is going on cannot take the request, or NULL (static). */
static const char *
get_obstacle (const StartRequest *self)
{
  if (gadget_session_get_active_run (self->session) == NULL)
    return NULL;
  if (self->when == WHEN_REFUSE)
    return "The chat is busy: a turn is going on in it";
  if (self->provider != NULL || self->model != NULL || self->workspace != NULL
      || self->run_id != NULL || self->deadline_ms != 0
      || self->approval != GADGET_APPROVAL_SESSION)
    return "The chat is busy: a message that waits takes the chat's own options";
  return NULL;
}

/* Hands the message to a chat in which a turn is going on. */
static void
hand_over (GTask *task)
{
  StartRequest *self = g_task_get_task_data (task);
  GadgetTurn *turn = gadget_session_get_last_turn (self->session);
  g_autoptr (GadgetQueuedMessage) message = self->when == WHEN_STEER
                                                ? gadget_queued_message_new_steering (self->text)
                                                : gadget_queued_message_new (self->text);

  gadget_attachments_set (message, self->attachments);
  gadget_session_enqueue_message (self->session, message);
  gadget_engine_save (self->engine, self->session);
  if (self->when == WHEN_STEER)
    answer (task, gadget_turn_get_id (turn), gadget_session_get_active_run (self->session));
  else
    answer (task, "", "");
}

static void
start (GTask *task)
{
  StartRequest *self = g_task_get_task_data (task);
  const GadgetTurnOptions options = { .run_id = self->run_id,
                                      .approval = self->approval,
                                      .interactive = TRUE,
                                      .attachments = self->attachments,
                                      .provider = self->provider,
                                      .model = self->model,
                                      .workspace = self->workspace,
                                      .deadline_ms = (guint) self->deadline_ms };
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GError) error = NULL;

  if (get_obstacle (self) != NULL)
    {
      fail (task, GADGET_CONTROL_ERROR_BUSY, get_obstacle (self));
      return;
    }
  if (gadget_session_get_active_run (self->session) != NULL)
    {
      /* A request that was stopped must not follow the turn that the same stop ended. */
      if (self->request->stopped)
        fail (task, GADGET_CONTROL_ERROR_ABORTED,
              "It was stopped before it began: nothing was sent");
      else
        hand_over (task);
      return;
    }
  self->request->starting = TRUE;
  run = gadget_agent_start (agent, self->session, self->text, &options, &error);
  self->request->starting = FALSE;
  if (run == NULL && !check_deletion (task))
    return;
  if (run == NULL)
    {
      const gboolean busy =
          g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY)
          || g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);

      fail (task, busy ? GADGET_CONTROL_ERROR_BUSY : GADGET_CONTROL_ERROR_FAILED, error->message);
      return;
    }
  gadget_pending_request_end (self->request, gadget_run_get_id (run));
  if (self->request->stopped)
    {
      g_autoptr (GadgetAbortAck) ack =
          gadget_agent_abort (agent, NULL, gadget_run_get_id (run), GADGET_STOP_API);
    }
  if (self->provider != NULL || self->model != NULL || self->workspace != NULL)
    gadget_engine_save (self->engine, self->session);
  answer (task, gadget_run_get_turn_id (run), gadget_run_get_id (run));
}

/* --- Attachments --- */

static void
fail_stopped (GTask *task, gboolean too_late)
{
  fail (task, GADGET_CONTROL_ERROR_ABORTED,
        too_late ? "The deadline was over before the attachments were read: nothing was sent"
                 : "It was stopped before the attachments were read: nothing was sent");
}

static void
attached_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StartRequest *self = g_task_get_task_data (task);
  g_autoptr (GadgetRun) reading = g_steal_pointer (&self->request->reading);
  g_autoptr (GFile) failed = NULL;
  g_autoptr (GError) error = NULL;

  self->attachments = gadget_attachment_loading_finish (result, &failed, &error);
  if (gadget_run_is_aborted (reading))
    {
      fail_stopped (task, gadget_run_get_stop_reason (reading) == GADGET_STOP_DEADLINE);
      return;
    }
  if (self->attachments == NULL)
    {
      g_task_return_error (task, _gadget_request_files_explain (error, failed));
      return;
    }
  if (self->deadline_ms != 0)
    self->deadline_ms =
        MAX (self->deadline_ms - (g_get_monotonic_time () - self->reading_since) / 1000, 1);
  start (task);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StartRequest *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!check_deletion (task))
    return;
  if (!gadget_engine_load_finish (GADGET_ENGINE (source), result, &error))
    fail (task, GADGET_CONTROL_ERROR_FAILED, error->message);
  else if (self->files == NULL || self->files->len == 0)
    start (task);
  else if (get_obstacle (self) != NULL)
    fail (task, GADGET_CONTROL_ERROR_BUSY, get_obstacle (self));
  else if (self->request->stopped)
    fail_stopped (task, FALSE);
  else
    {
      self->reading_since = g_get_monotonic_time ();
      self->request->reading = gadget_attachment_loading_start (
          self->engine, self->session, self->files, self->shrink, (guint) self->deadline_ms,
          attached_cb, g_object_ref (task));
    }
}

/* @given: (transfer full) */
static void
find_session (GTask *given)
{
  g_autoptr (GTask) task = given;
  StartRequest *self = g_task_get_task_data (task);

  if (*self->session_id == '\0')
    self->session = gadget_engine_new_session (self->engine);
  else
    g_set_object (&self->session, gadget_engine_find_session (self->engine, self->session_id));
  if (self->session == NULL)
    {
      fail (task, GADGET_CONTROL_ERROR_NOT_FOUND, "There is no such session");
      return;
    }
  /* A session that is held is not deleted by other processes. */
  gadget_engine_hold_session (self->engine, self->session);
  if (check_deletion (task))
    gadget_engine_load_async (self->engine, self->session, loaded_cb, g_steal_pointer (&task));
}

/* Runs in a worker thread, because a network drive may hang. */
static gpointer
check_folder (GadgetBlocking *job, gpointer path, GCancellable *cancellable, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return GINT_TO_POINTER (TRUE);
  invalid (error, NO_FOLDER, "workspace");
  return NULL;
}

static void
folder_checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (((StartRequest *) g_task_get_task_data (task))->request->stopped)
    {
      gadget_blocking_run_finish (result, NULL);
      fail (task, GADGET_CONTROL_ERROR_ABORTED, "It was stopped before it began: nothing was sent");
    }
  else if (gadget_blocking_run_finish (result, &error) != NULL)
    find_session (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/**
 * gadget_start_request_async:
 * @session_id: "" for a new chat
 * @text: the user's message
 * @options: a{sv}, as the description of the interface says
 * @trusted: whether the program has the user's rights
 * @shrink: (nullable): see #GadgetAttachmentSource
 * @request: marked as over when the run starts; if it was stopped before, the run is aborted before
 *   it does anything
 *
 * Starts a run for another program.
 */
void
gadget_start_request_async (GadgetEngine *engine, const char *session_id, const char *text,
                            GVariant *options, gboolean trusted, GadgetPictureFileFunc shrink,
                            GadgetPendingRequest *request, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (engine, NULL, callback, user_data);
  StartRequest *self = g_new0 (StartRequest, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, gadget_start_request_async);
  g_task_set_task_data (task, self, start_request_free);
  self->engine = g_object_ref (engine);
  self->request = gadget_pending_request_ref (request);
  self->shrink = shrink;
  self->text = g_strstrip (g_strdup (text));
  self->approval = GADGET_APPROVAL_SESSION;
  if (*self->text == '\0' || strlen (self->text) > MAX_TEXT)
    {
      fail (task, GADGET_CONTROL_ERROR_INVALID, "The text is empty or too long");
      return;
    }
  if (!read_options (self, options, &error) || (!trusted && !check_trust (self, &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  self->session_id = g_strdup (session_id);
  if (self->workspace != NULL)
    gadget_blocking_run_async (NULL, check_folder, g_strdup (self->workspace), g_free, NULL,
                               folder_checked_cb, g_steal_pointer (&task));
  else
    find_session (g_steal_pointer (&task));
}

/**
 * gadget_start_request_finish:
 *
 * Returns: (transfer full): the run, which is registered, or the session that a message was queued
 *   for; or %NULL with a #GadgetControlError
 */
GadgetStartResult *
gadget_start_request_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
