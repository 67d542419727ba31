/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "shell". The output of a command exists twice, both bounded: the item's text, which the
 * user sees while the command runs, and the shorter result for the model. Of a long output both
 * keep the beginning and the end; the end is appended to the item when the command is over, since
 * the item's text only grows.
 *
 * After a stop the result is the output before it, without a remark about the stop: the history
 * adds that for every tool alike. */

#define G_LOG_DOMAIN "gadget-tool-shell"

#include "config.h"

#include "gadget-tool-shell.h"

#include "gadget-command-network.h"
#include "gadget-shell-labels.h"
#include "common/gadget-json.h"
#include "process/gadget-output-ring.h"
#include "process/gadget-process.h"
#include "common/gadget-path.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#define KIB 1024
/* The sizes of the beginning and the end of the output: shown to the user, and told to the
 * model. */
#define SHOWN_HEAD (192 * KIB)
#define SHOWN_TAIL (64 * KIB)
#define RESULT_HEAD (16 * KIB)
#define RESULT_TAIL (48 * KIB)
#define DEFAULT_TIMEOUT_SECONDS 600
#define MAX_TIMEOUT_SECONDS 86400

/* The data of the GTask. */
typedef struct
{
  char *command;
  char *title;     /* the command on one short line */
  char *workspace; /* (nullable) */
  guint timeout_seconds;
  gboolean network;
  gboolean terminal;
  GCancellable *cancellable;
  GadgetEffects *effects; /* (nullable) */
  gint64 effect;          /* its row in the ledger, or 0 */
  GadgetItem *item;       /* (nullable) */
  GadgetOutputRing *shown;
  GadgetOutputRing *told;
} Call;

static void
call_free (gpointer data)
{
  Call *self = data;

  g_free (self->command);
  g_free (self->title);
  g_free (self->workspace);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->effects);
  g_clear_object (&self->item);
  gadget_output_ring_free (self->shown);
  gadget_output_ring_free (self->told);
  g_free (self);
}

/* --- The result --------------------------------------------------------------------------------
 */

static char *
make_text (const Call *call, const GadgetProcessResult *ended)
{
  g_autofree char *output = gadget_output_ring_dup_text (call->told);
  GString *text = g_string_new (g_strchomp (output));

  _gadget_shell_append_remarks (text, call->timeout_seconds, ended);
  if (text->len == 0 && !ended->aborted)
    g_string_append (text, "[The command succeeded and wrote nothing.]");
  /* Without output the remarks are the whole text. */
  if (*text->str == '\n')
    g_string_erase (text, 0, 1);
  return g_string_free (text, FALSE);
}

static GadgetToolResult *
make_result (const Call *call, const GadgetProcessResult *ended)
{
  g_autofree char *text = make_text (call, ended);
  gboolean failed =
      ended->timed_out || (!ended->aborted && (ended->exit_status != 0 || ended->signal != 0));
  gboolean killed = ended->n_killed > 0 || ended->signal == SIGKILL;
  GadgetToolResult *result = gadget_tool_result_new (
      failed, text, _gadget_shell_make_summary (call->title, call->timeout_seconds, ended));

  result->outcome = g_strdup (!ended->confirmed ? "stopped-waiting" : killed ? "killed" : "ended");
  result->count = ended->n_terminated + ended->n_killed;
  result->cut = ended->aborted;
  return result;
}

/* --- Tool --------------------------------------------------------------------------------------
 */

static const GadgetToolParameter parameters[] = {
  { "command", GADGET_TOOL_STRING, TRUE, "A bash command line" },
  { "timeout_seconds", GADGET_TOOL_INTEGER, FALSE,
    "The command is ended after that long; 600 when not given", .least = 1,
    .most = MAX_TIMEOUT_SECONDS, .fallback = DEFAULT_TIMEOUT_SECONDS, .strict = TRUE },
  { "network", GADGET_TOOL_BOOLEAN, FALSE,
    "Asks the user for the network for this command; only where it cannot work without" },
  { "pty", GADGET_TOOL_BOOLEAN, FALSE,
    "Runs it on a terminal of 80 columns and 24 lines, on which nobody types" },
  { NULL },
};

static gboolean
is_confined (GadgetSandbox *sandbox)
{
  return gadget_sandbox_get_kind (sandbox) != GADGET_SANDBOX_NONE;
}

static const char *
get_description (GadgetSandbox *sandbox)
{
  if (!is_confined (sandbox))
    return "Runs a command with bash in the workspace folder and gives its output and exit status. "
           "Standard input is empty. Every process ends with the command.";
  return "Runs a command with bash in the workspace folder and gives its output and exit status. "
         "The sandbox lets it write to the workspace, /tmp and caches alone; there is no home "
         "folder but compilers and package managers in it, no network unless asked for and "
         "granted, and without one no Unix sockets but those of socketpair. Standard input is "
         "empty. Every process ends with the command.";
}

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *command = gadget_json_get_string (arguments, "command");
  g_autofree char *title = _gadget_shell_make_title (command != NULL ? command : "…");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_RUNNING, title, NULL);
}

/* Returns what having the network means. */
static const char *
describe_reach (GadgetSandbox *sandbox)
{
  if (gadget_sandbox_get_network_kind (sandbox) == GADGET_NETWORK_OWN)
    return _ ("It may send what it can read to any server, but reaches no service of this "
              "computer.");
  return _ ("It may send what it can read to any server, and reach services of this computer.");
}

/* The order is always the same: what it writes, what it reads, the network. */
static char *
make_detail (GadgetSandbox *sandbox, const char *workspace, gboolean network)
{
  const char *first;

  if (!is_confined (sandbox))
    return g_strdup (_ ("Writes whatever you may · reads whatever you may · network: any server"));
  if (workspace == NULL && !network)
    first = _ ("Writes in an empty folder of its own · reads system files · no network");
  else if (workspace == NULL)
    first = _ ("Writes in an empty folder of its own · reads system files · network: any server");
  else if (!network)
    first = _ ("Writes here · reads this folder, system files · no network");
  else
    first = _ ("Writes here · reads this folder, system files · network: any server");
  return network ? g_strconcat (first, "\n", describe_reach (sandbox), NULL) : g_strdup (first);
}

/* Adds the folders in which changes cannot be undone, on a line of their own. @detail is (transfer
 * full). */
static char *
add_skipped (char *detail, const char *skipped)
{
  g_auto (GStrv) folders = NULL;
  g_autofree char *list = NULL;
  g_autofree char *first = detail;
  g_autofree char *second = NULL;

  if (skipped == NULL)
    return g_steal_pointer (&first);
  folders = g_strsplit (skipped, "\n", -1);
  list = g_strjoinv (", ", folders);
  /* Translators: of a command; %s are folders */
  second = g_strdup_printf (_ ("What it changes in these folders is not recorded, and cannot be "
                               "undone: %s"),
                            list);
  return g_strconcat (first, "\n", second, NULL);
}

static void
add_warnings (GadgetSandbox *sandbox, GadgetPrompt *prompt, const char *command, gboolean network)
{
  if (!is_confined (sandbox))
    gadget_prompt_add_warning (prompt, _ ("It is not confined: it may do all that you may."));
  else if (network && !gadget_command_network_is_fixed (command))
    gadget_prompt_add_warning (prompt,
                               _ ("It uses the network, and may send what is in the folder."));
}

static gboolean
least_access (GadgetTool *tool, GadgetAccess *access)
{
  *access = (GadgetAccess) { .kind = GADGET_ACCESS_COMMAND,
                             .confined = is_confined (gadget_tool_get_data (tool)) };
  return TRUE;
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  GadgetSandbox *sandbox = gadget_tool_get_data (tool);
  const char *text = gadget_json_get_string (arguments, "command");
  const char *command = text != NULL ? text : "";
  const gboolean confined = is_confined (sandbox);
  const gboolean network = gadget_json_get_flag (arguments, "network");
  const char *skipped =
      context->effects != NULL ? gadget_effects_get_skipped (context->effects) : NULL;
  g_autofree char *unkept =
      context->effects != NULL ? gadget_effects_dup_unkept (context->effects) : NULL;
  g_autofree char *detail =
      add_skipped (make_detail (sandbox, context->workspace, network), skipped);
  g_autofree char *place =
      context->workspace != NULL ? gadget_path_dup_short (context->workspace) : g_strdup ("/");
  const GadgetCallSummaryKind question = network && confined
                                             ? GADGET_CALL_SUMMARY_ASK_COMMAND_NETWORK
                                             : GADGET_CALL_SUMMARY_ASK_COMMAND;
  GadgetPrompt *prompt = gadget_prompt_new_permission_for (
      "shell", gadget_call_summary_new (question, "", NULL), command, detail);

  if (context->workspace != NULL || !confined)
    gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, place);
  add_warnings (sandbox, prompt, command, network);
  if (unkept != NULL)
    gadget_prompt_add_warning (prompt, unkept);
  gadget_prompt_add_access (prompt, GADGET_ACCESS_COMMAND, command, confined);
  if (network)
    gadget_prompt_add_access (prompt, GADGET_ACCESS_NETWORK, command, FALSE);
  return prompt;
}

static void
output_cb (const char *text, gsize length, gpointer user_data)
{
  Call *call = user_data;
  gsize n_shown = gadget_output_ring_append (call->shown, text, length);

  gadget_output_ring_append (call->told, text, length);
  if (call->item != NULL && n_shown > 0)
    gadget_item_append_text (call->item, text, (gssize) n_shown);
}

static void
show_tail (Call *call)
{
  guint64 n_left_out;
  g_autofree char *tail = gadget_output_ring_dup_tail (call->shown, &n_left_out);

  if (call->item == NULL || *tail == '\0')
    return;
  if (n_left_out > 0)
    {
      g_autoptr (GadgetCallSummary) note = gadget_call_summary_new_with_numbers (
          GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN, "", (gint64) n_left_out, 0);

      gadget_item_append_text (call->item, "\n", -1);
      gadget_item_append_note (call->item, note);
      gadget_item_append_text (call->item, "\n", -1);
    }
  gadget_item_append_text (call->item, tail, -1);
}

/* Closes the row in the ledger with the outcome. */
static void
close_row (Call *call, const GadgetProcessResult *ended)
{
  g_autofree char *outcome = NULL;

  if (call->effect == 0)
    return;
  if (ended == NULL && !g_cancellable_is_cancelled (call->cancellable))
    outcome = g_strdup ("failed");
  else if (ended == NULL || ended->aborted)
    outcome = g_strdup ("aborted");
  else if (ended->timed_out)
    outcome = g_strdup ("time-limit");
  else if (ended->signal != 0)
    outcome = g_strdup_printf ("signal %d", ended->signal);
  else
    outcome = g_strdup_printf ("exit %d", ended->exit_status);
  gadget_effects_end (call->effects, call->effect, outcome);
}

/* Makes sure that what is appended next begins a line. */
static void
begin_line (Call *call)
{
  const char *text = gadget_item_get_text (call->item);

  if (text != NULL && *text != '\0' && !g_str_has_suffix (text, "\n"))
    gadget_item_append_text (call->item, "\n", -1);
}

static void
show_note (Call *call, GadgetCallSummaryKind kind, const char *subject)
{
  g_autoptr (GadgetCallSummary) note = gadget_call_summary_new (kind, subject, NULL);

  begin_line (call);
  gadget_item_append_note (call->item, note);
  gadget_item_append_text (call->item, "\n", -1);
}

/* The user is told as well as the model: it may be what the user wanted. */
static void
show_git (Call *call, const GadgetProcessResult *ended)
{
  if (*ended->disarmed != '\0')
    show_note (call, GADGET_CALL_SUMMARY_NOTE_DISARMED, ended->disarmed);
  if (ended->unchecked)
    show_note (call, GADGET_CALL_SUMMARY_NOTE_UNCHECKED, "");
}

/* Shown before the output, to the user only. */
static void
show_warning (Call *call)
{
  g_autoptr (GadgetCallSummary) warning = gadget_effects_dup_warning (call->effects, call->effect);
  g_autofree char *words = NULL;

  if (warning == NULL || call->item == NULL)
    return;
  words = gadget_call_summary_dup_plain_text (warning);
  begin_line (call);
  gadget_item_append_text (call->item, "[", -1);
  gadget_item_append_note (call->item, warning);
  gadget_item_append_text (call->item, "]\n", -1);
  gadget_item_warn (call->item, words);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  show_tail (call);
  close_row (call, ended);
  if (ended != NULL && call->item != NULL)
    show_git (call, ended);
  if (ended == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (!ended->confirmed)
    g_warning ("a command did not end within its time after the stop");
  g_task_return_pointer (task, make_result (call, ended), gadget_tool_result_free);
}

/* Flatpak's portal shows some folders, especially those of the document portal, as empty folders
 * that cannot be written to; without this check the command would fail without an explanation. */
static const char flatpak_check[] =
    "test -w . || { echo 'Flatpak cannot show this folder to commands. The user can give Gadget "
    "the "
    "folder itself: flatpak override --user --filesystem=FOLDER " APPLICATION_ID "'; exit 126; }; "
    "exec bash -c \"$1\"";

static gboolean
is_flatpak (GadgetSandbox *sandbox)
{
  return gadget_sandbox_get_kind (sandbox) == GADGET_SANDBOX_FLATPAK;
}

static void
start (GTask *task)
{
  GadgetSandbox *sandbox = gadget_tool_get_data (g_task_get_source_object (task));
  Call *call = g_task_get_task_data (task);
  const gboolean checked = call->workspace != NULL && is_flatpak (sandbox);
  const char *plain[] = { "bash", "-c", call->command, NULL };
  const char *careful[] = { "bash", "-c", flatpak_check, "bash", call->command, NULL };
  GadgetProcessSpec spec = {
    .argv = checked ? careful : plain,
    .workspace = call->workspace,
    .sandbox = sandbox,
    .time_limit_ms = call->timeout_seconds * 1000,
    .network = call->network,
    .terminal = call->terminal,
    .output = output_cb,
    .output_data = call,
  };

  gadget_process_run_async (&spec, call->cancellable, ended_cb, task);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;

  call->effect = gadget_effects_begin_finish (GADGET_EFFECTS (source), result, &error);
  if (call->effect == 0)
    {
      g_task_return_error (task, error);
      return;
    }
  show_warning (call);
  start (g_steal_pointer (&task));
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  /* The GTask gets no cancellable: a stopped command still returns a result: its output. */
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  const char *command = gadget_json_get_string (arguments, "command");
  Call *call;

  g_task_set_source_tag (task, execute_async);
  g_task_set_static_name (task, "gadget-tool-shell");
  if (*command == '\0')
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                                       "\"command\" must be a command line.");
      return;
    }

  call = g_new0 (Call, 1);
  call->command = g_strdup (command);
  call->title = _gadget_shell_make_title (command);
  call->workspace = g_strdup (context->workspace);
  g_set_object (&call->cancellable, cancellable);
  g_set_object (&call->effects, context->effects);
  call->timeout_seconds =
      (guint) gadget_tool_arguments_get_integer (arguments, parameters, "timeout_seconds");
  call->network = gadget_json_get_flag (arguments, "network");
  call->terminal = gadget_json_get_flag (arguments, "pty");
  call->item = context->item != NULL ? g_object_ref (context->item) : NULL;
  call->shown = gadget_output_ring_new (SHOWN_HEAD, SHOWN_TAIL);
  call->told = gadget_output_ring_new (RESULT_HEAD, RESULT_TAIL);
  g_task_set_task_data (task, call, call_free);

  if (call->effects == NULL)
    start (g_steal_pointer (&task));
  else
    gadget_effects_begin_command_async (
        call->effects, call->item != NULL ? gadget_item_get_call_id (call->item) : NULL, command,
        call->workspace, call->network || !is_confined (gadget_tool_get_data (tool)), cancellable,
        recorded_cb, g_steal_pointer (&task));
}

static const GadgetToolDescriptor descriptor = {
  .name = "shell",
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_PROCESS,
  .describe = describe,
  .least_access = least_access,
  .permission = permission,
  .execute_async = execute_async,
};

/**
 * gadget_tool_shell_new:
 * @sandbox: every command runs in it
 *
 * Returns: (transfer full): the tool
 */
GadgetTool *
gadget_tool_shell_new (GadgetSandbox *sandbox)
{
  GadgetTool *self;

  g_return_val_if_fail (GADGET_IS_SANDBOX (sandbox), NULL);

  self = gadget_tool_new (&descriptor, g_object_ref (sandbox), g_object_unref);
  gadget_tool_set_description (self, get_description (sandbox));
  return self;
}
