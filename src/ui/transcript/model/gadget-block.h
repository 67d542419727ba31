/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change-book.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/**
 * GadgetBlockKind:
 *
 * What a row of the transcript shows. Of kinds that have a text, a long one is cut into several
 * blocks that follow each other without a gap.
 */
typedef enum
{
  GADGET_BLOCK_PROMPT,         /* text: the user's message */
  GADGET_BLOCK_STEER,          /* text: what the user said into the turn */
  GADGET_BLOCK_GIVEN,          /* what was given with the prompt */
  GADGET_BLOCK_STEER_GIVEN,    /* what was given with what was said into the turn */
  GADGET_BLOCK_TEXT,           /* text: an answer */
  GADGET_BLOCK_NOTE,           /* text: said by Gadget itself */
  GADGET_BLOCK_REASONING,      /* the line that stands for the reasoning */
  GADGET_BLOCK_REASONING_TEXT, /* text: the reasoning, when it is opened */
  GADGET_BLOCK_SUMMARY,        /* the line that stands for a summary; its text is a note's */
  GADGET_BLOCK_GROUP,          /* the line of several calls of one step; its range is their numbers */
  GADGET_BLOCK_TOOL,           /* text: a tool call's line */
  GADGET_BLOCK_TOOL_ARGUMENTS, /* text: what it was called with, when it is opened */
  GADGET_BLOCK_TOOL_OUTPUT,    /* text: what came of it, when it is opened */
  GADGET_BLOCK_DIFF,           /* text: instead of both, what a call changed in a file */
  GADGET_BLOCK_PICTURE,        /* a picture that came with the result; its range is its number */
  GADGET_BLOCK_ASK,            /* the card of an item that waits for an answer */
  GADGET_BLOCK_ABORTED,        /* the card of an aborted turn */
  GADGET_BLOCK_ERROR,          /* the card of a failed turn */
  GADGET_BLOCK_UNSAVED,        /* the notice of a turn that is not on disk */
  GADGET_BLOCK_FOOTER,         /* the status of a turn */
} GadgetBlockKind;

/* Whether the text is written in Markdown: what a model says, and what is said of it. */
gboolean gadget_block_kind_is_markdown (GadgetBlockKind kind);

#define GADGET_TYPE_BLOCK (gadget_block_get_type ())
G_DECLARE_FINAL_TYPE (GadgetBlock, gadget_block, GADGET, BLOCK, GObject)

/* What one row shows, made when it is asked for; only rows in sight have one. */
GadgetBlock     *gadget_block_new          (GadgetBlockKind  kind,
                                            GadgetTurn      *turn,
                                            GadgetItem      *item);
GadgetBlockKind  gadget_block_get_kind     (GadgetBlock     *self);
GadgetTurn      *gadget_block_get_turn     (GadgetBlock     *self);
GadgetItem      *gadget_block_get_item     (GadgetBlock     *self);

/* Of what a subagent did: its chat, and how many subagents deep that is. Else NULL and 0. */
GadgetSession   *gadget_block_get_session  (GadgetBlock     *self);
guint            gadget_block_get_depth    (GadgetBlock     *self);
void             gadget_block_set_nested   (GadgetBlock     *self,
                                            GadgetSession   *session,
                                            guint            depth);

/* The bytes of the source that it shows. */
void             gadget_block_set_range    (GadgetBlock     *self,
                                            gsize            start,
                                            gsize            end);
gsize            gadget_block_get_start    (GadgetBlock     *self);
gsize            gadget_block_get_end      (GadgetBlock     *self);

/* Of Markdown that begins in the midst of a block: where that begins. Else where it begins itself. */
void             gadget_block_set_context  (GadgetBlock     *self,
                                            gsize            context);
gsize            gadget_block_get_context  (GadgetBlock     *self);

/* Of code: that it stands for lines that are folded away. */
void             gadget_block_set_folded   (GadgetBlock     *self,
                                            gboolean         folded);
gboolean         gadget_block_get_folded   (GadgetBlock     *self);

/* Whether what it folds away (details, a receipt, reasoning) is open. */
void             gadget_block_set_expanded (GadgetBlock     *self,
                                            gboolean         expanded);
gboolean         gadget_block_get_expanded (GadgetBlock     *self);

/* What turns changed (NULL when that is not known here), and the turn that it is known of: the one
 * that the user sees, also for what a subagent did. */
GadgetChangeBook *gadget_block_get_book    (GadgetBlock     *self);
GadgetTurn      *gadget_block_get_root     (GadgetBlock     *self);
void             gadget_block_set_book     (GadgetBlock     *self,
                                            GadgetChangeBook *book,
                                            GadgetTurn      *root,
                                            const char      *workspace);

/* The folder of the chat, NULL for none: paths are shown without it. */
const char      *gadget_block_get_workspace (GadgetBlock    *self);

/* What is known of that turn now, NULL for nothing; asks for it. */
GadgetTurnChanges *gadget_block_get_changes (GadgetBlock    *self);

/* The name of the turn's provider as the user knows it, NULL when it is not known. */
void             gadget_block_set_provider_name (GadgetBlock *self,
                                            const char      *name);
const char      *gadget_block_get_provider_name (GadgetBlock *self);

/* The text that it shows, without the ends of lines that are not seen; valid until the source
 * grows. "" for a kind that has none. */
const char      *gadget_block_get_text     (GadgetBlock     *self,
                                            gsize           *length);

/* The whole text that blocks of @kind show pieces of, NULL for a kind that has none. */
const char      *gadget_block_get_source   (GadgetBlockKind  kind,
                                            GadgetTurn      *turn,
                                            GadgetItem      *item,
                                            gsize           *length);

G_END_DECLS
