/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-effects.h"
#include "session/gadget-item.h"
#include "session/gadget-receipt.h"
#include "workspace/gadget-stamp.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL (gadget_tool_get_type ())
G_DECLARE_INTERFACE (GadgetTool, gadget_tool, GADGET, TOOL, GObject)

/**
 * GadgetToolContext:
 * @workspace: the session's folder, or NULL
 * @item: the call's item: live output is appended to its text, a question is put on it
 * @interactive: whether somebody is there to answer
 * @task_host: (nullable): who runs subagents, see gadget-tool-task.h
 * @effects: (nullable): told before anything outside of the chat is touched; without it nothing is
 *   recorded
 * @stamps: (nullable): what the chat has read; without it no file that exists is overwritten
 * @approved: (nullable): the digest of the change that the user was shown and allowed, see
 *   %GADGET_PROMPT_DIGEST
 * @unasked: what is not allowed already is refused, and nobody is asked whether it may be
 *
 * What a tool is given to work with. Lent for the call; the item may be kept by reference.
 */
typedef struct
{
  const char *workspace;
  GadgetItem *item;
  gboolean interactive;
  struct _GadgetTaskHost *task_host;
  GadgetEffects *effects;
  GadgetReadStamps *stamps;
  gboolean unasked;
  const char *approved;
} GadgetToolContext;

/**
 * GadgetToolResult:
 * @failed: the model is told that the call failed
 * @text: what the model is given, never NULL
 * @summary: one line for people, or NULL for what was said of the call before
 * @pictures: (element-type GadgetPicture): what the model is shown with it, or NULL
 * @cut: it was stopped before it was complete; @text is what came before that
 * @stopped: what cut it was a stop of its own, not one of the call or its run: a subagent can be
 *   stopped from outside
 * @outcome: how it ended for the receipt (see #GadgetReceiptLine), or NULL for "stopped"
 * @count: descendants that ended with it
 */
typedef struct
{
  gboolean failed;
  char *text;
  GadgetCallSummary *summary;
  GPtrArray *pictures;
  gboolean cut;
  gboolean stopped;
  char *outcome;
  guint count;
} GadgetToolResult;

GadgetToolResult *gadget_tool_result_new  (gboolean          failed,
                                           const char       *text,
                                           GadgetCallSummary *summary);
void              gadget_tool_result_add_picture (GadgetToolResult *self,
                                                  GadgetPicture    *picture);
/* As a GDestroyNotify is, since our own code calls it as one too. */
void              gadget_tool_result_free (gpointer          result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetToolResult, gadget_tool_result_free)

/**
 * GadgetToolInterface:
 * @describe: what is said to people of this call while it runs ("Running meson test"), from
 *   arguments
 * @foreign_schema: the schema is of another program, which checks the arguments itself
 * @least_access: (nullable): says what each of its calls needs at least, whatever the arguments
 *   are; the subject is lent, and %NULL when the arguments name it. Without it, or with a %FALSE
 *   answer, that is nothing
 * @permission: (nullable): makes the prompt that must be allowed before the call starts; NULL
 *   or a NULL answer means that it needs none
 * @execute_async: does the work. On cancellation it stops at its own safe point within 500 ms and
 *   answers with what it did: a result if there is one (partial output is a result), else
 *   %G_IO_ERROR_CANCELLED. Any other error is a failed call, its message told to the model.
 */
struct _GadgetToolInterface
{
  GTypeInterface parent_iface;

  gboolean foreign_schema;
  const char        *(*get_name)        (GadgetTool               *self);
  const char        *(*get_description) (GadgetTool               *self);
  const char        *(*get_schema)      (GadgetTool               *self);
  GadgetReceiptKind  (*get_receipt_kind) (GadgetTool              *self);
  GadgetCallSummary *(*describe)        (GadgetTool               *self,
                                         JsonObject               *arguments);
  gboolean           (*least_access)    (GadgetTool               *self,
                                         GadgetAccess             *access);
  GadgetPrompt      *(*permission)      (GadgetTool               *self,
                                         JsonObject               *arguments,
                                         const GadgetToolContext  *context);
  void               (*execute_async)   (GadgetTool               *self,
                                         JsonObject               *arguments,
                                         const GadgetToolContext  *context,
                                         GCancellable             *cancellable,
                                         GAsyncReadyCallback       callback,
                                         gpointer                  user_data);
  GadgetToolResult  *(*execute_finish)  (GadgetTool               *self,
                                         GAsyncResult             *result,
                                         GError                  **error);
};

const char        *gadget_tool_get_name         (GadgetTool               *self);
const char        *gadget_tool_get_description  (GadgetTool               *self);
const char        *gadget_tool_get_schema       (GadgetTool               *self);
GadgetReceiptKind  gadget_tool_get_receipt_kind (GadgetTool               *self);
gboolean           gadget_tool_check_arguments  (GadgetTool               *self,
                                                 JsonObject               *arguments,
                                                 GError                  **error);
GadgetCallSummary *gadget_tool_describe         (GadgetTool               *self,
                                                 JsonObject               *arguments);
gboolean           gadget_tool_get_least_access (GadgetTool               *self,
                                                 GadgetAccess             *access);
GadgetPrompt      *gadget_tool_permission       (GadgetTool               *self,
                                                 JsonObject               *arguments,
                                                 const GadgetToolContext  *context);
void               gadget_tool_execute_async    (GadgetTool               *self,
                                                 JsonObject               *arguments,
                                                 const GadgetToolContext  *context,
                                                 GCancellable             *cancellable,
                                                 GAsyncReadyCallback       callback,
                                                 gpointer                  user_data);
GadgetToolResult  *gadget_tool_execute_finish   (GadgetTool               *self,
                                                 GAsyncResult             *result,
                                                 GError                  **error);

char              *gadget_tool_dup_count        (guint64                   n,
                                                 const char               *one,
                                                 const char               *many);

G_END_DECLS
