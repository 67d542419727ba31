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

/**
 * GadgetPartType:
 * @GADGET_PART_TEXT: words
 * @GADGET_PART_REASONING: of an assistant message, and only with what its provider wants back
 * @GADGET_PART_CALL: of an assistant message
 * @GADGET_PART_IMAGE: of a user or tool message
 */
typedef enum
{
  GADGET_PART_TEXT,
  GADGET_PART_REASONING,
  GADGET_PART_CALL,
  GADGET_PART_IMAGE,
} GadgetPartType;

/**
 * GadgetPart:
 * @text: of text and reasoning; not "" but for reasoning whose words are hidden
 * @replay: (nullable): what the provider gave with a part and wants back unchanged:
 *   a signature, or a whole item; its meaning is the dialect's own
 * @call_id: of a call, unique within the request
 * @name: of a call: which tool; of an image: its file's
 * @arguments: of a call: a JSON object as text, whole and valid
 * @mime_type: of an image
 * @data: of an image: the bytes of its file
 */
typedef struct
{
  GadgetPartType type;
  char *text;
  char *replay;
  char *call_id;
  char *name;
  char *arguments;
  char *mime_type;
  GBytes *data;
} GadgetPart;

/**
 * GadgetMessage:
 * @parts: (element-type GadgetPart): in the order in which they were said; none is empty, and only
 *   a tool message may have none
 * @call_id: of a tool message, the call that it answers
 * @name: of a tool message, the tool that was called
 * @failed: of a tool message, whether the tool told of an error
 */
typedef struct
{
  GadgetRole role;
  GPtrArray *parts;
  char *call_id;
  char *name;
  gboolean failed;
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
GadgetMessage *gadget_request_add_result  (GadgetRequest *self,
                                           const char    *call_id,
                                           const char    *name,
                                           const char    *text);
GadgetPart    *gadget_message_add_part    (GadgetMessage *self,
                                           GadgetPartType type,
                                           const char    *text);
GadgetPart    *gadget_message_add_call    (GadgetMessage *self,
                                           const char    *id,
                                           const char    *name,
                                           const char    *arguments);
void           gadget_message_add_image   (GadgetMessage *self,
                                           const char    *name,
                                           const char    *mime_type,
                                           GBytes        *data);
void           gadget_message_drop_images (GadgetMessage *self,
                                           const char    *why);
char          *gadget_message_dup_text    (const GadgetMessage *self);
guint          gadget_message_count       (const GadgetMessage *self,
                                           GadgetPartType type);
void           gadget_request_add_tool    (GadgetRequest *self,
                                           const char    *name,
                                           const char    *description,
                                           const char    *schema);
gint64         gadget_request_count_tokens (GadgetRequest *self);
gint64         gadget_request_count_tool_tokens (GadgetRequest *self);
gboolean       gadget_request_has_images   (GadgetRequest *self);
GadgetRequest *gadget_request_without_images (GadgetRequest *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRequest, gadget_request_unref)

G_END_DECLS
