/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetSearch:
 *
 * The full-text search over all chats, and its index. Properties, with notify:
 *
 *   n-chats     uint, the stored chats
 *   n-indexed   uint, those of them that can be searched so far. The index is complete when both
 *               are equal
 *   damaged     boolean, whether the index is damaged, which says nothing about the chats; see
 *               gadget_search_rebuild_async ()
 */
#define GADGET_TYPE_SEARCH (gadget_search_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSearch, gadget_search, GADGET, SEARCH, GObject)

/* What a match was found in. */
typedef enum
{
  GADGET_SEARCH_PROMPT,     /* a message of the user's, also one sent while a turn went on */
  GADGET_SEARCH_ANSWER,
  GADGET_SEARCH_REASONING,
  GADGET_SEARCH_CALL,       /* the arguments of a call of a tool; subject: the tool */
  GADGET_SEARCH_CHANGE,     /* the arguments of a call that changes a file; subject: the file */
  GADGET_SEARCH_OUTPUT,     /* what a call showed or returned; subject: the tool */
  GADGET_SEARCH_ATTACHMENT, /* the text of an attachment; subject: its name */
  GADGET_SEARCH_FILE_NAME,  /* the name of an attachment; subject: the name */
} GadgetSearchKind;

typedef enum
{
  GADGET_SEARCH_BEST_MATCH,
  GADGET_SEARCH_NEWEST,
  GADGET_SEARCH_OLDEST,
} GadgetSearchOrder;

/**
 * GadgetSearchQuery:
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
 * What to search, to be initialized with { 0 }.
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
  GadgetSearchOrder order;
  guint offset;
  guint limit;
  guint chat_offset;
  guint chat_limit;
} GadgetSearchQuery;

/* A range of bytes of a text, from BEGIN to before END. */
typedef struct
{
  gsize begin;
  gsize end;
} GadgetSearchRange;

/**
 * GadgetSearchMatch:
 * @session_id: the chat of the turn; another one than that of the result if a subagent's
 * @turn_id: the turn
 * @position: the item in the turn; -1 for the turn's prompt and its attachments
 * @kind: what it was found in
 * @subject: (nullable): the tool, the file or the attachment, depending on @kind
 * @text: one line around the first match, which begins within the first 40 characters. It begins
 *   with "… " and ends with " …" where something was cut
 * @ranges: (element-type GadgetSearchRange): the matches in @text, in their order
 * @time: when the turn started, in milliseconds since 1970
 *
 * One text in which all words were found.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  int position;
  GadgetSearchKind kind;
  char *subject;
  char *text;
  GArray *ranges;
  gint64 time;
} GadgetSearchMatch;

/**
 * GadgetSearchChat:
 * @session_id: the chat
 * @title: (nullable): its title
 * @workspace: (nullable): its workspace
 * @time: when the chat was changed last, in milliseconds since 1970
 * @n_matches: all matches of the chat
 * @matches: (element-type GadgetSearchMatch): those that were asked for
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
} GadgetSearchChat;

/**
 * GadgetSearchResults:
 * @chats: (element-type GadgetSearchChat): those that were asked for, in order
 * @n_chats: all chats with a match
 * @n_matches: all matches
 * @complete: whether everything was searched; else the numbers are those so far, and the chats are
 *   the best of the newest matches
 *
 * The result of a search.
 */
typedef struct
{
  GPtrArray *chats;
  guint n_chats;
  guint n_matches;
  gboolean complete;
} GadgetSearchResults;

/* Called with the first results of a search that takes longer. @results belong to the caller. */
typedef void (*GadgetSearchFirstFunc)              (const GadgetSearchResults *results,
                                                    gpointer                   user_data);

GadgetSearch        *gadget_search_new             (GadgetStore              *store);

/* Begins to bring the index up to date, and keeps it so until the store is closed. The store must
 * have been opened. To be called once. */
void                 gadget_search_start           (GadgetSearch             *self);

guint                gadget_search_get_n_chats     (GadgetSearch             *self);
guint                gadget_search_get_n_indexed   (GadgetSearch             *self);
gboolean             gadget_search_get_damaged     (GadgetSearch             *self);

/* Documented in gadget-search.c. */
void                 gadget_search_find_async      (GadgetSearch             *self,
                                                    const GadgetSearchQuery  *query,
                                                    GadgetSearchFirstFunc     first,
                                                    gpointer                  first_data,
                                                    GCancellable             *cancellable,
                                                    GAsyncReadyCallback       callback,
                                                    gpointer                  user_data);
GadgetSearchResults *gadget_search_find_finish     (GadgetSearch             *self,
                                                    GAsyncResult             *result,
                                                    GError                  **error);
void                 gadget_search_results_free    (GadgetSearchResults      *self);

/* Waits until everything that was written before is in the index. */
void                 gadget_search_settle_async    (GadgetSearch             *self,
                                                    GAsyncReadyCallback       callback,
                                                    gpointer                  user_data);
gboolean             gadget_search_settle_finish   (GadgetSearch             *self,
                                                    GAsyncResult             *result,
                                                    GError                  **error);

/* Checks whether the index is damaged, which takes seconds for a large one. */
void                 gadget_search_check_async     (GadgetSearch             *self,
                                                    GAsyncReadyCallback       callback,
                                                    gpointer                  user_data);
gboolean             gadget_search_check_finish    (GadgetSearch             *self,
                                                    GAsyncResult             *result,
                                                    GError                  **error);

/* Empties the index, also a damaged one, and begins to build it again in the background. */
void                 gadget_search_rebuild_async   (GadgetSearch             *self,
                                                    GAsyncReadyCallback       callback,
                                                    gpointer                  user_data);
gboolean             gadget_search_rebuild_finish  (GadgetSearch             *self,
                                                    GAsyncResult             *result,
                                                    GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSearchResults, gadget_search_results_free)

G_END_DECLS
