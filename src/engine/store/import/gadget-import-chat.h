/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: builds a chat, as data/docs/export.md describes it, of what
 * other programs export. */

#pragma once

#include "common/gadget-types.h"
#include "gadget-import-value.h"

G_BEGIN_DECLS

/**
 * GadgetImportHeader:
 * @source: the program
 * @id: tells the chat from the others of the program
 * @title: (nullable)
 * @folder: (nullable): the name of a folder, a project or a tag
 * @model: (nullable): of turns for which no model is known
 * @current: (nullable): the id of the last message of the branch that was shown
 * @created_at: in milliseconds since 1970; 0 if unknown
 * @updated_at: likewise
 * @archived: whether it is put away
 * @pinned: whether it is at the top
 * @has_instructions: whether there is a system prompt, for which Gadget has no place
 *
 * What a file says of a chat, beside its messages. The strings are those of the file.
 */
typedef struct
{
  const char *source;
  const char *id;
  const char *title;
  const char *folder;
  const char *model;
  const char *current;
  gint64 created_at;
  gint64 updated_at;
  gboolean archived;
  gboolean pinned;
  gboolean has_instructions;
} GadgetImportHeader;

/* Looks for the bytes of a file in the archives of an import, by its id. @name is set to the name
 * that the archive has for it (transfer none) (nullable). (transfer full) (nullable) */
typedef GBytes *(*GadgetImportFindFile) (const char  *id,
                                         const char **name,
                                         gpointer     user_data);

/* What the chats of a file have in common: the memory of their rows, and where files are looked
 * for. */
typedef struct
{
  GadgetImportMemory *memory;
  GadgetImportFindFile find_file; /* (nullable) */
  gpointer user_data;
} GadgetImportContext;

typedef struct _GadgetImportChat GadgetImportChat;

/* Begins a chat. The branch is the message that makes it another one than the first of the chat
 * (nullable). */
GadgetImportChat *_gadget_import_chat_new           (const GadgetImportContext *context,
                                                     const GadgetImportHeader  *header,
                                                     const char                *branch);
void              _gadget_import_chat_free          (GadgetImportChat          *self);

/* A prompt begins a turn, unless nothing came of the one before; then it is a part of that. The ids
 * of messages, which are (nullable), are those of the other program. Texts are not copied. */
void              _gadget_import_chat_add_prompt    (GadgetImportChat          *self,
                                                     const char                *message,
                                                     const char                *text,
                                                     gint64                     time);
/* Adds an item; a text that is NULL, or only white space, is none. */
void              _gadget_import_chat_add_item      (GadgetImportChat          *self,
                                                     const char                *message,
                                                     GadgetItemKind             kind,
                                                     const char                *text,
                                                     gint64                     time);
/* Adds a call of a tool; the name may be NULL, and arguments that are no JSON object become one. */
void              _gadget_import_chat_add_call      (GadgetImportChat          *self,
                                                     const char                *message,
                                                     const char                *call_id,
                                                     const char                *name,
                                                     const char                *arguments,
                                                     gint64                     time);
/* Adds to the output of the call with that id, or else of the last one, which is made if the turn
 * has none. */
void              _gadget_import_chat_add_output    (GadgetImportChat          *self,
                                                     const char                *message,
                                                     const char                *call_id,
                                                     const char                *name,
                                                     const char                *text,
                                                     gint64                     time);
/* Sets the model of the turn, if there is one. */
void              _gadget_import_chat_set_model     (GadgetImportChat          *self,
                                                     const char                *model);
/* Attach a file to the turn: its text, the file with that id in the archives, or bytes, which may be
 * NULL. What cannot be attached is missing, and is named in the chat. A name that is NULL is not
 * known. */
void              _gadget_import_chat_attach_text   (GadgetImportChat          *self,
                                                     const char                *name,
                                                     const char                *text);
void              _gadget_import_chat_attach_file   (GadgetImportChat          *self,
                                                     const char                *name,
                                                     const char                *id);
void              _gadget_import_chat_attach_bytes  (GadgetImportChat          *self,
                                                     const char                *name,
                                                     GBytes                    *bytes);
/* Attaches bytes in base64, or of a "data:" URL. */
void              _gadget_import_chat_attach_base64 (GadgetImportChat          *self,
                                                     const char                *name,
                                                     const char                *base64);

/* What follows is no more what another chat has as well. */
void              _gadget_import_chat_fork          (GadgetImportChat          *self);
/* Return what was added since then: whether there is anything, and the attachments that are missing
 * of it; and the number of turns before it. */
gboolean          _gadget_import_chat_has_own       (GadgetImportChat          *self);
guint             _gadget_import_chat_get_n_missing (GadgetImportChat          *self);
guint             _gadget_import_chat_get_n_shared  (GadgetImportChat          *self);

/* Returns the row of the chat with its turns, in the memory of the context; NULL if it has none.
 * Nothing can be added afterwards. */
GadgetImportValue *_gadget_import_chat_end          (GadgetImportChat          *self);

/* Reads a time in seconds, milliseconds, microseconds or nanoseconds since 1970, or in ISO 8601.
 * Returns milliseconds; 0 if it is missing or impossible. */
gint64            _gadget_import_get_time           (const GadgetImportValue   *object,
                                                     const char                *name);
gint64            _gadget_import_parse_time         (const char                *text);

/* Returns an id (transfer full) that is always the same for the three, of which the last two may be
 * NULL. */
char             *_gadget_import_make_id            (const char                *source,
                                                     const char                *chat,
                                                     const char                *message);
/* Appends a paragraph, unless it is NULL or empty. */
void              _gadget_import_append             (GString                   *text,
                                                     const char                *more);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportChat, _gadget_import_chat_free)

G_END_DECLS
