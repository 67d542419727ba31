/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A block with more than MOST lines is folded to SHOWN lines. The difference makes sure that
 * folding never hides only a few lines. */
#define GADGET_CODE_MOST_LINES 30
#define GADGET_CODE_SHOWN_LINES 20

#define GADGET_TYPE_CODE (gadget_code_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCode, gadget_code, GADGET, CODE, GObject)

/**
 * GadgetCode:
 *
 * A block of code in the text of an item: what the user did with it (wrapped, folded, scrolled
 * horizontally), and its colors. Its rows come and go; this lives as long as the item.
 *
 * Signals: "colored": more colors are known. "notify::wrap" and "notify::foldable": the rows must
 * be updated.
 */

/* Returns the block that begins at the offset @begin. (transfer none) */
GadgetCode    *gadget_code_get           (GadgetItem               *item,
                                          gsize                     begin);

/* Tells that the block is in a list or a quote, and has a part in the segment at @segment. */
void           gadget_code_set_nested    (GadgetCode               *self,
                                          gsize                     segment,
                                          gsize                     context);

/* Tells that @item was shown while it was streaming: its blocks stay open unless the user folds
 * them. */
void           gadget_code_keep_open     (GadgetItem               *item);
/* Tells whether the block of @item that begins at @begin shows all of its lines. */
gboolean       gadget_code_is_open       (GadgetItem               *item,
                                          gsize                     begin);

/* Sets whether all lines are shown, as the user wants it. */
void           gadget_code_set_open      (GadgetCode               *self,
                                          gboolean                  open);

/* "foldable": whether the block is long enough to be folded, and is not folded. The setter only
 * says whether it is long enough. */
gboolean       gadget_code_get_foldable  (GadgetCode               *self);
void           gadget_code_set_foldable  (GadgetCode               *self,
                                          gboolean                  foldable);

/* Returns how many lines of a long nested block are not shown; 0 for other blocks, and while the
 * item is streaming. Sets "foldable" of a long block. */
guint          gadget_code_count_folded  (GadgetCode               *self);

/* TRUE if long lines are wrapped and not scrolled. */
gboolean       gadget_code_get_wrap      (GadgetCode               *self);
void           gadget_code_set_wrap      (GadgetCode               *self,
                                          gboolean                  wrap);

/* Returns the horizontal scroll position of all lines together, in pixels. (transfer none) */
GtkAdjustment *gadget_code_get_scroll    (GadgetCode               *self);

/* Reports the width of a row in pixels. Returns the width of the widest row that was reported,
 * which is how far the block can be scrolled. */
int            gadget_code_widen         (GadgetCode               *self,
                                          int                       width);

/* Sets the language by the word of the fence. */
void           gadget_code_set_word      (GadgetCode               *self,
                                          const char               *word);

/* Requests the colors of @text, a part of the block. A little of what is missing is found at once,
 * and the rest when idle. Returns the source offset up to which the colors are known. */
gsize          gadget_code_want          (GadgetCode               *self,
                                          const GadgetMarkdownText *text);

/* Adds attributes for the known colors of @text. */
void           gadget_code_add_colors    (GadgetCode               *self,
                                          const GadgetMarkdownText *text,
                                          PangoAttrList            *attributes);

/* Returns all of the code; "" when the item is gone. (transfer full) */
char          *gadget_code_dup_text      (GadgetCode               *self);
/* Return a name for a file with the code (transfer full), and the name of its language for people
 * (transfer none). */
char          *gadget_code_dup_file_name (GadgetCode               *self);
const char    *gadget_code_get_name      (GadgetCode               *self);

G_END_DECLS
