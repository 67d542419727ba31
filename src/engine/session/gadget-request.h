/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is asked of a model, in no provider's words. Plain data, built by gadget_history_build ()
 * and read by the dialects. */

#pragma once

#include "common/gadget-types.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_ROLE_USER,
  GADGET_ROLE_ASSISTANT,
  GADGET_ROLE_TOOL,
} GadgetRole;

typedef struct
{
  char *id;
  char *name;
  char *arguments;          /* a JSON object as text, whole and valid */
} GadgetRequestCall;

/**
 * GadgetMessage:
 * @text: never NULL, may be "" only in an assistant message that has calls
 * @calls: (element-type GadgetRequestCall): of an assistant message, never NULL
 * @call_id: of a tool message, the call that it answers
 */
typedef struct
{
  GadgetRole role;
  char *text;
  GPtrArray *calls;
  char *call_id;
} GadgetMessage;

typedef struct
{
  char *name;
  char *description;
  char *schema;             /* JSON Schema of the arguments object, as text */
} GadgetToolSpec;

/**
 * GadgetRequest:
 * @model: the provider's name of the model; NULL for its default
 * @system: instructions, or NULL
 * @messages: (element-type GadgetMessage): the first is a user's; each call has exactly one tool
 *   message, directly after the assistant message that made it
 * @tools: (element-type GadgetToolSpec): offered tools, perhaps none
 */
typedef struct
{
  gatomicrefcount ref_count;
  char *model;
  char *system;
  GPtrArray *messages;
  GPtrArray *tools;
} GadgetRequest;

GadgetRequest *gadget_request_new         (void);
GadgetRequest *gadget_request_ref         (GadgetRequest *self);
void           gadget_request_unref       (GadgetRequest *self);
GadgetMessage *gadget_request_add_message (GadgetRequest *self,
                                           GadgetRole     role,
                                           const char    *text);
void           gadget_message_add_call    (GadgetMessage *self,
                                           const char    *id,
                                           const char    *name,
                                           const char    *arguments);
void           gadget_request_add_tool    (GadgetRequest *self,
                                           const char    *name,
                                           const char    *description,
                                           const char    *schema);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRequest, gadget_request_unref)

G_END_DECLS
