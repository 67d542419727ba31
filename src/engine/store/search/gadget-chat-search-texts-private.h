/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the texts of the rows of the index. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The kind of a text, which is a part of the number of its row. The values are stored. */
typedef enum
{
  GADGET_CHAT_SEARCH_IN_PROMPT = 0,
  GADGET_CHAT_SEARCH_IN_ANSWER = 1,
  GADGET_CHAT_SEARCH_IN_REASONING = 2,
  GADGET_CHAT_SEARCH_IN_CALL = 3,
} GadgetChatSearchIn;

#define GADGET_CHAT_SEARCH_ROW_TURN(row) ((row) >> 16)
#define GADGET_CHAT_SEARCH_ROW_POSITION(row) ((int) (((row) >> 2) & 0x3fff) - 1)
#define GADGET_CHAT_SEARCH_ROW_IN(row) ((GadgetChatSearchIn) ((row) & 3))

/* The texts of one row of the index, as the user wrote or sees them. */
typedef struct
{
  GadgetChatSearchIn in;
  char *text;             /* (nullable): the prompt, the answer, or the output of a call */
  char *arguments;        /* (nullable): the values of the arguments of a call */
  char *tool;             /* (nullable): the name of the tool */
  char *call_summary;     /* (nullable): JSON */
  GPtrArray *attachments; /* (nullable): of GadgetAttachment */
} GadgetChatSearchTexts;

/* Reads texts with statements that are prepared once. To be initialized with { db }. */
typedef struct
{
  sqlite3 *db;
  sqlite3_stmt *prompt;
  sqlite3_stmt *item;
} GadgetChatSearchTextReader;

/* Reads the texts of a row (transfer full); NULL without an error if there is none, or none yet. */
void                   _gadget_chat_search_text_reader_clear (GadgetChatSearchTextReader  *self);
GadgetChatSearchTexts *_gadget_chat_search_texts_read        (GadgetChatSearchTextReader  *reader,
                                                              gint64                       row,
                                                              GError                     **error);
void                   _gadget_chat_search_texts_free        (GadgetChatSearchTexts       *self);
/* Returns all of them in one (transfer full). */
GString               *_gadget_chat_search_texts_join        (const GadgetChatSearchTexts *self);

/* Makes the texts of the current row of a query for these columns of an item, or of a turn as its
 * prompt (transfer full); NULL if it has none. */
#define GADGET_CHAT_SEARCH_ITEM_COLUMNS "kind, text, attachments, name, arguments, result, call_summary"
#define GADGET_CHAT_SEARCH_PROMPT_COLUMNS "'steer', prompt, attachments, NULL, NULL, NULL, NULL"
#define GADGET_CHAT_SEARCH_SETTLED "status NOT IN ('streaming', 'pending', 'running')"
GadgetChatSearchTexts *_gadget_chat_search_texts_new         (sqlite3_stmt                *stmt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChatSearchTexts, _gadget_chat_search_texts_free)

G_END_DECLS
