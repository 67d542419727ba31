/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request to a model, independent of any provider's API. It is plain data, built by
 * gadget_history_build () and read by the code for each provider API. */

#pragma once

#include "common/gadget-types.h"

G_BEGIN_DECLS

/* The authors of messages. */
typedef enum
{
  GADGET_ROLE_USER,
  GADGET_ROLE_ASSISTANT,
  GADGET_ROLE_TOOL,
} GadgetRole;

/**
 * GadgetPartType:
 * @GADGET_PART_TEXT: text
 * @GADGET_PART_REASONING: reasoning, only in an assistant message and with the data that the
 *   provider wants back
 * @GADGET_PART_CALL: a tool call, only in an assistant message
 * @GADGET_PART_IMAGE: an image, only in a user or tool message
 *
 * The types of parts.
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
 * @text: text or reasoning; not empty, except for reasoning whose text is hidden
 * @replay: (nullable): data that the provider returned with the part and wants back unchanged: a
 *   signature, or a whole item; only the code for its API understands it
 * @call_id: for a call: its id, unique within the request
 * @name: for a call: the tool; for an image: (nullable) the name of its file
 * @arguments: for a call: a JSON object as text, complete and valid
 * @mime_type: for an image
 * @data: for an image: the bytes of its file
 *
 * A part of a message. Members that do not belong to the type are %NULL.
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
 * @parts: (element-type GadgetPart): in order; none is empty, and only a tool message may have no
 *   parts
 * @call_id: for a tool message: the call that it is the result of
 * @name: for a tool message: the tool that was called
 * @failed: for a tool message: whether the tool reported an error
 *
 * A message of the conversation.
 */
typedef struct
{
  GadgetRole role;
  GPtrArray *parts;
  char *call_id;
  char *name;
  gboolean failed;
} GadgetMessage;

/* A tool that the model may call. */
typedef struct
{
  char *name;
  char *description;
  char *schema; /* JSON Schema of the arguments, as text */
} GadgetToolSpec;

/**
 * GadgetRequest:
 * @model: (nullable): the provider's name of the model; %NULL for its default
 * @system: (nullable): instructions
 * @messages: (element-type GadgetMessage): the first is a user message; each call has exactly one
 *   tool message, directly after the assistant message with the call
 * @tools: (element-type GadgetToolSpec): the tools that are offered; may be empty
 *
 * A request. Reference counted.
 */
typedef struct
{
  gatomicrefcount ref_count;
  char *model;
  char *system;
  GPtrArray *messages;
  GPtrArray *tools;
} GadgetRequest;

/* Build, read and measure requests; count references. */
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
