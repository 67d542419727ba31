/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a call is decided:
 *
 *   needs nothing ──────────────────────────────────────────────▶ allowed
 *   mode is Read Only, and it is more than reading the folder ──▶ refused
 *        │ the rules are read again (another process may have revoked one), links are followed
 *        ▼
 *   a rule denies it ───────────────────────────────────────────▶ denied
 *   each access is allowed by a rule or by the mode ────────────▶ allowed
 *   nobody may be asked ────────────────────────────────────────▶ refused
 *        │ the prompt is completed (the change to show is computed), and all is decided again
 *        │ the prompt is set on the item
 *        ▼
 *   the user answers, or changes the mode, or answers another prompt with a rule that covers it
 *
 * A prompt is answered by gadget_prompt_answer () only, which the window, the terminal and the bus
 * call; this file calls it for a prompt that a new rule or mode has decided meanwhile. What a model
 * writes, and what a tool returns, cannot reach it. */

#define G_LOG_DOMAIN "gadget-policy"

#include "config.h"

#include "gadget-policy.h"

#include "common/gadget-bidi.h"
#include "gadget-real-path.h"
#include "gadget-rule-labels.h"
#include "gadget-rule-match.h"
#include "common/gadget-secret-places.h"
#include "common/gadget-pending.h"
#include "common/gadget-visible.h"

#include <glib/gi18n-lib.h>

struct _GadgetPolicy
{
  GObject parent_instance;

  GadgetPermissionRules *rules;
  GPtrArray *waiting; /* of GTask, owned by their waits: checks whose prompts are open */
};

G_DEFINE_QUARK (gadget-permission-error-quark, gadget_permission_error)
G_DEFINE_FINAL_TYPE (GadgetPolicy, gadget_policy, G_TYPE_OBJECT)

/* The data of a check's GTask. */
typedef struct
{
  GadgetSession *chat;
  GadgetApproval approval;
  gboolean interactive;
  GadgetItem *item;
  GadgetPrompt *prompt;
  GCancellable *cancellable; /* (nullable) */
  GadgetPending *reading;    /* of rules and paths, which may take long */
  guint n_reading;
  gboolean rules_known; /* the rules could be read */
  char **real_paths;    /* (nullable): one per access, "" for none */
  gulong mode_changed;
  gboolean prepared;          /* the prompt is complete */
  GPtrArray *offered;         /* (nullable): of GadgetRulePattern: what answers may allow */
  GPtrArray *refused;         /* (nullable): of GadgetRulePattern: what answers may deny */
  GadgetPermissionError code; /* the reason when this file answers the prompt with no */
} Check;

/* The decision of rules and mode about a call. */
typedef enum
{
  DECISION_ALLOW,
  DECISION_DENY,
  DECISION_REFUSE,
  DECISION_ASK,
} Decision;

static void
check_free (gpointer data)
{
  Check *check = data;

  g_clear_pointer (&check->reading, gadget_pending_free);
  g_clear_signal_handler (&check->mode_changed, check->chat);
  g_clear_object (&check->chat);
  g_clear_object (&check->item);
  g_clear_object (&check->prompt);
  g_clear_object (&check->cancellable);
  g_clear_pointer (&check->offered, g_ptr_array_unref);
  g_clear_pointer (&check->refused, g_ptr_array_unref);
  g_strfreev (check->real_paths);
  g_free (check);
}

static void
gadget_policy_dispose (GObject *object)
{
  GadgetPolicy *self = GADGET_POLICY (object);

  g_clear_object (&self->rules);

  G_OBJECT_CLASS (gadget_policy_parent_class)->dispose (object);
}

static void
gadget_policy_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_POLICY (object)->waiting);

  G_OBJECT_CLASS (gadget_policy_parent_class)->finalize (object);
}

static void
gadget_policy_class_init (GadgetPolicyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_policy_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_policy_finalize;
}

static void
gadget_policy_init (GadgetPolicy *self)
{
  self->waiting = g_ptr_array_new ();
}

/* --- Deciding --------------------------------------------------------------------------------- */

static GadgetMode
get_mode (GadgetSession *chat, GadgetApproval approval)
{
  switch (approval)
    {
    case GADGET_APPROVAL_ASK:
      return GADGET_MODE_ASK;
    case GADGET_APPROVAL_AUTO:
      return GADGET_MODE_SANDBOX;
    case GADGET_APPROVAL_NEVER:
      return GADGET_MODE_READ_ONLY;
    case GADGET_APPROVAL_SESSION:
    default:
      return gadget_session_get_mode (chat);
    }
}

static gboolean
mode_allows (GadgetMode mode, const GadgetAccess *access)
{
  switch (mode)
    {
    case GADGET_MODE_READ_ONLY:
      return access->confined && access->kind == GADGET_ACCESS_READ;
    case GADGET_MODE_ACCEPT_EDITS:
      return access->confined
             && (access->kind == GADGET_ACCESS_READ || access->kind == GADGET_ACCESS_WRITE);
    case GADGET_MODE_SANDBOX:
      return access->confined;
    case GADGET_MODE_ASK:
    default:
      return FALSE;
    }
}

/* Read Only has no exceptions: no rule opens it. Instructions change nothing. */
static gboolean
read_only_refuses (const Check *check)
{
  if (get_mode (check->chat, check->approval) != GADGET_MODE_READ_ONLY)
    return FALSE;
  for (guint i = 0; i < gadget_prompt_get_n_accesses (check->prompt); i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (check->prompt, i);

      if (access->kind != GADGET_ACCESS_INSTRUCTIONS
          && !mode_allows (GADGET_MODE_READ_ONLY, access))
        return TRUE;
    }
  return gadget_prompt_get_n_accesses (check->prompt) == 0;
}

static void settle_fingerprints (GadgetPolicy *self, const Check *check, GPtrArray *used);

static Decision
decide (GadgetPolicy *self, const Check *check)
{
  const GadgetMode mode = get_mode (check->chat, check->approval);
  const guint n = gadget_prompt_get_n_accesses (check->prompt);
  g_autoptr (GPtrArray) used = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) rules = gadget_permission_rules_list (
      self->rules, gadget_session_get_id (check->chat), gadget_session_get_workspace (check->chat));
  gboolean allowed = n > 0;
  gboolean denied = FALSE;

  if (read_only_refuses (check))
    return DECISION_REFUSE;
  for (guint i = 0; i < n; i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (check->prompt, i);
      const char *real =
          check->real_paths != NULL && *check->real_paths[i] != '\0' ? check->real_paths[i] : NULL;
      const GadgetVerdict verdict =
          gadget_rule_match (rules, gadget_prompt_get_tool (check->prompt), access, real, used);

      denied = denied || verdict == GADGET_VERDICT_DENY;
      /* Rules that may have been revoked meanwhile allow nothing. */
      allowed = allowed
                && ((verdict == GADGET_VERDICT_ALLOW && check->rules_known)
                    || (verdict != GADGET_VERDICT_UNSURE && mode_allows (mode, access)));
    }
  if (!allowed && !denied)
    return DECISION_ASK;
  for (guint i = 0; i < used->len; i++)
    gadget_permission_rules_note_used (self->rules, g_ptr_array_index (used, i));
  if (!denied)
    settle_fingerprints (self, check, used);
  return denied ? DECISION_DENY : DECISION_ALLOW;
}

/* --- Returning -------------------------------------------------------------------------------- */

static void
return_no (GTask *task, GadgetPermissionError code, const char *note)
{
  static const char *const messages[] = {
    [GADGET_PERMISSION_ERROR_DENIED] = "The user did not allow this call.",
    [GADGET_PERMISSION_ERROR_REFUSED] = "Calls like this are not allowed in this chat.",
    [GADGET_PERMISSION_ERROR_NOBODY] =
        "This call needs the user's permission, and nobody is there to answer.",
  };

  if (note != NULL && *note != '\0')
    g_task_return_new_error (task, GADGET_PERMISSION_ERROR, (int) code,
                             "The user did not allow this call, and says: %s", note);
  else
    g_task_return_new_error_literal (task, GADGET_PERMISSION_ERROR, (int) code, messages[code]);
}

static void
return_denied_by_rule (GTask *task)
{
  g_task_return_new_error_literal (task, GADGET_PERMISSION_ERROR, GADGET_PERMISSION_ERROR_DENIED,
                                   "The user does not allow calls like this one; do not try it "
                                   "in another way.");
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* A completed prompt is decided once more. */
static void settle (GTask *task);

static void
add_choice (Check *check, GPtrArray *patterns, GadgetRuleScope scope, gboolean deny)
{
  static const char *const answers[2][3] = {
    { GADGET_PROMPT_ALLOW_SESSION, GADGET_PROMPT_ALLOW_WORKSPACE, GADGET_PROMPT_ALLOW_ALWAYS },
    { GADGET_PROMPT_DENY_SESSION, GADGET_PROMPT_DENY_WORKSPACE, GADGET_PROMPT_DENY_ALWAYS }
  };
  g_autofree char *label = gadget_rule_labels_dup_offer (patterns, scope, deny);

  gadget_prompt_add_choice (check->prompt, answers[deny ? 1 : 0][scope], label);
}

/* Returns whether keys or passwords are kept at the path, by its name or by the place that it leads
 * to. */
static gboolean
is_secret (const Check *check, guint position)
{
  const GadgetAccess *access = gadget_prompt_get_access (check->prompt, position);
  const char *real = check->real_paths != NULL ? check->real_paths[position] : "";

  if (access->kind != GADGET_ACCESS_READ && access->kind != GADGET_ACCESS_WRITE)
    return FALSE;
  if (gadget_secret_file_is_named (access->subject))
    return TRUE;
  /* The chat's folder may well be one of the user's settings folders. */
  return !access->confined
         && (gadget_secret_folder_concerns (access->subject)
             || (*real != '\0'
                 && (gadget_secret_file_is_named (real) || gadget_secret_folder_concerns (real))));
}

/* Returns whether the body contains unacceptable characters. In commands and arguments that is any
 * invisible one, and in instructions too, which a model reads with what is hidden in them. In other
 * files, emoji and some scripts need such characters, so only those count that show text in another
 * order than it has. */
static gboolean
hides_text (GadgetPrompt *prompt)
{
  const GadgetPromptBody kind = gadget_prompt_get_body_kind (prompt);
  const char *body = gadget_prompt_get_body (prompt);
  const gboolean is_for_model =
      gadget_prompt_get_n_accesses (prompt) > 0
      && gadget_prompt_get_access (prompt, 0)->kind == GADGET_ACCESS_INSTRUCTIONS;

  if (body == NULL)
    return FALSE;
  if (is_for_model || kind == GADGET_PROMPT_BODY_PLAIN || kind == GADGET_PROMPT_BODY_ARGUMENTS)
    return !gadget_visible_is_plain (body);
  return !gadget_bidi_is_plain (body);
}

static void
warn_of_characters (Check *check)
{
  if (hides_text (check->prompt))
    gadget_prompt_add_warning (check->prompt,
                               _ ("It has characters that cannot be seen or that reorder text."));
}

static void
warn_of_secrets (Check *check)
{
  for (guint i = 0; i < gadget_prompt_get_n_accesses (check->prompt); i++)
    if (is_secret (check, i))
      {
        gadget_prompt_add_warning (check->prompt, _ ("Keys and passwords are kept there."));
        gadget_prompt_set_text (check->prompt, GADGET_PROMPT_ONCE,
                                _ ("Only once: keys and passwords are kept there."));
        return;
      }
}

static void
note_undo (Check *check)
{
  if (!gadget_session_get_incognito (check->chat))
    return;
  for (guint i = 0; i < gadget_prompt_get_n_accesses (check->prompt); i++)
    switch (gadget_prompt_get_access (check->prompt, i)->kind)
      {
      case GADGET_ACCESS_WRITE:
      case GADGET_ACCESS_COMMAND:
        gadget_prompt_set_text (
            check->prompt, GADGET_PROMPT_UNDO,
            _ ("What this changes cannot be undone, because this chat is not stored."));
        return;
      case GADGET_ACCESS_READ:
      case GADGET_ACCESS_HOST:
      case GADGET_ACCESS_NETWORK:
      case GADGET_ACCESS_MCP:
      case GADGET_ACCESS_INSTRUCTIONS:
      default:
        break;
      }
}

/* What is allowed or denied in an incognito chat is for that chat alone, and not stored either. */
static void
add_choices (Check *check)
{
  const char *workspace = gadget_session_get_workspace (check->chat);
  const gboolean incognito = gadget_session_get_incognito (check->chat);
  const GadgetRuleScope wide = incognito           ? GADGET_RULE_SESSION
                               : workspace != NULL ? GADGET_RULE_WORKSPACE
                                                   : GADGET_RULE_ALWAYS;
  gboolean lasting;

  if (gadget_prompt_get_text (check->prompt, GADGET_PROMPT_ONCE) == NULL)
    check->offered = gadget_rule_derive (check->prompt, workspace, &lasting);
  check->refused = gadget_rule_derive_denial (check->prompt);
  if (check->offered != NULL)
    {
      g_autofree char *rule_text = gadget_rule_labels_dup_rules (check->offered);

      gadget_prompt_set_rule_text (check->prompt, rule_text);
      add_choice (check, check->offered, GADGET_RULE_SESSION, FALSE);
    }
  else if (gadget_prompt_get_text (check->prompt, GADGET_PROMPT_ONCE) == NULL)
    gadget_prompt_set_text (check->prompt, GADGET_PROMPT_ONCE,
                            gadget_rule_labels_get_once (check->prompt));
  if (check->offered != NULL && lasting && !incognito)
    add_choice (check, check->offered, wide, FALSE);
  if (check->refused != NULL)
    add_choice (check, check->refused, wide, TRUE);
}

static gboolean
split_answer (const char *answer, gboolean *deny, GadgetRuleScope *scope)
{
  *deny = g_str_has_prefix (answer, GADGET_PROMPT_DENY);
  if (g_str_has_suffix (answer, "-session"))
    *scope = GADGET_RULE_SESSION;
  else if (g_str_has_suffix (answer, "-workspace"))
    *scope = GADGET_RULE_WORKSPACE;
  else if (g_str_has_suffix (answer, "-always"))
    *scope = GADGET_RULE_ALWAYS;
  else
    return FALSE;
  return TRUE;
}

static void
make_rules (GadgetPolicy *self, const Check *check, const char *answer)
{
  GadgetRuleScope scope;
  gboolean deny;
  const GPtrArray *patterns;
  g_autofree char *origin = NULL;

  if (!split_answer (answer, &deny, &scope))
    return;
  patterns = deny ? check->refused : check->offered;
  origin = gadget_rule_labels_dup_origin (check->prompt);
  for (guint i = 0; i < patterns->len; i++)
    {
      const GadgetRulePattern *pattern = g_ptr_array_index (patterns, i);
      const GadgetRuleData data = {
        .kind = pattern->kind,
        .subject = pattern->subject,
        .exact = pattern->exact,
        .deny = deny,
        .unconfined = pattern->unconfined,
        .scope = scope,
        .session = scope == GADGET_RULE_SESSION ? gadget_session_get_id (check->chat) : NULL,
        .workspace =
            scope == GADGET_RULE_WORKSPACE ? gadget_session_get_workspace (check->chat) : NULL,
        .fingerprint = pattern->fingerprint,
        .origin = origin,
      };
      g_autoptr (GadgetRule) rule = gadget_rule_new (&data);

      gadget_permission_rules_replace (self->rules, rule,
                                       !gadget_session_get_incognito (check->chat));
    }
}

/* A rule that the user wrote down for an MCP tool and that was never used has no fingerprint. It is
 * bound to the tool that it meets first. */
static void
settle_fingerprints (GadgetPolicy *self, const Check *check, GPtrArray *used)
{
  for (guint i = 0; i < used->len; i++)
    {
      GadgetRuleData data = *gadget_rule_get_data (g_ptr_array_index (used, i));
      g_autoptr (GadgetRule) rule = NULL;

      if (data.kind != GADGET_RULE_MCP || !data.exact || data.deny || data.fingerprint != NULL)
        continue;
      for (guint k = 0; k < gadget_prompt_get_n_accesses (check->prompt); k++)
        {
          const GadgetAccess *access = gadget_prompt_get_access (check->prompt, k);

          if (g_str_equal (access->subject, data.subject))
            data.fingerprint = access->fingerprint;
        }
      if (data.fingerprint == NULL)
        continue;
      data.id = NULL;
      rule = gadget_rule_new (&data);
      gadget_permission_rules_replace (
          self->rules, rule, data.session == NULL || !gadget_session_get_incognito (check->chat));
    }
}

static void
warn_of_changes (GadgetPolicy *self, Check *check)
{
  g_autoptr (GPtrArray) rules = gadget_permission_rules_list (
      self->rules, gadget_session_get_id (check->chat), gadget_session_get_workspace (check->chat));

  for (guint i = 0; i < gadget_prompt_get_n_accesses (check->prompt); i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (check->prompt, i);

      if (!gadget_rule_match_changed (rules, access))
        continue;
      gadget_prompt_add_warning (
          check->prompt,
          access->kind == GADGET_ACCESS_MCP
              ? _ ("The server has changed this tool since you allowed it: read what it says now.")
              : _ ("The file has changed since you allowed it: read what it says now."));
      return;
    }
}

/* Called when rules or a mode have changed: prompts that wait may be decided by now. */
static void
reconsider (GadgetPolicy *self)
{
  /* A copy is needed, since an answer removes its check from the list. */
  g_autoptr (GPtrArray) waiting = g_ptr_array_copy (self->waiting, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_free_func (waiting, g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    {
      Check *check = g_task_get_task_data (g_ptr_array_index (waiting, i));
      const Decision decision =
          gadget_prompt_is_open (check->prompt) ? decide (self, check) : DECISION_ASK;

      if (decision == DECISION_ASK)
        continue;
      /* A rule or a mode decides, and not a user who saw exactly this change. */
      gadget_prompt_set_text (check->prompt, GADGET_PROMPT_DIGEST, NULL);
      if (decision == DECISION_REFUSE)
        check->code = GADGET_PERMISSION_ERROR_REFUSED;
      gadget_prompt_answer (check->prompt,
                            decision == DECISION_ALLOW ? GADGET_PROMPT_ALLOW : GADGET_PROMPT_DENY);
    }
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetPolicy *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, &error);

  g_ptr_array_remove (self->waiting, task);
  g_clear_signal_handler (&check->mode_changed, check->chat);
  gadget_item_set_prompt (check->item, NULL);
  if (answer == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  make_rules (self, check, answer);
  if (g_str_has_prefix (answer, GADGET_PROMPT_ALLOW))
    g_task_return_boolean (task, TRUE);
  else
    return_no (task, check->code, gadget_prompt_get_note (check->prompt));
}

static void
ask (GTask *task)
{
  GadgetPolicy *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);

  check->code = GADGET_PERMISSION_ERROR_DENIED;
  warn_of_characters (check);
  warn_of_secrets (check);
  warn_of_changes (self, check);
  note_undo (check);
  add_choices (check);
  g_ptr_array_add (self->waiting, task);
  check->mode_changed =
      g_signal_connect_swapped (check->chat, "notify::mode", G_CALLBACK (reconsider), self);
  /* The wait must hold the task before the prompt is set, since a handler may answer at once. */
  gadget_prompt_wait_async (check->prompt, check->cancellable, answered_cb, g_object_ref (task));
  gadget_item_set_prompt (check->item, check->prompt);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Check *check = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_prompt_prepare_finish (GADGET_PROMPT (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  check->prepared = TRUE;
  settle (task);
}

static void
ask_or_refuse (GTask *task)
{
  Check *check = g_task_get_task_data (task);

  if (check->approval == GADGET_APPROVAL_AUTO || check->approval == GADGET_APPROVAL_NEVER)
    return_no (task, GADGET_PERMISSION_ERROR_REFUSED, NULL);
  else if (!check->interactive)
    return_no (task, GADGET_PERMISSION_ERROR_NOBODY, NULL);
  else if (!check->prepared)
    gadget_prompt_prepare_async (check->prompt, check->cancellable, prepared_cb,
                                 g_object_ref (task));
  else
    ask (task);
}

/* Decides by what is known now. This may happen twice, since rules change while a prompt is being
 * completed. */
static void
settle (GTask *task)
{
  Check *check = g_task_get_task_data (task);

  if (g_cancellable_is_cancelled (check->cancellable))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "dismissed");
      return;
    }
  switch (decide (g_task_get_source_object (task), check))
    {
    case DECISION_ALLOW:
      gadget_prompt_set_text (check->prompt, GADGET_PROMPT_DIGEST, NULL);
      g_task_return_boolean (task, TRUE);
      break;
    case DECISION_DENY:
      return_denied_by_rule (task);
      break;
    case DECISION_REFUSE:
      return_no (task, GADGET_PERMISSION_ERROR_REFUSED, NULL);
      break;
    case DECISION_ASK:
    default:
      ask_or_refuse (task);
    }
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void
one_read (Check *check)
{
  g_autoptr (GTask) task = --check->n_reading == 0 ? gadget_pending_take (check->reading) : NULL;

  if (task != NULL)
    settle (task);
}

static void
rules_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Check *check = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  check->rules_known =
      gadget_permission_rules_refresh_finish (GADGET_PERMISSION_RULES (source), result, &error);
  if (!check->rules_known)
    g_message ("the rules cannot be read, so that none allows anything: %s", error->message);
  one_read (check);
}

static void
paths_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Check *check = g_task_get_task_data (task);

  check->real_paths = gadget_real_paths_finish (result, NULL);
  one_read (check);
}

/* Only paths outside of the workspace are followed: within it links do not lead out. */
static char **
list_paths (const Check *check)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < gadget_prompt_get_n_accesses (check->prompt); i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (check->prompt, i);
      const gboolean follow =
          !access->confined
          && (access->kind == GADGET_ACCESS_READ || access->kind == GADGET_ACCESS_WRITE)
          && g_path_is_absolute (access->subject);

      any = any || follow;
      g_strv_builder_add (paths, follow ? access->subject : "/");
    }
  return any ? g_strv_builder_end (paths) : NULL;
}

static void
start_reading (GTask *task)
{
  GadgetPolicy *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);
  g_auto (GStrv) paths = list_paths (check);

  check->reading = gadget_pending_new (g_object_ref (task), check->cancellable, NULL, NULL);
  check->n_reading = paths != NULL ? 2 : 1;
  if (paths != NULL)
    gadget_real_paths_async ((const char *const *) paths, check->cancellable, paths_read_cb,
                             g_object_ref (task));
  gadget_permission_rules_refresh_async (self->rules, rules_read_cb, g_object_ref (task));
}

/* --- Public functions ------------------------------------------------------------------------- */

/**
 * gadget_policy_new:
 * @store: (nullable): where the rules are kept
 *
 * Returns: (transfer full): the policy
 */
GadgetPolicy *
gadget_policy_new (GadgetStore *store)
{
  GadgetPolicy *self = g_object_new (GADGET_TYPE_POLICY, NULL);

  self->rules = gadget_permission_rules_new (store);
  g_signal_connect_object (self->rules, "items-changed", G_CALLBACK (reconsider), self,
                           G_CONNECT_SWAPPED);
  return self;
}

/* gadget_policy_get_rules: returns the rules, which live as long as the policy. (transfer none) */
GadgetPermissionRules *
gadget_policy_get_rules (GadgetPolicy *self)
{
  g_return_val_if_fail (GADGET_IS_POLICY (self), NULL);
  return self->rules;
}

gboolean
gadget_policy_may_allow (GadgetPolicy *self, GadgetSession *chat, GadgetApproval approval,
                         const char *tool, const GadgetAccess *access)
{
  const GadgetMode mode = get_mode (chat, approval);
  g_autoptr (GPtrArray) rules = NULL;

  g_return_val_if_fail (GADGET_IS_POLICY (self) && GADGET_IS_SESSION (chat), FALSE);

  if (mode_allows (mode, access))
    return TRUE;
  if (mode == GADGET_MODE_READ_ONLY)
    return FALSE;
  if (approval != GADGET_APPROVAL_AUTO)
    return TRUE;
  rules = gadget_permission_rules_list (self->rules, gadget_session_get_id (chat),
                                        gadget_session_get_workspace (chat));
  return gadget_rule_match_may_allow (rules, tool, access);
}

/**
 * gadget_policy_check_async:
 * @given: on whose behalf
 * @prompt: (nullable): what must be allowed; %NULL needs nothing
 * @cancellable: (nullable): dismisses the prompt
 *
 * See the header.
 */
void
gadget_policy_check_async (GadgetPolicy *self, const GadgetPolicyCase *given, GadgetPrompt *prompt,
                           GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Check *check;

  g_return_if_fail (GADGET_IS_POLICY (self) && given != NULL && GADGET_IS_ITEM (given->item));

  /* The GTask gets no cancellable: the answer counts even if a stop comes at the same moment, since
   * the caller checks the run afterwards. */
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_policy_check_async);
  if (prompt == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  check = g_new0 (Check, 1);
  check->chat = g_object_ref (given->chat);
  check->approval = given->approval;
  check->interactive = given->interactive;
  check->item = g_object_ref (given->item);
  check->prompt = g_object_ref (prompt);
  g_set_object (&check->cancellable, cancellable);
  g_task_set_task_data (task, check, check_free);
  if (read_only_refuses (check))
    return_no (task, GADGET_PERMISSION_ERROR_REFUSED, NULL);
  else
    start_reading (task);
}

/**
 * gadget_policy_check_finish:
 *
 * Returns: whether the call may start; else @error is a #GadgetPermissionError, its message for the
 *   model, or %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_policy_check_finish (GadgetPolicy *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
