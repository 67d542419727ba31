/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-selection-host.h"

G_BEGIN_DECLS

/* A position in the text of the whole chat; @offset is in bytes of the row's source. */
typedef struct
{
  guint row;
  gsize offset;
} GadgetTextPosition;

typedef struct
{
  GadgetTextPosition start;
  GadgetTextPosition end;
} GadgetTextRange;

typedef struct _GadgetTranscriptSelection GadgetTranscriptSelection;

/* The selection of a transcript, which owns it, and which the pointer extends from now on. _end ()
 * stops selecting by the pointer; _clear_primary () gives up the PRIMARY selection for good. */
GadgetTranscriptSelection *gadget_transcript_selection_new            (GadgetSelectionHost *host);
void gadget_transcript_selection_free           (GadgetTranscriptSelection *self);
void gadget_transcript_selection_end            (GadgetTranscriptSelection *self);
void gadget_transcript_selection_clear_primary  (GadgetTranscriptSelection *self);

/* Adjusts the selection after the model's rows were spliced, and tells a row which part of it is
 * selected. */
void gadget_transcript_selection_spliced        (GadgetTranscriptSelection *self,
                                                 guint                      position,
                                                 guint                      removed,
                                                 guint                      added);
void gadget_transcript_selection_draw           (GadgetTranscriptSelection *self,
                                                 GadgetRealizedRow         *row);

/* Selects the whole chat, nothing, or the word at a point of the viewport, unless the selection
 * contains it. */
void gadget_transcript_selection_select_all     (GadgetTranscriptSelection *self);
void gadget_transcript_selection_unselect       (GadgetTranscriptSelection *self);
void gadget_transcript_selection_select_word_at (GadgetTranscriptSelection *self,
                                                 double                     x,
                                                 double                     y);

/* Gets the fixed end of the selection and its head, the end that moves. FALSE when nothing is
 * selected and no place was pressed. */
gboolean gadget_transcript_selection_get_ends   (GadgetTranscriptSelection *self,
                                                 GadgetTextPosition        *fixed,
                                                 GadgetTextPosition        *head);
void gadget_transcript_selection_set_ends       (GadgetTranscriptSelection *self,
                                                 GadgetTextPosition         fixed,
                                                 GadgetTextPosition         head);

/* The selected text as it is shown, or its Markdown source; NULL when nothing is selected.
 * (transfer full) (nullable) */
char *gadget_transcript_selection_dup_text      (GadgetTranscriptSelection *self,
                                                 gboolean                   as_source);

/* Selecting by the keyboard: _bind_keys () binds the keys to the action "transcript.extend", whose
 * parameter _extend () takes. _snapshot_caret () draws the head, if keys moved it. */
void gadget_transcript_selection_bind_keys      (GtkWidgetClass            *widget_class);
void gadget_transcript_selection_extend         (GadgetTranscriptSelection *self,
                                                 GVariant                  *parameter);
void gadget_transcript_selection_snapshot_caret (GadgetTranscriptSelection *self,
                                                 GtkSnapshot               *snapshot);

G_END_DECLS
