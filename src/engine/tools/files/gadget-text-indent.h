/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a block of lines was moved: the map from the indentation that an edit gives to that of the
 * file. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetTextIndent:
 * @given: the indentation of a line of the edit
 * @actual: that of the line of the file
 *
 * One line of the block. Both members borrow their texts.
 */
typedef struct
{
  const char *given;
  gsize n_given;
  const char *actual;
  gsize n_actual;
} GadgetTextIndent;

typedef struct _GadgetTextMove GadgetTextMove;

/* Finds out how the whole block was moved. @lines is (element-type GadgetTextIndent), without the
 * blank lines, and must outlive the result; @unit is the least number of blanks that the file
 * indents a line by, 0 if unknown. Returns: (transfer full) (nullable) (element-type
 * GadgetTextMove): the moves that explain all lines, NULL if none does. There are several when the
 * width of a tab is not certain. */
GPtrArray *_gadget_text_moves_find     (const GArray         *lines,
                                        guint                 unit);

/* Whether nothing was moved. */
gboolean   _gadget_text_move_is_none   (const GadgetTextMove *self);

/* Whether only tabs or blanks were written for each other. */
gboolean   _gadget_text_move_keeps_level (const GadgetTextMove *self);

/* Appends the indentation of the file for one of the edit. Returns FALSE when a line with that
 * indentation cannot be moved, or only to a mixture of tabs and blanks. */
gboolean   _gadget_text_move_apply     (const GadgetTextMove *self,
                                        const char           *given,
                                        gsize                 n_given,
                                        GString              *text);

G_END_DECLS
