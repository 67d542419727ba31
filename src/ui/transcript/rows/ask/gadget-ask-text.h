/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* The kind of a line. */
typedef enum
{
  GADGET_ASK_LINE_PLAIN,
  GADGET_ASK_LINE_ADDED,
  GADGET_ASK_LINE_REMOVED,
  GADGET_ASK_LINE_RANGE, /* not a line of the file: says where the following lines are */
} GadgetAskLineKind;

/* A line as it is shown; offsets are in bytes of the text. */
typedef struct
{
  GadgetAskLineKind kind;
  gsize start;
  gsize text_start; /* where the line's own text begins, behind numbers or a name */
} GadgetAskLine;

/**
 * GadgetAskText:
 * @text: the text as it is shown, with invisible characters escaped
 * @lines: (element-type GadgetAskLine)
 * @n_lines: the number of lines of the whole body; 0 when it is empty (@lines has one empty line
 *   then)
 * @n_omitted: how many of these are not completely in @lines
 * @n_escaped: the number of characters of the whole body that are escaped
 * @indent: where the continuation of a wrapped line begins, in characters
 *
 * The body of a permission laid out in characters. It depends on nothing but the arguments.
 */
typedef struct
{
  char *text;
  GArray *lines;
  guint n_lines;
  guint n_omitted;
  guint n_escaped;
  guint indent;
} GadgetAskText;

GadgetAskText *gadget_ask_text_new  (GadgetPromptBody kind,
                                     const char      *body,
                                     gboolean         narrow,
                                     guint            max_lines,
                                     gsize            max_length);
void           gadget_ask_text_free (GadgetAskText   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAskText, gadget_ask_text_free)

G_END_DECLS
