/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-transcript-selection.h"

G_BEGIN_DECLS

struct _GadgetTranscriptSelection
{
  GadgetSelectionHost *host; /* owns the selection */
  GtkGesture *click;         /* of the host, as @drag is */
  GtkGesture *drag;

  gboolean selecting; /* the pointer is selecting */
  gboolean placed;    /* the origin is where the user last pressed or moved to by keys */
  gboolean caret;     /* the head of the selection was moved by keys and is drawn */
  double caret_x;     /* x that line steps keep; NAN before the first of them */
  guint granularity;  /* of the pointer's selection: 1 characters, 2 words, 3 lines */
  GadgetTextRange origin;
  GadgetTextRange range;       /* the selected text */
  GdkContentProvider *primary; /* provides the selected text as the PRIMARY selection */
  guint release_id;            /* timeout that gives up the PRIMARY selection */
  double pointer_x;
  double pointer_y;
  guint autoscroll_id;
  gint64 autoscroll_time;
};

/* gadget-transcript-selection.c. _find () gets the text position nearest to a point of the
 * viewport. */
gboolean _gadget_transcript_selection_is_empty      (GadgetTranscriptSelection *self);
void     _gadget_transcript_selection_find          (GadgetTranscriptSelection *self,
                                                     double                     x,
                                                     double                     y,
                                                     GadgetTextPosition        *place);

/* gadget-transcript-primary.c. _offer_primary () offers the selected text as the PRIMARY
 * selection, or gives that up when nothing is selected. */
void     _gadget_transcript_selection_init_primary  (GadgetTranscriptSelection *self);
void     _gadget_transcript_selection_offer_primary (GadgetTranscriptSelection *self,
                                                     gboolean                   selected);

G_END_DECLS
