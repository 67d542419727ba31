/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_LINE (gadget_line_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLine, gadget_line, GADGET, LINE, GtkWidget)

/**
 * GadgetLine:
 *
 * One quiet line: an icon or a spinner, a text that may be cut short, a disclosure, and at the end
 * of the line whatever is added. Emits "toggled" when it is clicked and can be folded.
 */
GtkWidget       *gadget_line_new          (void);

/* NULL for no icon and no room for one. */
void             gadget_line_set_icon     (GadgetLine *self,
                                           const char *icon_name);
void             gadget_line_set_accented (GadgetLine *self,
                                           gboolean    accented);
void             gadget_line_set_spinning (GadgetLine *self,
                                           gboolean    spinning);

/* What is between U+2068 and U+2069 in @text is code: a path, a command. */
void             gadget_line_set_text     (GadgetLine *self,
                                           const char *text);
/* The first code in the text is the name of that file, which a click on it opens; NULL for none. */
void             gadget_line_set_file     (GadgetLine *self,
                                           const char *path);
void             gadget_line_set_dimmed   (GadgetLine *self,
                                           gboolean    dimmed);
void             gadget_line_set_counts   (GadgetLine *self,
                                           guint       n_added,
                                           guint       n_removed);
void             gadget_line_set_foldable (GadgetLine *self,
                                           gboolean    foldable);
void             gadget_line_set_expanded (GadgetLine *self,
                                           gboolean    expanded);
void             gadget_line_add_suffix   (GadgetLine *self,
                                           GtkWidget  *widget);
/* A quiet button for the end of a line: an icon and a word, which may change. */
GtkWidget       *gadget_line_button_new   (void);
void             gadget_line_button_show  (GtkWidget  *button,
                                           const char *icon_name,
                                           const char *label);
GadgetTextPiece *gadget_line_get_piece    (GadgetLine *self);

G_END_DECLS
