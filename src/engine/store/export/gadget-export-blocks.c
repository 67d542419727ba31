/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as a list of their parts, for the program that draws them on pages. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-bidi.h"
#include "common/gadget-blocking.h"
#include "common/gadget-visible.h"
#include "gadget-export-blocks.h"
#include "gadget-export-private.h"

#include <glib/gi18n-lib.h>

static void
block_free (gpointer data)
{
  GadgetExportBlock *block = data;

  g_free (block->text);
  g_clear_pointer (&block->picture, g_bytes_unref);
  g_free (block);
}

/* Characters that would reorder the text are shown, as in the other formats. */
static gboolean
add (GadgetExport *self, GadgetExportBlockKind kind, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GadgetExportBlock *block = g_new0 (GadgetExportBlock, 1);

  block->kind = kind;
  block->text = kind == GADGET_EXPORT_BLOCK_OUTPUT ? gadget_visible_escape (valid)
                                                   : gadget_bidi_escape (valid);
  g_ptr_array_add (self->blocks, block);
  return TRUE;
}

static gboolean
begin_chat (GadgetExport *self, const char *title, const char *time, const char *workspace,
            GError **error)
{
  g_autofree char *about =
      g_strconcat (time != NULL ? time : "", time != NULL && workspace != NULL ? " · " : "",
                   workspace != NULL ? workspace : "", NULL);

  return add (self, GADGET_EXPORT_BLOCK_TITLE, title)
         && (*about == '\0' || add (self, GADGET_EXPORT_BLOCK_ABOUT, about));
}

static gboolean
begin_message (GadgetExport *self, const char *text, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_SPEAKER, _ ("You"))
         && add (self, GADGET_EXPORT_BLOCK_PROMPT, text);
}

static gboolean
add_attachment (GadgetExport *self, const char *name, const char *text, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_ATTACHMENT, name)
         && (text == NULL || add (self, GADGET_EXPORT_BLOCK_OUTPUT, text));
}

static gboolean
add_picture (GadgetExport *self, const char *name, const char *mime_type, GBytes *bytes,
             GError **error)
{
  GadgetExportBlock *block;

  add (self, GADGET_EXPORT_BLOCK_PICTURE, name);
  block = g_ptr_array_index (self->blocks, self->blocks->len - 1);
  block->picture = g_bytes_ref (bytes);
  return TRUE;
}

static gboolean
begin_reply (GadgetExport *self, const char *model, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_SPEAKER, *model != '\0' ? model : _ ("Gadget"));
}

static gboolean
add_answer (GadgetExport *self, const char *text, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_ANSWER, text);
}

static gboolean
add_reasoning (GadgetExport *self, const char *text, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_REASONING, text);
}

static gboolean
add_call (GadgetExport *self, const char *line, const char *output, GError **error)
{
  return add (self, GADGET_EXPORT_BLOCK_CALL, line)
         && (output == NULL || add (self, GADGET_EXPORT_BLOCK_OUTPUT, output));
}

static gboolean
end_reply (GadgetExport *self, const char *model, const char *status, GError **error)
{
  const char *ending = _gadget_export_get_ending (status);

  return ending == NULL || add (self, GADGET_EXPORT_BLOCK_ENDING, ending);
}

static const GadgetExportWriter writer = {
  .begin_chat = begin_chat,
  .begin_message = begin_message,
  .attachment = add_attachment,
  .begin_reply = begin_reply,
  .answer = add_answer,
  .reasoning = add_reasoning,
  .call = add_call,
  .picture = add_picture,
  .end_reply = end_reply,
};

static gpointer
read_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  GadgetExport *self = data;

  self->cancellable = cancellable;
  if (!_gadget_export_run (self, error))
    return NULL;
  return g_steal_pointer (&self->blocks);
}

static void
free_blocks (gpointer blocks)
{
  g_ptr_array_unref (blocks);
}

void
gadget_export_blocks_async (const char *directory, const char *const *ids, GadgetExportParts parts,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GadgetExport *self;

  g_return_if_fail (directory != NULL);

  self = _gadget_export_new (directory, ids, parts);
  self->writer = &writer;
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  gadget_blocking_run_async (cancellable, read_in_thread, self, _gadget_export_free, free_blocks,
                             callback, user_data);
}

GPtrArray *
gadget_export_blocks_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
