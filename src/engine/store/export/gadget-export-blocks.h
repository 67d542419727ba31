/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-export.h"

G_BEGIN_DECLS

/**
 * GadgetExportBlockKind:
 * @GADGET_EXPORT_BLOCK_TITLE: the title of a chat, with which it begins
 * @GADGET_EXPORT_BLOCK_ABOUT: its time and its folder
 * @GADGET_EXPORT_BLOCK_SPEAKER: who says what follows
 * @GADGET_EXPORT_BLOCK_PROMPT: what the user said, as it was typed
 * @GADGET_EXPORT_BLOCK_ATTACHMENT: the name of an attached file
 * @GADGET_EXPORT_BLOCK_PICTURE: an attached image, or one that a tool gave
 * @GADGET_EXPORT_BLOCK_ANSWER: what the model said, in Markdown
 * @GADGET_EXPORT_BLOCK_REASONING: its reasoning, in Markdown
 * @GADGET_EXPORT_BLOCK_CALL: a line that says what a tool did
 * @GADGET_EXPORT_BLOCK_OUTPUT: the output of a tool, or the text of an attached file
 * @GADGET_EXPORT_BLOCK_ENDING: how a turn ended that did not simply finish
 */
typedef enum
{
  GADGET_EXPORT_BLOCK_TITLE,
  GADGET_EXPORT_BLOCK_ABOUT,
  GADGET_EXPORT_BLOCK_SPEAKER,
  GADGET_EXPORT_BLOCK_PROMPT,
  GADGET_EXPORT_BLOCK_ATTACHMENT,
  GADGET_EXPORT_BLOCK_PICTURE,
  GADGET_EXPORT_BLOCK_ANSWER,
  GADGET_EXPORT_BLOCK_REASONING,
  GADGET_EXPORT_BLOCK_CALL,
  GADGET_EXPORT_BLOCK_OUTPUT,
  GADGET_EXPORT_BLOCK_ENDING,
} GadgetExportBlockKind;

/* A part of a chat: texts are UTF-8. The text of an image is its name. */
typedef struct
{
  GadgetExportBlockKind kind;
  char *text;
  GBytes *picture; /* (nullable): the file of an image, which may be of any kind */
} GadgetExportBlock;

/* Reads chats as blocks, for what is drawn; the arguments are those of gadget_export_async (). */
void       gadget_export_blocks_async  (const char          *directory,
                                        const char *const   *ids,
                                        GadgetExportParts    parts,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
/* Returns the blocks in their order (element-type GadgetExportBlock) (transfer full), NULL with
 * @error set as by gadget_export_finish (). */
GPtrArray *gadget_export_blocks_finish (GAsyncResult        *result,
                                        GError             **error);

G_END_DECLS
