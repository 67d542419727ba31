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
 * @GADGET_PROMPT_ERROR_NOBODY: nobody is there who could answer
 *
 * A dismissed prompt fails with %G_IO_ERROR_CANCELLED instead.
 */
typedef enum
{
  GADGET_PROMPT_ERROR_NOBODY,
} GadgetPromptError;

typedef enum
{
  GADGET_PROMPT_QUESTION,   /* choices and perhaps free text; the answer is the text */
  GADGET_PROMPT_PERMISSION, /* the answer is one of GADGET_PROMPT_ALLOW… and GADGET_PROMPT_DENY… */
} GadgetPromptKind;

/**
 * GadgetAccessKind:
 * @GADGET_ACCESS_READ: reads a file or folder; the subject is its absolute path
 * @GADGET_ACCESS_WRITE: makes, changes or removes a file; the subject is its absolute path
 * @GADGET_ACCESS_COMMAND: runs a command; the subject is the whole command line
 * @GADGET_ACCESS_HOST: speaks to a server; the subject is "host" or "host:port"
 * @GADGET_ACCESS_NETWORK: gives a command the network; the subject is the command line
 * @GADGET_ACCESS_MCP: calls a tool of an MCP server; the subject is "server/tool"
 */
typedef enum
{
  GADGET_ACCESS_READ,
  GADGET_ACCESS_WRITE,
  GADGET_ACCESS_COMMAND,
  GADGET_ACCESS_HOST,
  GADGET_ACCESS_NETWORK,
  GADGET_ACCESS_MCP,
} GadgetAccessKind;

/**
 * GadgetAccess:
 * @kind: what is asked for
 * @subject: on what
 * @confined: it stays within the workspace or the sandbox whatever happens
 * @fingerprint: (nullable): of an MCP tool, stands for what the server says of it now
 *
 * One thing a call needs, in terms that rules are written in.
 */
typedef struct
{
  GadgetAccessKind kind;
  char *subject;
  gboolean confined;
  char *fingerprint;
} GadgetAccess;

/* Answers to a permission. The first two are always among its choices; the others make a rule, and
 * are where one can be made of what is asked: see gadget_prompt_get_choice_label (). */
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
 * @GADGET_PROMPT_BODY_PLAIN: text as it is: a command
 * @GADGET_PROMPT_BODY_FILE: the whole text of a file
 * @GADGET_PROMPT_BODY_DIFF: hunks as "diff -u" writes them, without the lines that name the files
 * @GADGET_PROMPT_BODY_ARGUMENTS: lines "name: value"; lines that continue a value begin with a tab
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
 * @GADGET_PROMPT_ASKER: Gadget's line above a question that somebody else wrote ("The model asks")
 * @GADGET_PROMPT_PLACE: where it happens: a folder or the server's host
 * @GADGET_PROMPT_WARNING: why to look twice; where there is one, no answer is suggested
 * @GADGET_PROMPT_QUOTE_SOURCE: Gadget's line that says whose words the quote has
 * @GADGET_PROMPT_QUOTE: plain text that the model or a server wrote
 * @GADGET_PROMPT_BODY: the whole of what would be done; without one it is the subject
 * @GADGET_PROMPT_OMITTED: what the body does not show
 * @GADGET_PROMPT_ONCE: why it can be allowed only once
 * @GADGET_PROMPT_DIGEST: stands for the content of the body, to find out whether what is done later
 *   is what was shown; not for people
 *
 * The texts of a prompt that not every prompt has. Together with title, subject, detail, reach,
 * choices and counts they are all that is shown of it.
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
  GADGET_PROMPT_DIGEST,
  GADGET_PROMPT_N_TEXTS,
} GadgetPromptText;

/**
 * GadgetPromptPrepareFunc:
 *
 * Completes a prompt that is about to be shown, for example by reading a file in a thread. Answers
 * @callback with a #GTask that returns a boolean; its source object is the prompt.
 */
typedef void (*GadgetPromptPrepareFunc) (GadgetPrompt        *self,
                                         gpointer             data,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);

/* Something the run asks of the user. It is on its item (GadgetItem:prompt) as long as it waits,
 * and answered or dismissed exactly once; a later answer is refused, not an error. */
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

/* Whether all that is asked for stays within the sandbox whatever happens. */
gboolean            gadget_prompt_get_confined   (GadgetPrompt         *self);

/* What a permission is asked for, in the order it was added; all of it must be allowed. One without
 * any can only be asked. */
void                gadget_prompt_add_access     (GadgetPrompt         *self,
                                                  GadgetAccessKind      kind,
                                                  const char           *subject,
                                                  gboolean              confined);
void                gadget_prompt_add_tool_access (GadgetPrompt        *self,
                                                  const char           *subject,
                                                  const char           *fingerprint,
                                                  gboolean              confined);
guint               gadget_prompt_get_n_accesses (GadgetPrompt         *self);
const GadgetAccess *gadget_prompt_get_access     (GadgetPrompt         *self,
                                                  guint                 position);

/* Answers that make rules, added by who asks; the label says exactly what would be allowed. */
void                gadget_prompt_add_choice     (GadgetPrompt         *self,
                                                  const char           *answer,
                                                  const char           *label);
const char         *gadget_prompt_get_choice_label (GadgetPrompt       *self,
                                                  const char           *answer);

/* In words, all that the choices that make rules would allow; NULL where there are none. */
const char         *gadget_prompt_get_reach      (GadgetPrompt         *self);
void                gadget_prompt_set_reach      (GadgetPrompt         *self,
                                                  const char           *reach);

/* Not after it was shown, and no more than the prompt has: see #GadgetPromptText. */
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

/* The whole of what would be done, and of what form it is. */
const char         *gadget_prompt_get_body       (GadgetPrompt         *self);
GadgetPromptBody    gadget_prompt_get_body_kind  (GadgetPrompt         *self);
void                gadget_prompt_set_body       (GadgetPrompt         *self,
                                                  GadgetPromptBody      kind,
                                                  const char           *body);

/* Lines that a change adds and removes; both 0 where nothing is counted. */
void                gadget_prompt_get_counts     (GadgetPrompt         *self,
                                                  guint                *n_added,
                                                  guint                *n_removed);
void                gadget_prompt_set_counts     (GadgetPrompt         *self,
                                                  guint                 n_added,
                                                  guint                 n_removed);

/* What has to be done before it can be shown. */
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
