/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-text-piece.h"

G_BEGIN_DECLS

/* What a piece has besides its text: see gadget-text-marks.c. */
typedef struct _GadgetTextMarks GadgetTextMarks;

GadgetTextMarks *_gadget_text_marks_new         (GadgetTextPiece            *piece);
void         _gadget_text_marks_free            (GadgetTextMarks            *self);
void         _gadget_text_marks_set             (GadgetTextMarks            *self,
                                                 const GadgetTextMark       *marks,
                                                 guint                       n_marks);
void         _gadget_text_marks_place           (GadgetTextMarks            *self,
                                                 PangoLayout                *layout);
void         _gadget_text_marks_snapshot        (GadgetTextMarks            *self,
                                                 GtkSnapshot                *snapshot,
                                                 PangoLayout                *layout,
                                                 const GdkRGBA              *color);

PangoLayout *gadget_text_piece_get_layout      (GadgetTextPiece            *self);
void         _gadget_text_piece_accessible_init (GtkAccessibleTextInterface *iface);

G_END_DECLS
