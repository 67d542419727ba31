/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetRowKind:
 *
 * The kind of content that a row of the transcript shows. The table in gadget-row-kind.c has a line
 * for each kind, and so has the table of widgets in gadget-row-factory.c. A long text, of those
 * kinds that have one, is cut into several rows, which follow each other without a gap.
 */
typedef enum
{
  GADGET_ROW_KIND_PROMPT,            /* the user's message */
  GADGET_ROW_KIND_STEER,             /* a message that the user sent into the running turn */
  GADGET_ROW_KIND_ATTACHMENTS,       /* attachments of the user's message */
  GADGET_ROW_KIND_STEER_ATTACHMENTS, /* attachments of a message sent into the running turn */
  GADGET_ROW_KIND_TEXT,              /* a response of the model */
  GADGET_ROW_KIND_NOTE,              /* a note by Gadget itself */
  GADGET_ROW_KIND_REASONING,         /* the line that stands for reasoning */
  GADGET_ROW_KIND_REASONING_TEXT,    /* reasoning or a summary, when unfolded */
  GADGET_ROW_KIND_SUMMARY,           /* the line that stands for a summary of earlier messages */
  GADGET_ROW_KIND_GROUP,             /* the line of several calls; the range has their numbers */
  GADGET_ROW_KIND_TOOL,              /* the line of a tool call */
  GADGET_ROW_KIND_TOOL_ARGUMENTS,    /* the arguments of a tool call, when unfolded */
  GADGET_ROW_KIND_TOOL_OUTPUT,       /* the output of a tool call, when unfolded */
  GADGET_ROW_KIND_DIFF,              /* instead of both, the change in a file */
  GADGET_ROW_KIND_PICTURE,           /* a picture of the call's result; the range has its number */
  GADGET_ROW_KIND_ASK,               /* the ask card of an item that waits for an answer */
  GADGET_ROW_KIND_ABORTED,           /* the card of an aborted turn */
  GADGET_ROW_KIND_ERROR,             /* the card of a failed turn */
  GADGET_ROW_KIND_UNSAVED,           /* the notice of a turn that is not saved */
  GADGET_ROW_KIND_FOOTER,            /* the status line of a turn */
  GADGET_N_ROW_KINDS
} GadgetRowKind;

/**
 * GadgetRowText:
 * @GADGET_ROW_TEXT_NONE: the row shows no part of a text
 * @GADGET_ROW_TEXT_PROMPT: the prompt of the turn
 * @GADGET_ROW_TEXT_ITEM: the text of the item
 * @GADGET_ROW_TEXT_CALL: the summary of the call, or else the name of its tool
 * @GADGET_ROW_TEXT_ARGUMENTS: the arguments of the call
 * @GADGET_ROW_TEXT_OUTPUT: the output of the call
 *
 * The text of which a row shows a part.
 */
typedef enum
{
  GADGET_ROW_TEXT_NONE,
  GADGET_ROW_TEXT_PROMPT,
  GADGET_ROW_TEXT_ITEM,
  GADGET_ROW_TEXT_CALL,
  GADGET_ROW_TEXT_ARGUMENTS,
  GADGET_ROW_TEXT_OUTPUT,
} GadgetRowText;

/**
 * GadgetRowFlags:
 * @GADGET_ROW_OF_TURN: the row belongs to its turn and not to an item
 * @GADGET_ROW_MARKDOWN: the text is Markdown
 * @GADGET_ROW_LINE: the row is one line that can be unfolded; such rows stand close together
 * @GADGET_ROW_DETAIL: the row is a part of what such a line unfolds to, and stands close below it
 */
typedef enum
{
  GADGET_ROW_OF_TURN = 1 << 0,
  GADGET_ROW_MARKDOWN = 1 << 1,
  GADGET_ROW_LINE = 1 << 2,
  GADGET_ROW_DETAIL = 1 << 3,
} GadgetRowFlags;

GadgetRowText gadget_row_kind_get_text (GadgetRowKind kind);
gboolean gadget_row_kind_is_of_turn (GadgetRowKind kind);
gboolean gadget_row_kind_is_markdown (GadgetRowKind kind);
gboolean gadget_row_kind_is_line (GadgetRowKind kind);
gboolean gadget_row_kind_is_detail (GadgetRowKind kind);

G_END_DECLS
