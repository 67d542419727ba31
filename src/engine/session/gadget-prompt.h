/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

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
 *
 * One thing a call needs, in terms that rules are written in.
 */
typedef struct
{
  GadgetAccessKind kind;
  char *subject;
  gboolean confined;
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

/* Something the run asks of the user. It is on its item (GadgetItem:prompt) as long as it waits,
 * and answered or dismissed exactly once; a later answer is refused, not an error. */
GadgetPrompt       *gadget_prompt_new_question   (const char           *text,
                                                  const char *const    *choices,
                                                  gboolean              allow_text);
GadgetPrompt       *gadget_prompt_new_permission (const char           *tool,
                                                  const char           *title,
                                                  const char           *subject,
                                                  const char           *detail);
const char         *gadget_prompt_get_id         (GadgetPrompt         *self);
GadgetPromptKind    gadget_prompt_get_kind       (GadgetPrompt         *self);
const char         *gadget_prompt_get_title      (GadgetPrompt         *self);
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
