/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"
#include "gadget-call-summary.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PROMPT (gadget_prompt_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPrompt, gadget_prompt, GADGET, PROMPT, GObject)

#define GADGET_PROMPT_ERROR (gadget_prompt_error_quark ())
GQuark gadget_prompt_error_quark (void);

/**
 * GadgetPromptError:
 * @GADGET_PROMPT_ERROR_NOBODY: no user is there to answer
 *
 * The errors of a prompt. A prompt that is dismissed fails with %G_IO_ERROR_CANCELLED instead.
 */
typedef enum
{
  GADGET_PROMPT_ERROR_NOBODY,
} GadgetPromptError;

/* The kinds of prompts. */
typedef enum
{
  GADGET_PROMPT_QUESTION,   /* choices and possibly free text; the answer is the text */
  GADGET_PROMPT_PERMISSION, /* the answer is one of GADGET_PROMPT_ALLOW… and GADGET_PROMPT_DENY… */
} GadgetPromptKind;

/**
 * GadgetAccessKind:
 * @GADGET_ACCESS_READ: reads a file or folder; the subject is its absolute path
 * @GADGET_ACCESS_WRITE: creates, changes or deletes a file; the subject is its absolute path
 * @GADGET_ACCESS_COMMAND: runs a command; the subject is the whole command line
 * @GADGET_ACCESS_HOST: connects to a server; the subject is "host" or "host:port"
 * @GADGET_ACCESS_NETWORK: lets a command use the network; the subject is the command line
 * @GADGET_ACCESS_MCP: calls a tool of an MCP server; the subject is "server/tool"
 * @GADGET_ACCESS_INSTRUCTIONS: gives the model what a file says as instructions; the subject is its
 *   absolute path
 *
 * The kinds of accesses that a permission can be for.
 */
typedef enum
{
  GADGET_ACCESS_READ,
  GADGET_ACCESS_WRITE,
  GADGET_ACCESS_COMMAND,
  GADGET_ACCESS_HOST,
  GADGET_ACCESS_NETWORK,
  GADGET_ACCESS_MCP,
  GADGET_ACCESS_INSTRUCTIONS,
} GadgetAccessKind;

/**
 * GadgetAccess:
 * @kind: the kind of access
 * @subject: the object of the access, see #GadgetAccessKind
 * @confined: the access cannot leave the workspace or the sandbox
 * @fingerprint: (nullable): for an MCP tool, a digest of the tool's current description; for
 *   instructions, one of their text
 *
 * One thing that a call needs, in the terms in which permission rules are written.
 */
typedef struct
{
  GadgetAccessKind kind;
  char *subject;
  gboolean confined;
  char *fingerprint;
} GadgetAccess;

/* The answers to a permission. The first two are always among the choices. The others make a
 * permission rule, and exist if a rule can be made of the accesses: see
 * gadget_prompt_get_choice_label (). */
#define GADGET_PROMPT_ALLOW "allow"
#define GADGET_PROMPT_DENY "deny"
#define GADGET_PROMPT_ALLOW_SESSION "allow-session"
#define GADGET_PROMPT_ALLOW_WORKSPACE "allow-workspace"
#define GADGET_PROMPT_ALLOW_ALWAYS "allow-always"
#define GADGET_PROMPT_DENY_SESSION "deny-session"
#define GADGET_PROMPT_DENY_WORKSPACE "deny-workspace"
#define GADGET_PROMPT_DENY_ALWAYS "deny-always"

/**
 * GadgetPromptBody:
 * @GADGET_PROMPT_BODY_PLAIN: plain text: a command
 * @GADGET_PROMPT_BODY_FILE: the whole text of a file
 * @GADGET_PROMPT_BODY_DIFF: hunks as "diff -u" writes them, without the lines that name the files
 * @GADGET_PROMPT_BODY_ARGUMENTS: lines "name: value"; lines that continue a value begin with a tab
 *
 * The format of the body.
 */
typedef enum
{
  GADGET_PROMPT_BODY_PLAIN,
  GADGET_PROMPT_BODY_FILE,
  GADGET_PROMPT_BODY_DIFF,
  GADGET_PROMPT_BODY_ARGUMENTS,
} GadgetPromptBody;

/**
 * GadgetPromptText:
 * @GADGET_PROMPT_ASKER: Gadget's line above a question that a model or server wrote ("The model
 *   asks")
 * @GADGET_PROMPT_PLACE: where it happens: a folder or the server's host
 * @GADGET_PROMPT_WARNING: why the user should look twice; with a warning no answer is suggested
 * @GADGET_PROMPT_QUOTE_SOURCE: Gadget's line that says who wrote the quote
 * @GADGET_PROMPT_QUOTE: plain text that the model or a server wrote
 * @GADGET_PROMPT_BODY: all of what would be done; the subject if there is no body
 * @GADGET_PROMPT_OMITTED: what the body does not show
 * @GADGET_PROMPT_ONCE: why it can be allowed only once
 * @GADGET_PROMPT_UNDO: why it cannot be undone
 * @GADGET_PROMPT_DIGEST: a digest of the body's content, to find out whether what is done later is
 *   what was shown; not shown
 *
 * The optional texts of a prompt. Together with title, subject, detail, rule text, choices and
 * counts they are everything that is shown of it.
 */
typedef enum
{
  GADGET_PROMPT_ASKER,
  GADGET_PROMPT_PLACE,
  GADGET_PROMPT_WARNING,
  GADGET_PROMPT_QUOTE_SOURCE,
  GADGET_PROMPT_QUOTE,
  GADGET_PROMPT_BODY,
  GADGET_PROMPT_OMITTED,
  GADGET_PROMPT_ONCE,
  GADGET_PROMPT_UNDO,
  GADGET_PROMPT_DIGEST,
  GADGET_PROMPT_N_TEXTS,
} GadgetPromptText;

/**
 * GadgetPromptPrepareFunc:
 * @data: the data of gadget_prompt_set_prepare ()
 *
 * Completes a prompt that is about to be shown, for example by reading a file in a worker thread.
 * @callback must be called with a #GTask whose source object is @self and which returns a boolean,
 * see gadget_prompt_prepare_finish ().
 */
typedef void (*GadgetPromptPrepareFunc) (GadgetPrompt        *self,
                                         gpointer             data,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);

/* A question of a run to the user. It is on its item (GadgetItem:prompt) as long as it waits, and
 * is answered or dismissed exactly once. A later answer is not taken, which is not an error.
 * Strings that getters return belong to the prompt; subject, detail and rule text are nullable. */
GadgetPrompt       *gadget_prompt_new_question   (const char           *text,
                                                  const char *const    *choices,
                                                  gboolean              allow_text);
GadgetPrompt       *gadget_prompt_new_permission (const char           *tool,
                                                  const char           *title,
                                                  const char           *subject,
                                                  const char           *detail);
GadgetPrompt       *gadget_prompt_new_permission_for (const char      *tool,
                                                  GadgetCallSummary    *question,
                                                  const char           *subject,
                                                  const char           *detail);
const char         *gadget_prompt_get_id         (GadgetPrompt         *self);
GadgetPromptKind    gadget_prompt_get_kind       (GadgetPrompt         *self);
const char         *gadget_prompt_get_title      (GadgetPrompt         *self);
const GadgetCallSummary *gadget_prompt_get_question (GadgetPrompt      *self);
const char         *gadget_prompt_get_tool       (GadgetPrompt         *self);
const char         *gadget_prompt_get_subject    (GadgetPrompt         *self);
const char         *gadget_prompt_get_detail     (GadgetPrompt         *self);
const char *const  *gadget_prompt_get_choices    (GadgetPrompt         *self);
gboolean            gadget_prompt_get_allow_text (GadgetPrompt         *self);

/* The accesses that a permission is asked for, in the order in which they were added. All of them
 * must be allowed. Without accesses no rule applies, and the user is always asked. */
void                gadget_prompt_add_access     (GadgetPrompt         *self,
                                                  GadgetAccessKind      kind,
                                                  const char           *subject,
                                                  gboolean              confined);
void                gadget_prompt_add_access_as_now (GadgetPrompt      *self,
                                                  GadgetAccessKind      kind,
                                                  const char           *subject,
                                                  const char           *fingerprint,
                                                  gboolean              confined);
guint               gadget_prompt_get_n_accesses (GadgetPrompt         *self);
const GadgetAccess *gadget_prompt_get_access     (GadgetPrompt         *self,
                                                  guint                 position);

/* Answers that make rules. The label says exactly what would be allowed or denied. */
void                gadget_prompt_add_choice     (GadgetPrompt         *self,
                                                  const char           *answer,
                                                  const char           *label);
const char         *gadget_prompt_get_choice_label (GadgetPrompt       *self,
                                                  const char           *answer);

/* Text that says what all the rules would allow; NULL without such choices. */
const char         *gadget_prompt_get_rule_text  (GadgetPrompt         *self);
void                gadget_prompt_set_rule_text  (GadgetPrompt         *self,
                                                  const char           *rule_text);

/* The texts must not change after the prompt was shown: see #GadgetPromptText. */
const char         *gadget_prompt_get_text       (GadgetPrompt         *self,
                                                  GadgetPromptText      which);
void                gadget_prompt_set_text       (GadgetPrompt         *self,
                                                  GadgetPromptText      which,
                                                  const char           *text);
const char         *gadget_prompt_text_get_name  (GadgetPromptText      which);
void                gadget_prompt_add_warning    (GadgetPrompt         *self,
                                                  const char           *warning);
void                gadget_prompt_set_title      (GadgetPrompt         *self,
                                                  const char           *title);
void                gadget_prompt_set_detail     (GadgetPrompt         *self,
                                                  const char           *detail);

/* All of what would be done, and its format. */
const char         *gadget_prompt_get_body       (GadgetPrompt         *self);
GadgetPromptBody    gadget_prompt_get_body_kind  (GadgetPrompt         *self);
void                gadget_prompt_set_body       (GadgetPrompt         *self,
                                                  GadgetPromptBody      kind,
                                                  const char           *body);

/* The lines that a change adds and removes; both are 0 if nothing is counted. */
void                gadget_prompt_get_counts     (GadgetPrompt         *self,
                                                  guint                *n_added,
                                                  guint                *n_removed);
void                gadget_prompt_set_counts     (GadgetPrompt         *self,
                                                  guint                 n_added,
                                                  guint                 n_removed);

/* The work that has to be done before the prompt can be shown. */
void                gadget_prompt_set_prepare    (GadgetPrompt         *self,
                                                  GadgetPromptPrepareFunc prepare,
                                                  gpointer              data,
                                                  GDestroyNotify        destroy);
void                gadget_prompt_prepare_async  (GadgetPrompt         *self,
                                                  GCancellable         *cancellable,
                                                  GAsyncReadyCallback   callback,
                                                  gpointer              user_data);
gboolean            gadget_prompt_prepare_finish (GadgetPrompt         *self,
                                                  GAsyncResult         *result,
                                                  GError              **error);

/* The answer. */
gboolean            gadget_prompt_is_open        (GadgetPrompt         *self);
gboolean            gadget_prompt_answer         (GadgetPrompt         *self,
                                                  const char           *answer);
gboolean            gadget_prompt_answer_with_note (GadgetPrompt       *self,
                                                  const char           *answer,
                                                  const char           *note);
const char         *gadget_prompt_get_note       (GadgetPrompt         *self);
void                gadget_prompt_refuse         (GadgetPrompt         *self);
void                gadget_prompt_wait_async     (GadgetPrompt         *self,
                                                  GCancellable         *cancellable,
                                                  GAsyncReadyCallback   callback,
                                                  gpointer              user_data);
char               *gadget_prompt_wait_finish    (GadgetPrompt         *self,
                                                  GAsyncResult         *result,
                                                  GError              **error);

G_END_DECLS
