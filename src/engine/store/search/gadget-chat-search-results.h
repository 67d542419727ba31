/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Queries of the search over all chats, and their results. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The kind of text that a match was found in. */
typedef enum
{
  GADGET_CHAT_SEARCH_PROMPT,     /* a message of the user's, also one sent while a turn went on */
  GADGET_CHAT_SEARCH_ANSWER,
  GADGET_CHAT_SEARCH_REASONING,
  GADGET_CHAT_SEARCH_CALL,       /* the arguments of a call of a tool; subject: the tool */
  GADGET_CHAT_SEARCH_CHANGE,     /* the same if it changes a file; subject: the file */
  GADGET_CHAT_SEARCH_OUTPUT,     /* what a call showed or returned; subject: the tool */
  GADGET_CHAT_SEARCH_ATTACHMENT, /* the text of an attachment; subject: its name */
  GADGET_CHAT_SEARCH_FILE_NAME,  /* the name of an attachment; subject: the name */
} GadgetChatSearchKind;

typedef enum
{
  GADGET_CHAT_SEARCH_BEST_MATCH,
  GADGET_CHAT_SEARCH_NEWEST,
  GADGET_CHAT_SEARCH_OLDEST,
} GadgetChatSearchOrder;

/**
 * GadgetChatSearchQuery:
 * @text: what the user typed. All words must be in one text; words in "quotes" must follow each
 *   other; the last word is searched as the beginning of a word unless a space follows it. No text
 *   is a wrong one
 * @session_id: (nullable): only in this chat, including its subagents
 * @workspace: (nullable): only in chats with this workspace
 * @chat_folder: (nullable): only in chats in this folder of chats, or in a folder in it
 * @tool: (nullable): only in calls of this tool
 * @provider: (nullable): only in turns of this provider
 * @status: (nullable): only in turns with this status, as gadget_turn_status_to_string () says it
 * @since: only in turns started at this time or later, in milliseconds since 1970; 0 for any
 * @until: only in turns started before this time; 0 for any
 * @changed_files: only in turns that changed files
 * @excluded: (nullable): ids of chats that are not searched, such as those about to be deleted
 * @order: how the chats, and the matches of each chat, are sorted
 * @offset: how many chats to skip
 * @limit: the most chats to return; 0 for 20
 * @chat_offset: how many matches of each chat to skip
 * @chat_limit: the most matches of each chat to return; 0 for 3
 *
 * A query, to be initialized with { 0 }.
 */
typedef struct
{
  const char *text;
  const char *session_id;
  const char *workspace;
  const char *chat_folder;
  const char *tool;
  const char *provider;
  const char *status;
  gint64 since;
  gint64 until;
  gboolean changed_files;
  const char *const *excluded;
  GadgetChatSearchOrder order;
  guint offset;
  guint limit;
  guint chat_offset;
  guint chat_limit;
} GadgetChatSearchQuery;

/* A range of bytes of a text, from BEGIN to before END. */
typedef struct
{
  gsize begin;
  gsize end;
} GadgetChatSearchRange;

/**
 * GadgetChatSearchMatch:
 * @session_id: the chat of the turn; another one than that of the result if a subagent's
 * @turn_id: the turn
 * @position: the item in the turn; -1 for the turn's prompt and its attachments
 * @kind: what it was found in
 * @subject: (nullable): the tool, the file or the attachment, depending on @kind
 * @text: one line around the first match, which begins within the first 40 characters. It begins
 *   with "… " and ends with " …" where something was cut
 * @ranges: (element-type GadgetChatSearchRange): the matches in @text, in their order
 * @time: when the turn started, in milliseconds since 1970
 *
 * One text in which all words were found.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  int position;
  GadgetChatSearchKind kind;
  char *subject;
  char *text;
  GArray *ranges;
  gint64 time;
} GadgetChatSearchMatch;

/**
 * GadgetChatSearchResult:
 * @session_id: the chat
 * @title: (nullable): its title
 * @workspace: (nullable): its workspace
 * @time: when the chat was changed last, in milliseconds since 1970
 * @n_matches: all matches of the chat
 * @matches: (element-type GadgetChatSearchMatch): those that were asked for
 *
 * The matches of one chat, including those of its subagents.
 */
typedef struct
{
  char *session_id;
  char *title;
  char *workspace;
  gint64 time;
  guint n_matches;
  GPtrArray *matches;
} GadgetChatSearchResult;

/**
 * GadgetChatSearchResults:
 * @chats: (element-type GadgetChatSearchResult): those that were asked for, in order
 * @n_chats: all chats with a match
 * @n_matches: all matches
 * @complete: whether everything was searched; else the numbers are those so far, and the chats are
 *   the best of the newest matches. The last results may be
 *   incomplete, too: of a phrase of common words, or of three letters in a large library
 *
 * The result of a search.
 */
typedef struct
{
  GPtrArray *chats;
  guint n_chats;
  guint n_matches;
  gboolean complete;
} GadgetChatSearchResults;

/* Copies a query with its strings (transfer full), and frees a copy. */
GadgetChatSearchQuery *gadget_chat_search_query_copy   (const GadgetChatSearchQuery *self);
void                   gadget_chat_search_query_free   (GadgetChatSearchQuery       *self);

/* What the match was found in, "Call of shell", in the user's language. (transfer full) */
char                  *gadget_chat_search_match_dup_place (const GadgetChatSearchMatch *self);

/* Free what a search made. */
void                   gadget_chat_search_match_free   (GadgetChatSearchMatch       *self);
void                   gadget_chat_search_result_free  (GadgetChatSearchResult      *self);
void                   gadget_chat_search_results_free (GadgetChatSearchResults     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChatSearchResults, gadget_chat_search_results_free)

G_END_DECLS
