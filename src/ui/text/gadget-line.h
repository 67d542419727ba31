/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_LINE (gadget_line_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLine, gadget_line, GADGET, LINE, GtkWidget)

/**
 * GadgetLine:
 *
 * One line with an icon or a spinner, a text that may be ellipsized, an arrow for folding, and
 * suffix widgets at its end. Signal "toggled": the line can be folded and was clicked.
 */
GtkWidget            *gadget_line_new          (void);

/* NULL shows no icon and leaves no space for one. An accented icon asks for the user's attention; a
 * spinner replaces the icon. */
void                  gadget_line_set_icon     (GadgetLine *self,
                                                const char *icon_name);
void                  gadget_line_set_accented (GadgetLine *self,
                                                gboolean    accented);
void                  gadget_line_set_spinning (GadgetLine *self,
                                                gboolean    spinning);

/* Shows the first line of @text. Parts between U+2068 and U+2069 are code: a path or a command. */
void                  gadget_line_set_text     (GadgetLine *self,
                                                const char *text);
/* Makes the first code in the text a link that opens the file @path; NULL for none. set_text ()
 * removes it. */
void                  gadget_line_set_file     (GadgetLine *self,
                                                const char *path);

/* dimmed: the icon and the text are less prominent. counts: added and removed lines after the text,
 * 0 for none. foldable: there is an arrow, and a click emits "toggled". expanded: the state of the
 * arrow. add_suffix () puts a widget at the end of the line. */
void                  gadget_line_set_dimmed   (GadgetLine *self,
                                                gboolean    dimmed);
void                  gadget_line_set_counts   (GadgetLine *self,
                                                guint       n_added,
                                                guint       n_removed);
void                  gadget_line_set_foldable (GadgetLine *self,
                                                gboolean    foldable);
void                  gadget_line_set_expanded (GadgetLine *self,
                                                gboolean    expanded);
void                  gadget_line_add_suffix   (GadgetLine *self,
                                                GtkWidget  *widget);
/* Returns attributes that show the parts of @text between U+2068 and U+2069 as code. (transfer
 * full) */
PangoAttrList        *gadget_line_make_attributes (const char *text);
/* Makes a flat button for the end of a line; _show () sets its icon and label, which may change.
 * (transfer floating) */
GtkWidget            *gadget_line_button_new   (void);
void                  gadget_line_button_show  (GtkWidget  *button,
                                                const char *icon_name,
                                                const char *label);

/* Returns the selectable text of the line. (transfer none) */
GadgetSelectableText *gadget_line_get_piece    (GadgetLine *self);

G_END_DECLS
