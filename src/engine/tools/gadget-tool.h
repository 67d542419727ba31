/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool-arguments.h"
#include "effects/gadget-effects.h"
#include "session/gadget-item.h"
#include "session/gadget-receipt.h"
#include "workspace/gadget-file-version.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL (gadget_tool_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTool, gadget_tool, GADGET, TOOL, GObject)

/**
 * GadgetToolContext:
 * @workspace: (nullable): the session's folder
 * @item: the call's item: live output is appended to its text, and questions are set on it
 * @interactive: whether somebody is there to answer
 * @task_host: (nullable): runs subagents, see gadget-tool-task.h
 * @effects: (nullable): must be told before anything outside of the chat is touched; without it
 *   nothing is recorded
 * @versions: (nullable): the file versions that the chat has read; without it no existing file is
 *   overwritten
 * @unasked: whether everything that is not allowed already is refused without asking the user
 * @approved: (nullable): the digest of the change that the user saw and allowed, see
 *   %GADGET_PROMPT_DIGEST
 *
 * The context that a tool works in. The members are borrowed for the call; a tool may keep a
 * reference to the item.
 */
typedef struct
{
  const char *workspace;
  GadgetItem *item;
  gboolean interactive;
  struct _GadgetTaskHost *task_host;
  GadgetEffects *effects;
  GadgetVersionsRead *versions;
  gboolean unasked;
  const char *approved;
} GadgetToolContext;

/**
 * GadgetToolResult:
 * @failed: whether the model is told that the call failed
 * @text: what the model gets, never NULL
 * @summary: (nullable): one line for the user; NULL keeps the description of the call
 * @pictures: (nullable) (element-type GadgetPicture): pictures that the model gets with it
 * @cut: whether the call was stopped before it was complete; then @text is what it did until then
 * @stopped: with @cut, whether it was a stop of its own and not one of the call or its run: a
 *   subagent can be stopped from outside
 * @outcome: (nullable): how it ended, for the receipt (see #GadgetReceiptLine); NULL means
 *   "stopped"
 * @count: descendant processes that were ended with it
 *
 * The result of a call.
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

GadgetToolResult  *gadget_tool_result_new         (gboolean                 failed,
                                                   const char              *text,
                                                   GadgetCallSummary       *summary);
void               gadget_tool_result_add_picture (GadgetToolResult        *self,
                                                   GadgetPicture           *picture);
/* This has the type of a GDestroyNotify, since it is also used as one. */
void               gadget_tool_result_free        (gpointer                 result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetToolResult, gadget_tool_result_free)

/**
 * GadgetToolDescriptor:
 * @name: the name that models use; %NULL if each tool has its own
 * @description: what the tool does, for models; %NULL if each tool has its own
 * @parameters: (nullable): what its arguments are, ended by a parameter without a name; the JSON
 *   Schema is made from them. %NULL if another program checks the arguments
 * @receipt_kind: how receipts list the tool
 * @repair: (nullable): gives arguments that a model named in another obvious way their names, before
 *   they are checked
 * @describe: (nullable): what the user is told about this call while it runs ("Running meson
 *   test"), made from the arguments
 * @least_access: (nullable): tells what each call needs at least, whatever the arguments are; the
 *   subject is owned by the tool, and %NULL when it depends on the arguments. Without this
 *   function, or when it returns %FALSE, a call needs nothing
 * @permission: (nullable): makes the prompt that must be allowed before the call starts; without
 *   this function, or when it returns %NULL, the call needs no permission
 * @execute_async: does the work with arguments that gadget_tool_check_arguments () accepted, and
 *   calls back with a #GTask whose pointer is a #GadgetToolResult and whose source object is the
 *   tool. On cancellation it stops at its own safe point within 500 ms and returns what it did: a
 *   result if there is one (partial output is a result), else %G_IO_ERROR_CANCELLED. Any other
 *   error is a failed call, whose message the model gets
 *
 * The description of a tool, and its functions. A static constant of its file.
 */
typedef struct
{
  const char *name;
  const char *description;
  const GadgetToolParameter *parameters;
  GadgetReceiptKind receipt_kind;
  void               (*repair)        (JsonObject               *arguments);
  GadgetCallSummary *(*describe)      (GadgetTool               *self,
                                       JsonObject               *arguments);
  gboolean           (*least_access)  (GadgetTool               *self,
                                       GadgetAccess             *access);
  GadgetPrompt      *(*permission)    (GadgetTool               *self,
                                       JsonObject               *arguments,
                                       const GadgetToolContext  *context);
  void               (*execute_async) (GadgetTool               *self,
                                       JsonObject               *arguments,
                                       const GadgetToolContext  *context,
                                       GCancellable             *cancellable,
                                       GAsyncReadyCallback       callback,
                                       gpointer                  user_data);
} GadgetToolDescriptor;

/* A tool that models can call. The functions of its descriptor get their data from
 * gadget_tool_get_data (). */
GadgetTool        *gadget_tool_new                (const GadgetToolDescriptor *descriptor,
                                                   gpointer                 data,
                                                   GDestroyNotify           free_data);
gpointer           gadget_tool_get_data           (GadgetTool              *self);

/* Take the place of what the descriptor says, or does not say. */
void               gadget_tool_set_name           (GadgetTool              *self,
                                                   const char              *name);
void               gadget_tool_set_description    (GadgetTool              *self,
                                                   const char              *description);
void               gadget_tool_set_schema         (GadgetTool              *self,
                                                   const char              *schema);

const char        *gadget_tool_get_name           (GadgetTool              *self);
const char        *gadget_tool_get_description    (GadgetTool              *self);
const char        *gadget_tool_get_schema         (GadgetTool              *self);
GadgetReceiptKind  gadget_tool_get_receipt_kind   (GadgetTool              *self);
gboolean           gadget_tool_check_arguments    (GadgetTool              *self,
                                                   JsonObject              *arguments,
                                                   GError                 **error);
GadgetCallSummary *gadget_tool_describe           (GadgetTool              *self,
                                                   JsonObject              *arguments);
gboolean           gadget_tool_get_least_access   (GadgetTool              *self,
                                                   GadgetAccess            *access);
GadgetPrompt      *gadget_tool_permission         (GadgetTool              *self,
                                                   JsonObject              *arguments,
                                                   const GadgetToolContext *context);
void               gadget_tool_execute_async      (GadgetTool              *self,
                                                   JsonObject              *arguments,
                                                   const GadgetToolContext *context,
                                                   GCancellable            *cancellable,
                                                   GAsyncReadyCallback      callback,
                                                   gpointer                 user_data);
GadgetToolResult  *gadget_tool_execute_finish     (GadgetTool              *self,
                                                   GAsyncResult            *result,
                                                   GError                 **error);

char              *gadget_tool_dup_count          (guint64                  n,
                                                   const char              *one,
                                                   const char              *many);

G_END_DECLS
