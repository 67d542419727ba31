/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-selectable-text.h"

G_BEGIN_DECLS

/* The marked ranges of a piece: see gadget-text-marks.c. _set () replaces them, _place () allocates
 * the links with @layout, _snapshot () draws the tints behind code. @piece owns the object. */
typedef struct _GadgetTextMarks GadgetTextMarks;

GadgetTextMarks *_gadget_text_marks_new                  (GadgetSelectableText       *piece);
void             _gadget_text_marks_free                 (GadgetTextMarks            *self);
void             _gadget_text_marks_set                  (GadgetTextMarks            *self,
                                                          const GadgetTextMark       *marks,
                                                          guint                       n_marks);
void             _gadget_text_marks_place                (GadgetTextMarks            *self,
                                                          PangoLayout                *layout);
void             _gadget_text_marks_snapshot             (GadgetTextMarks            *self,
                                                          GtkSnapshot                *snapshot,
                                                          PangoLayout                *layout,
                                                          const GdkRGBA              *color);

/* gadget-text-found.c: gives the @found ranges (of GadgetTextFound) of a text their colors, whatever
 * color the text has there; @text is that of the other text. */
void             _gadget_text_found_apply                (PangoAttrList              *attributes,
                                                          GArray                     *found,
                                                          const GadgetFoundColors    *colors,
                                                          const GdkRGBA              *text);

void             _gadget_selectable_text_accessible_init (GtkAccessibleTextInterface *iface);

G_END_DECLS
