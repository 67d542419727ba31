/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what is a word, in the texts of the index and in those of the user. */

#pragma once

#include "gadget-chat-search-results.h"

G_BEGIN_DECLS

/* The first character of the word that names the tool of a call in the index. It is one for private
 * use, so that no text has it. */
#define GADGET_CHAT_SEARCH_TOOL_MARK "\uE000"

/* Appends TEXT as the index takes it. TEXT need not be valid UTF-8. */
void                   _gadget_chat_search_text_prepare      (GString                     *to,
                                                              const char                  *text,
                                                              gsize                        length);
/* Appends the word that names the tool. */
void                   _gadget_chat_search_text_add_tool     (GString                     *to,
                                                              const char                  *tool);

/* The words of a query. */
typedef struct _GadgetChatSearchWords GadgetChatSearchWords;

/* (transfer full) (nullable): NULL if TEXT has no word. */
GadgetChatSearchWords *_gadget_chat_search_words_new         (const char                  *text);
void                   _gadget_chat_search_words_free        (GadgetChatSearchWords       *self);
/* Returns the beginning of a word with which the query ends, as it is in the index (transfer full);
 * NULL if it ends with a whole word, or in another script than the Latin one. */
char                  *_gadget_chat_search_words_dup_begin   (const GadgetChatSearchWords *self);
/* Returns the expression for MATCH of FTS5 (transfer full), which is valid whatever the user typed.
 * TOOL is nullable. ENDS (nullable) (element-type utf8) are the words that the last word stands
 * for, instead of all that begin with it. */
char                  *_gadget_chat_search_words_dup_match   (const GadgetChatSearchWords *self,
                                                              const char                  *tool,
                                                              const GPtrArray             *ends);
/* The index finds too many texts if the words are inexact. _match () returns whether all phrases
 * are in TEXT. */
gboolean               _gadget_chat_search_words_are_inexact (const GadgetChatSearchWords *self);
gboolean               _gadget_chat_search_words_match       (const GadgetChatSearchWords *self,
                                                              const char                  *text,
                                                              gsize                        length);
/* Sets TEXT and RANGES of MATCH to the line of TEXT with the most of the words (both transfer
 * full). Returns FALSE, with the beginning of TEXT and no ranges, if none of the words is in it. */
gboolean               _gadget_chat_search_words_cut         (const GadgetChatSearchWords *self,
                                                              const char                  *text,
                                                              GadgetChatSearchMatch       *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChatSearchWords, _gadget_chat_search_words_free)

G_END_DECLS
