/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_ASK_LINE_PLAIN,
  GADGET_ASK_LINE_ADDED,
  GADGET_ASK_LINE_REMOVED,
  GADGET_ASK_LINE_RANGE, /* not of the file: where the lines that follow are */
} GadgetAskLineKind;

/* A line as it is shown; offsets are bytes of the text. */
typedef struct
{
  GadgetAskLineKind kind;
  gsize start;
  gsize sign; /* where what is before the line itself, numbers or a name, ends */
} GadgetAskLine;

/**
 * GadgetAskText:
 * @text: what is shown, without what cannot be seen
 * @lines: (element-type GadgetAskLine)
 * @n_lines: of the whole text; 0 where it is empty, and @lines has one that is empty
 * @n_omitted: of these, those that are not in @lines as a whole
 * @indent: in characters, where the rest of a wrapped line begins
 *
 * The body of a permission laid out in characters. Pure.
 */
typedef struct
{
  char *text;
  GArray *lines;
  guint n_lines;
  guint n_omitted;
  guint indent;
} GadgetAskText;

GadgetAskText *gadget_ask_text_new  (GadgetPromptBody  kind,
                                     const char       *body,
                                     gboolean          narrow,
                                     guint             max_lines,
                                     gsize             max_length);
void           gadget_ask_text_free (GadgetAskText    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAskText, gadget_ask_text_free)

G_END_DECLS
