/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: builds a chat, as data/docs/export.md describes it, of what
 * other programs export. */

#pragma once

#include <json-glib/json-glib.h>

#include "common/gadget-types.h"

G_BEGIN_DECLS

typedef struct _GadgetImportChat GadgetImportChat;

/* Begins a chat. @source and @id tell it from all others. Times are in milliseconds since 1970, 0 if
 * they are not known. The title is (nullable). */
GadgetImportChat *_gadget_import_chat_new           (const char        *source,
                                                     const char        *id,
                                                     const char        *title,
                                                     gint64             created_at,
                                                     gint64             updated_at);
void              _gadget_import_chat_free          (GadgetImportChat  *self);
void              _gadget_import_chat_set_flag      (GadgetImportChat  *self,
                                                     const char        *column);
/* Puts the chat into a folder, whose row is a member "folder" of the chat in the end. */
void              _gadget_import_chat_set_folder    (GadgetImportChat  *self,
                                                     const char        *name);

/* A prompt begins a turn, unless nothing came of the one before; then it is a part of that. The ids
 * of messages, which are (nullable), are those of the other program. */
void              _gadget_import_chat_add_prompt    (GadgetImportChat  *self,
                                                     const char        *message,
                                                     const char        *text,
                                                     gint64             time);
void              _gadget_import_chat_add_item      (GadgetImportChat  *self,
                                                     const char        *message,
                                                     GadgetItemKind     kind,
                                                     const char        *text,
                                                     gint64             time);
/* Adds a call of a tool; arguments that are no JSON object become one. Returns its item (transfer
 * none), to which outputs can be added. */
JsonObject       *_gadget_import_chat_add_call      (GadgetImportChat  *self,
                                                     const char        *message,
                                                     const char        *call_id,
                                                     const char        *name,
                                                     const char        *arguments,
                                                     gint64             time);
void              _gadget_import_chat_add_output    (GadgetImportChat  *self,
                                                     JsonObject        *call,
                                                     const char        *text,
                                                     gint64             time);
/* Sets the model of the turn, if there is one. */
void              _gadget_import_chat_set_model     (GadgetImportChat  *self,
                                                     const char        *model);
/* Attaches a file to the turn; a @text that is NULL is missing, and is named in the chat. */
void              _gadget_import_chat_attach        (GadgetImportChat  *self,
                                                     const char        *name,
                                                     const char        *text);
guint             _gadget_import_chat_get_n_missing (GadgetImportChat  *self);

/* Returns the row of the chat with its turns (transfer full), NULL if it has none. Nothing can be
 * added afterwards. */
JsonObject       *_gadget_import_chat_end           (GadgetImportChat  *self);

/* Reads a time in seconds, milliseconds, microseconds or nanoseconds since 1970, or in ISO 8601.
 * Returns milliseconds; 0 if it is missing or impossible. */
gint64            _gadget_import_get_time           (JsonObject        *object,
                                                     const char        *name);
gint64            _gadget_import_parse_time         (const char        *text);

/* Returns an id (transfer full) that is always the same for the three, of which the last two may be
 * NULL. */
char             *_gadget_import_make_id            (const char        *source,
                                                     const char        *chat,
                                                     const char        *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportChat, _gadget_import_chat_free)

G_END_DECLS
