/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the index; documented in gadget-chat-search-index.c. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* What the row of a text in the index says of it. The numbers are stored. */
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

/**
 * GadgetChatSearchStep:
 * @more: whether there is more to index
 * @damaged: whether the index is damaged
 * @n_chats: all chats
 * @n_indexed: the chats that can be searched
 * @counted_us: when the chats were counted, in monotonic time; given back to the next step
 *
 * A part of the work on the index, and what it found.
 */
typedef struct
{
  gboolean more;
  gboolean damaged;
  guint n_chats;
  guint n_indexed;
  gint64 counted_us;
} GadgetChatSearchStep;

/* A GadgetStoreFunc for a GadgetChatSearchStep: indexes for some milliseconds. It succeeds, with
 * "damaged" set, if the index is damaged. */
gboolean               _gadget_chat_search_index_step        (sqlite3                     *db,
                                                              gpointer                     data,
                                                              GError                     **error);
/* A GadgetStoreFunc that empties the index, so that it is built again. */
gboolean               _gadget_chat_search_index_reset       (sqlite3                     *db,
                                                              gpointer                     data,
                                                              GError                     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChatSearchTexts, _gadget_chat_search_texts_free)

G_END_DECLS
