/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GADGET_ROW_KINDS:
 * @PROMPT: the user's message
 * @STEER: a message that the user sent into the running turn
 * @ATTACHMENTS: attachments of the user's message
 * @STEER_ATTACHMENTS: attachments of a message sent into the running turn
 * @TEXT: a response of the model
 * @NOTE: a note by Gadget itself
 * @REASONING: the line that stands for reasoning
 * @REASONING_TEXT: reasoning or a summary, when unfolded
 * @SUMMARY: the line that stands for a summary of earlier messages
 * @GROUP: the line of several calls; the range has their numbers
 * @TOOL: the line of a tool call
 * @TOOL_ARGUMENTS: the arguments of a tool call, when unfolded
 * @TOOL_OUTPUT: the output of a tool call, when unfolded
 * @DIFF: instead of both, the change in a file
 * @PICTURE: a picture of the call's result; the range has its number
 * @ASK: the ask card of an item that waits for an answer
 * @ABORTED: the card of an aborted turn
 * @ERROR: the card of a failed turn
 * @UNSAVED: the notice of a turn that is not saved
 * @FOOTER: the status line of a turn
 *
 * The kinds of rows of the transcript. A kind has one line: its name, which is stored and never
 * changes; its widget, gadget-WIDGET-row.c; the #GadgetRowText that its rows show parts of; its
 * #GadgetRowFlags; how the height of a row is guessed before it is a widget, a #GadgetRowEstimate;
 * and for that a height in pixels.
 */
#define GADGET_ROW_KINDS(KIND)                                                  \
  KIND (PROMPT,            prompt,      PROMPT,    OF_TURN,  BUBBLE,      24)   \
  KIND (STEER,             prompt,      ITEM,      NONE,     BUBBLE,      24)   \
  KIND (ATTACHMENTS,       attachments, NONE,      OF_TURN,  ATTACHMENTS, 0)    \
  KIND (STEER_ATTACHMENTS, attachments, NONE,      NONE,     ATTACHMENTS, 0)    \
  KIND (TEXT,              markdown,    ITEM,      MARKDOWN, TEXT,        0)    \
  KIND (NOTE,              markdown,    ITEM,      MARKDOWN, TEXT,        0)    \
  KIND (REASONING,         reasoning,   NONE,      LINE,     HEIGHT,      28)   \
  KIND (REASONING_TEXT,    text,        ITEM,      DETAIL,   TEXT,        0)    \
  KIND (SUMMARY,           reasoning,   NONE,      LINE,     HEIGHT,      28)   \
  KIND (GROUP,             group,       NONE,      LINE,     HEIGHT,      28)   \
  KIND (TOOL,              tool,        CALL,      LINE,     HEIGHT,      28)   \
  KIND (TOOL_ARGUMENTS,    text,        ARGUMENTS, DETAIL,   TEXT,        0)    \
  KIND (TOOL_OUTPUT,       output,      OUTPUT,    DETAIL,   TEXT,        0)    \
  KIND (DIFF,              diff,        ITEM,      DETAIL,   TEXT,        0)    \
  KIND (PICTURE,           picture,     NONE,      DETAIL,   PICTURE,     0)    \
  KIND (ASK,               ask,         NONE,      NONE,     HEIGHT,      132)  \
  KIND (ABORTED,           aborted,     NONE,      OF_TURN,  HEIGHT,      132)  \
  KIND (ERROR,             error,       NONE,      OF_TURN,  HEIGHT,      132)  \
  KIND (UNSAVED,           unsaved,     NONE,      OF_TURN,  HEIGHT,      132)  \
  KIND (FOOTER,            footer,      NONE,      OF_TURN,  HEIGHT,      18)

/**
 * GadgetRowKind:
 *
 * The kind of content that a row of the transcript shows. A long text, of those kinds that have
 * one, is cut into several rows, which follow each other without a gap.
 */
typedef enum
{
#define KIND(name, widget, text, flag, estimate, height) GADGET_ROW_KIND_##name,
  GADGET_ROW_KINDS (KIND)
#undef KIND
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
 * @GADGET_ROW_FLAG_NONE: none of these
 * @GADGET_ROW_FLAG_OF_TURN: the row belongs to its turn and not to an item
 * @GADGET_ROW_FLAG_MARKDOWN: the text is Markdown
 * @GADGET_ROW_FLAG_LINE: the row is one line that can be unfolded; such rows stand close together
 * @GADGET_ROW_FLAG_DETAIL: the row is a part of what such a line unfolds to, and stands close below
 *   it
 */
typedef enum
{
  GADGET_ROW_FLAG_NONE = 0,
  GADGET_ROW_FLAG_OF_TURN = 1 << 0,
  GADGET_ROW_FLAG_MARKDOWN = 1 << 1,
  GADGET_ROW_FLAG_LINE = 1 << 2,
  GADGET_ROW_FLAG_DETAIL = 1 << 3,
} GadgetRowFlags;

const char   *gadget_row_kind_to_string (GadgetRowKind kind);
GadgetRowKind gadget_row_kind_from_string (const char *name);
GadgetRowText gadget_row_kind_get_text (GadgetRowKind kind);
gboolean gadget_row_kind_is_of_turn (GadgetRowKind kind);
gboolean gadget_row_kind_is_markdown (GadgetRowKind kind);
gboolean gadget_row_kind_is_line (GadgetRowKind kind);
gboolean gadget_row_kind_is_detail (GadgetRowKind kind);

G_END_DECLS
