/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change-cache.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/**
 * GadgetRowKind:
 *
 * The kind of content that a row of the transcript shows. A long text, of those kinds that have
 * one, is cut into several rows, which follow each other without a gap.
 */
typedef enum
{
  GADGET_ROW_KIND_PROMPT,         /* text: the user's message */
  GADGET_ROW_KIND_STEER,          /* text: a message that the user sent into the running turn */
  GADGET_ROW_KIND_ATTACHMENTS,          /* attachments of the user's message */
  GADGET_ROW_KIND_STEER_ATTACHMENTS,    /* attachments of a message sent into the running turn */
  GADGET_ROW_KIND_TEXT,           /* text: a response of the model */
  GADGET_ROW_KIND_NOTE,           /* text: a note by Gadget itself */
  GADGET_ROW_KIND_REASONING,      /* the line that stands for reasoning */
  GADGET_ROW_KIND_REASONING_TEXT, /* text: reasoning or a summary, when unfolded */
  GADGET_ROW_KIND_SUMMARY,        /* the line that stands for a summary of earlier messages */
  GADGET_ROW_KIND_GROUP,          /* the line of several calls of one step; range: their numbers */
  GADGET_ROW_KIND_TOOL,           /* text: the line of a tool call */
  GADGET_ROW_KIND_TOOL_ARGUMENTS, /* text: the arguments of a tool call, when unfolded */
  GADGET_ROW_KIND_TOOL_OUTPUT,    /* text: the output of a tool call, when unfolded */
  GADGET_ROW_KIND_DIFF,           /* text: instead of both, the change in a file */
  GADGET_ROW_KIND_PICTURE,        /* a picture of the call's result; range: its number */
  GADGET_ROW_KIND_ASK,            /* the ask card of an item that waits for an answer */
  GADGET_ROW_KIND_ABORTED,        /* the card of an aborted turn */
  GADGET_ROW_KIND_ERROR,          /* the card of a failed turn */
  GADGET_ROW_KIND_UNSAVED,        /* the notice of a turn that is not saved */
  GADGET_ROW_KIND_FOOTER,         /* the status line of a turn */
} GadgetRowKind;

/* Returns whether the text of such rows is Markdown. */
gboolean           gadget_row_kind_is_markdown       (GadgetRowKind      kind);

#define GADGET_TYPE_ROW_DATA (gadget_row_data_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRowData, gadget_row_data, GADGET, ROW_DATA, GObject)

/* GadgetRowData: the data that one row shows. It is made when the row is realized, so only rows in
 * and near the viewport have one. Getters return what the object owns. (transfer none) */
GadgetRowData     *gadget_row_data_new               (GadgetRowKind      kind,
                                                      GadgetTurn        *turn,
                                                      GadgetItem        *item);
GadgetRowKind      gadget_row_data_get_kind          (GadgetRowData     *self);
GadgetTurn        *gadget_row_data_get_turn          (GadgetRowData     *self);
GadgetItem        *gadget_row_data_get_item          (GadgetRowData     *self);

/* For a row of a subagent: its chat, and how many subagents deep that is. Otherwise NULL and 0. */
GadgetSession     *gadget_row_data_get_session       (GadgetRowData     *self);
guint              gadget_row_data_get_depth         (GadgetRowData     *self);
void               gadget_row_data_set_nested        (GadgetRowData     *self,
                                                      GadgetSession     *session,
                                                      guint              depth);

/* The range of bytes of the source that the row shows. */
void               gadget_row_data_set_range         (GadgetRowData     *self,
                                                      gsize              start,
                                                      gsize              end);
gsize              gadget_row_data_get_start         (GadgetRowData     *self);
gsize              gadget_row_data_get_end           (GadgetRowData     *self);

/* For Markdown that begins in the middle of a block: where the block begins. Otherwise the start of
 * the range. */
void               gadget_row_data_set_context       (GadgetRowData     *self,
                                                      gsize              context);
gsize              gadget_row_data_get_context       (GadgetRowData     *self);

/* Tells whether the row stands for lines of code that are folded. */
void               gadget_row_data_set_folded        (GadgetRowData     *self,
                                                      gboolean           folded);
gboolean           gadget_row_data_get_folded        (GadgetRowData     *self);

/* Tells whether the part that the row can fold (details, a receipt, reasoning) is unfolded. */
void               gadget_row_data_set_expanded      (GadgetRowData     *self,
                                                      gboolean           expanded);
gboolean           gadget_row_data_get_expanded      (GadgetRowData     *self);

/* The cache of changes (NULL when there is none), and the chat's turn that the changes are recorded
 * for: for a row of a subagent, the turn that contains its call. set_book () also sets the
 * workspace. */
GadgetChangeCache *gadget_row_data_get_change_cache  (GadgetRowData     *self);
GadgetTurn        *gadget_row_data_get_root          (GadgetRowData     *self);
void               gadget_row_data_set_change_cache  (GadgetRowData     *self,
                                                      GadgetChangeCache *cache,
                                                      GadgetTurn        *root,
                                                      const char        *workspace);

/* The folder of the chat, NULL when there is none. Paths in it are shown relative to it. */
const char        *gadget_row_data_get_workspace     (GadgetRowData     *self);

/* Returns the changes of the root turn that are known now, or NULL; reading them is started if
 * necessary. */
GadgetTurnChanges *gadget_row_data_get_changes       (GadgetRowData     *self);

/* The name of the turn's provider in the user's settings, or NULL. */
void               gadget_row_data_set_provider_name (GadgetRowData     *self,
                                                      const char        *name);
const char        *gadget_row_data_get_provider_name (GadgetRowData     *self);

/* Returns the part of the source that the row shows, without the line ends that are not shown; ""
 * for a kind without a text. It is not terminated by a NUL, and is valid until the source grows. */
const char        *gadget_row_data_get_text          (GadgetRowData     *self,
                                                      gsize             *length);

/* Returns the whole text of which rows of @kind show parts, NULL for a kind without a text. It
 * belongs to @turn or @item, and is valid until that grows. */
const char        *gadget_row_data_get_source        (GadgetRowKind      kind,
                                                      GadgetTurn        *turn,
                                                      GadgetItem        *item,
                                                      gsize             *length);

G_END_DECLS
