/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Blocks with more lines are folded, to so many of them; the rest has to be worth it. */
#define GADGET_CODE_MOST_LINES 30
#define GADGET_CODE_SHOWN_LINES 20

#define GADGET_TYPE_CODE (gadget_code_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCode, gadget_code, GADGET, CODE, GObject)

/**
 * GadgetCode:
 *
 * A block of code in the text of an item: what the user made of it (wrapped, folded), how far it was
 * scrolled sideways, and its colours. Its rows come and go; it stays for as long as the item does.
 *
 * "colored" tells that more of the colours are known, "notify::wrap" and "notify::foldable" that it
 * has to be shown otherwise.
 */

/* The block that begins at @begin. (transfer none) */
GadgetCode    *gadget_code_look          (GadgetItem               *item,
                                          gsize                     begin);

/* It is in a list or a quote, and a part of it in the segment that begins at @segment. */
void           gadget_code_set_nested    (GadgetCode               *self,
                                          gsize                     segment,
                                          gsize                     context);

/* The blocks that came while somebody could read them are not folded by themselves. */
void           gadget_code_keep_open     (GadgetItem               *item);
gboolean       gadget_code_is_open       (GadgetItem               *item,
                                          gsize                     begin);

/* Whether all of it is shown, as the user wants it. */
void           gadget_code_set_open      (GadgetCode               *self,
                                          gboolean                  open);

/* Whether it is so long that it can be folded, and is not. */
gboolean       gadget_code_get_foldable  (GadgetCode               *self);
void           gadget_code_set_foldable  (GadgetCode               *self,
                                          gboolean                  foldable);

/* How many lines of a long block in a list or a quote are not shown. */
guint          gadget_code_count_folded  (GadgetCode               *self);

gboolean       gadget_code_get_wrap      (GadgetCode               *self);
void           gadget_code_set_wrap      (GadgetCode               *self,
                                          gboolean                  wrap);

/* How far its lines, all together, are scrolled sideways. */
GtkAdjustment *gadget_code_get_scroll    (GadgetCode               *self);

/* A row is that wide: the widest of those that were seen says how far they can be scrolled. */
int            gadget_code_widen         (GadgetCode               *self,
                                          int                       width);

/* The language as its fence calls it. */
void           gadget_code_set_word      (GadgetCode               *self,
                                          const char               *word);

/* The colours of @text, which is a part of it, are needed; a little of what is missing is found out
 * at once, the rest when there is time. Returns up to where in the source they are known. */
gsize          gadget_code_want          (GadgetCode               *self,
                                          const GadgetMarkdownText *text);

/* Adds what is known of the colours of @text. */
void           gadget_code_add_colors    (GadgetCode               *self,
                                          const GadgetMarkdownText *text,
                                          PangoAttrList            *attributes);

/* All of the code. (transfer full) */
char          *gadget_code_dup_text      (GadgetCode               *self);
char          *gadget_code_dup_file_name (GadgetCode               *self);
const char    *gadget_code_get_name      (GadgetCode               *self);

G_END_DECLS
