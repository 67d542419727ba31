/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Requests to models: building, copying and estimating the size. */

#define G_LOG_DOMAIN "gadget-request"

#include "config.h"

#include "gadget-request.h"

#include "common/gadget-image-info.h"
#include "common/gadget-tokens.h"

#include <string.h>

static void
part_free (gpointer data)
{
  GadgetPart *part = data;

  g_free (part->text);
  g_free (part->replay);
  g_free (part->call_id);
  g_free (part->name);
  g_free (part->arguments);
  g_free (part->mime_type);
  g_clear_pointer (&part->data, g_bytes_unref);
  g_free (part);
}

static void
message_free (gpointer data)
{
  GadgetMessage *message = data;

  g_ptr_array_unref (message->parts);
  g_free (message->call_id);
  g_free (message->name);
  g_free (message);
}

static void
tool_free (gpointer data)
{
  GadgetToolSpec *tool = data;

  g_free (tool->name);
  g_free (tool->description);
  g_free (tool->schema);
  g_free (tool);
}

/**
 * gadget_request_new:
 *
 * Returns: (transfer full): a request without messages and tools
 */
GadgetRequest *
gadget_request_new (void)
{
  GadgetRequest *self = g_new0 (GadgetRequest, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->messages = g_ptr_array_new_with_free_func (message_free);
  self->tools = g_ptr_array_new_with_free_func (tool_free);
  return self;
}

/* gadget_request_ref () and gadget_request_unref () may be called on any thread; neither accepts
 * %NULL. */
GadgetRequest *
gadget_request_ref (GadgetRequest *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_request_unref (GadgetRequest *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->model);
  g_free (self->system);
  g_ptr_array_unref (self->messages);
  g_ptr_array_unref (self->tools);
  g_free (self);
}

/**
 * gadget_request_add_message:
 * @role: the author of the message
 * @text: (nullable): the first part; no part for "" and %NULL
 *
 * Returns: (transfer none): the new last message, for adding parts or a call id
 */
GadgetMessage *
gadget_request_add_message (GadgetRequest *self, GadgetRole role, const char *text)
{
  GadgetMessage *message;

  g_return_val_if_fail (self != NULL, NULL);

  message = g_new0 (GadgetMessage, 1);
  message->role = role;
  message->parts = g_ptr_array_new_with_free_func (part_free);
  if (text != NULL && *text != '\0')
    gadget_message_add_part (message, GADGET_PART_TEXT, text);
  g_ptr_array_add (self->messages, message);
  return message;
}

/* Adds a tool message, the result of a call; otherwise like gadget_request_add_message (). */
GadgetMessage *
gadget_request_add_result (GadgetRequest *self, const char *call_id, const char *name,
                           const char *text)
{
  GadgetMessage *message = gadget_request_add_message (self, GADGET_ROLE_TOOL, text);

  message->call_id = g_strdup (call_id);
  message->name = g_strdup (name);
  return message;
}

/**
 * gadget_message_add_part:
 * @type: the type of the part
 * @text: (nullable): its text; copied
 *
 * Returns: (transfer none): the new part, whose other members the caller may set
 */
GadgetPart *
gadget_message_add_part (GadgetMessage *self, GadgetPartType type, const char *text)
{
  GadgetPart *part;

  g_return_val_if_fail (self != NULL, NULL);

  part = g_new0 (GadgetPart, 1);
  part->type = type;
  part->text = g_strdup (text);
  g_ptr_array_add (self->parts, part);
  return part;
}

/**
 * gadget_message_add_call:
 * @id: the id of the call, unique within the request
 * @name: the name of the tool
 * @arguments: a JSON object as text
 *
 * Returns: (transfer none): the new part
 */
GadgetPart *
gadget_message_add_call (GadgetMessage *self, const char *id, const char *name,
                         const char *arguments)
{
  GadgetPart *part;

  g_return_val_if_fail (self != NULL && id != NULL && name != NULL && arguments != NULL, NULL);

  part = gadget_message_add_part (self, GADGET_PART_CALL, NULL);
  part->call_id = g_strdup (id);
  part->name = g_strdup (name);
  part->arguments = g_strdup (arguments);
  return part;
}

/**
 * gadget_message_add_image:
 * @name: (nullable): the name of the image's file
 * @mime_type: the MIME type
 * @data: the bytes of the file; a reference is kept
 *
 * Adds an image.
 */
void
gadget_message_add_image (GadgetMessage *self, const char *name, const char *mime_type,
                          GBytes *data)
{
  GadgetPart *part;

  g_return_if_fail (self != NULL && mime_type != NULL && data != NULL);

  part = gadget_message_add_part (self, GADGET_PART_IMAGE, NULL);
  part->name = g_strdup (name);
  part->mime_type = g_strdup (mime_type);
  part->data = g_bytes_ref (data);
}

/**
 * gadget_message_drop_images:
 * @why: the end of a sentence for the model, such as "shown again"
 *
 * Replaces the images of the message with texts "[A picture … is not @why.]".
 */
void
gadget_message_drop_images (GadgetMessage *self, const char *why)
{
  g_return_if_fail (self != NULL && why != NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      GadgetPart *part = g_ptr_array_index (self->parts, i);
      const GadgetPart *next =
          i + 1 < self->parts->len ? g_ptr_array_index (self->parts, i + 1) : NULL;

      if (part->type != GADGET_PART_IMAGE)
        continue;
      part->type = GADGET_PART_TEXT;
      part->text = g_strdup_printf ("%s[A picture (%s) that was here is not %s.]%s",
                                    i > 0 ? "\n" : "", part->mime_type, why,
                                    next != NULL && next->type == GADGET_PART_TEXT ? "\n\n" : "");
      g_clear_pointer (&part->name, g_free);
      g_clear_pointer (&part->mime_type, g_free);
      g_clear_pointer (&part->data, g_bytes_unref);
    }
}

/**
 * gadget_message_dup_text:
 *
 * Returns: (transfer full): the text parts, joined; "" if there are none
 */
char *
gadget_message_dup_text (const GadgetMessage *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (self->parts, i);

      if (part->type == GADGET_PART_TEXT)
        g_string_append (text, part->text);
    }
  return g_string_free_and_steal (text);
}

/**
 * gadget_message_count:
 *
 * Returns: the number of parts of a type
 */
guint
gadget_message_count (const GadgetMessage *self, GadgetPartType type)
{
  guint n = 0;

  for (guint i = 0; i < self->parts->len; i++)
    n += ((const GadgetPart *) g_ptr_array_index (self->parts, i))->type == type;
  return n;
}

/**
 * gadget_request_add_tool:
 * @name: the name of the tool
 * @description: the description for the model
 * @schema: JSON Schema of the arguments
 *
 * Adds a tool that the model may call.
 */
void
gadget_request_add_tool (GadgetRequest *self, const char *name, const char *description,
                         const char *schema)
{
  GadgetToolSpec *tool;

  g_return_if_fail (self != NULL && name != NULL && description != NULL && schema != NULL);

  tool = g_new0 (GadgetToolSpec, 1);
  tool->name = g_strdup (name);
  tool->description = g_strdup (description);
  tool->schema = g_strdup (schema);
  g_ptr_array_add (self->tools, tool);
}

static gsize
weigh_tools (GadgetRequest *self)
{
  gsize weight = 0;

  for (guint i = 0; i < self->tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (self->tools, i);

      weight += gadget_tokens_weigh (tool->description) + gadget_tokens_weigh (tool->schema);
    }
  return weight;
}

static gsize
weigh_image (GBytes *data)
{
  GadgetImageInfo info;
  gsize size;
  const void *bytes;

  if (data == NULL)
    return 0;
  bytes = g_bytes_get_data (data, &size);
  gadget_image_info_read (&info, bytes, size);
  return gadget_tokens_weigh_picture (info.width, info.height);
}

/**
 * gadget_request_count_tokens:
 *
 * Returns: an estimate of the number of tokens in the request, including images and tools
 */
gint64
gadget_request_count_tokens (GadgetRequest *self)
{
  gsize weight = gadget_tokens_weigh (self->system);

  for (guint i = 0; i < self->messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (self->messages, i);

      for (guint j = 0; j < message->parts->len; j++)
        {
          const GadgetPart *part = g_ptr_array_index (message->parts, j);

          weight += gadget_tokens_weigh (part->text) + gadget_tokens_weigh (part->arguments)
                    + gadget_tokens_weigh (part->replay) + weigh_image (part->data);
        }
    }
  return gadget_tokens_from_weight (weight + weigh_tools (self));
}

/**
 * gadget_request_count_tool_tokens:
 *
 * Returns: the part of gadget_request_count_tokens () that the descriptions of the tools take
 */
gint64
gadget_request_count_tool_tokens (GadgetRequest *self)
{
  return gadget_tokens_from_weight (weigh_tools (self));
}

/**
 * gadget_request_has_images:
 *
 * Returns: whether a message has an image
 */
gboolean
gadget_request_has_images (GadgetRequest *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (guint i = 0; i < self->messages->len; i++)
    if (gadget_message_count (g_ptr_array_index (self->messages, i), GADGET_PART_IMAGE) > 0)
      return TRUE;
  return FALSE;
}

static void
copy_message (GadgetRequest *copy, const GadgetMessage *message)
{
  GadgetMessage *other = gadget_request_add_message (copy, message->role, NULL);

  other->call_id = g_strdup (message->call_id);
  other->name = g_strdup (message->name);
  other->failed = message->failed;
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);
      GadgetPart *same = gadget_message_add_part (other, part->type, part->text);

      same->replay = g_strdup (part->replay);
      same->call_id = g_strdup (part->call_id);
      same->name = g_strdup (part->name);
      same->arguments = g_strdup (part->arguments);
      same->mime_type = g_strdup (part->mime_type);
      same->data = part->data != NULL ? g_bytes_ref (part->data) : NULL;
    }
}

/**
 * gadget_request_without_images:
 *
 * Returns: (transfer full): a copy in which texts replace the images, for a model that accepts only
 *   text
 */
GadgetRequest *
gadget_request_without_images (GadgetRequest *self)
{
  GadgetRequest *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = gadget_request_new ();
  copy->model = g_strdup (self->model);
  copy->system = g_strdup (self->system);
  for (guint i = 0; i < self->messages->len; i++)
    {
      copy_message (copy, g_ptr_array_index (self->messages, i));
      gadget_message_drop_images (g_ptr_array_index (copy->messages, i), "shown to you");
    }
  for (guint i = 0; i < self->tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (self->tools, i);

      gadget_request_add_tool (copy, tool->name, tool->description, tool->schema);
    }
  return copy;
}
