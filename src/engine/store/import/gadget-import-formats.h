/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the chats of other programs, each recognized by its
 * members. */

#pragma once

#include "gadget-import-chat.h"

G_BEGIN_DECLS

/* The messages of a chat, each of which names the one that it follows on. */
typedef struct _GadgetImportTree GadgetImportTree;

/* Adds a message. @id and @parent are (nullable); @time is in milliseconds since 1970, 0 if it is
 * not known. */
void _gadget_import_tree_add (GadgetImportTree        *self,
                              const char              *id,
                              const char              *parent,
                              gint64                   time,
                              const GadgetImportValue *message);

/**
 * GadgetImportFormat:
 * @is_chat: tells whether an object is a chat of the program
 * @read: reads the header of one, and its messages; FALSE if it is broken
 * @add_message: adds what a message says to a chat
 *
 * What another program exports.
 */
typedef struct
{
  gboolean (*is_chat) (const GadgetImportValue *object);
  gboolean (*read) (const GadgetImportContext *context, const GadgetImportValue *object,
                    GadgetImportHeader *header, GadgetImportTree *tree);
  void (*add_message) (const GadgetImportContext *context, GadgetImportChat *chat,
                       const GadgetImportValue *message);
} GadgetImportFormat;

extern const GadgetImportFormat _gadget_import_chatgpt;
extern const GadgetImportFormat _gadget_import_claude;
extern const GadgetImportFormat _gadget_import_open_webui;

/**
 * GadgetImportConverted:
 * @rows: (element-type GadgetImportValue): the branch that was shown, and behind it the others, as
 *   data/docs/export.md describes them; empty if there are no messages
 * @n_missing: attachments that the file only names
 * @n_left_out: branches that are too many
 * @has_instructions: whether there is a system prompt, which was left out
 *
 * A chat of another program.
 */
typedef struct
{
  GPtrArray *rows;
  guint n_missing;
  guint n_left_out;
  gboolean has_instructions;
} GadgetImportConverted;

/* Returns the format of an object, NULL if it is no chat. */
const GadgetImportFormat *_gadget_import_find_format (const GadgetImportValue *object);
/* Returns the rows of a chat, NULL if it is broken (transfer full). */
GadgetImportConverted *_gadget_import_convert (const GadgetImportFormat  *format,
                                               const GadgetImportContext *context,
                                               const GadgetImportValue   *object);
void _gadget_import_converted_free (GadgetImportConverted *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportConverted, _gadget_import_converted_free)

G_END_DECLS
