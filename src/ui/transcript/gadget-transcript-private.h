/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-frame-throttle.h"
#include "gadget-heights.h"
#include "gadget-transcript.h"
#include "ui/transcript/model/gadget-transcript-model.h"
#include "ui/transcript/rows/gadget-row-host.h"
#include "ui/transcript/rows/gadget-row.h"
#include "ui/transcript/selection/gadget-transcript-selection.h"

G_BEGIN_DECLS

typedef struct _GadgetTranscriptFind GadgetTranscriptFind;

struct _GadgetTranscript
{
  GtkWidget parent_instance;

  GadgetTranscriptModel *model; /* NULL without a session */
  GListModel *providers;
  GadgetChangeCache *cache;
  GadgetPictureLoader *pictures;
  GadgetRemotePictures *remote_pictures;
  GadgetHeights *heights;
  GArray *realized_rows; /* of GadgetRealizedRow, sorted by position */

  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  guint policies[2]; /* GtkScrollablePolicy: horizontal, vertical */
  double last_value;   /* value of the vertical adjustment as last set or seen */
  double value_offset; /* that value minus the one that the known heights give; see the layout */
  gboolean configuring; /* the transcript itself changes the adjustments */
  gboolean scrolling;   /* the user changed the vertical one, until @scroll_end_id */
  guint scroll_end_id;  /* timeout since the last change by the user */

  GtkWidget *ask_origin; /* (nullable) (weak): had the focus before an ask card got it */

  guint anchor;       /* number of the row at the top of the viewport */
  double anchor_y;    /* y of its slot, from the top of the viewport; see the layout */
  gboolean following; /* the properties, as @has_new, @ask_hidden and @end_hidden are */
  gboolean has_new;
  gboolean ask_hidden;
  gboolean end_hidden;
  gboolean unfolded; /* unfolding a row ended the following; reset when the rows are placed */
  gboolean grew;     /* a row at or below the anchor appeared or grew since rows were placed */

  int width; /* of the viewport, in pixels as all of these */
  int height;
  int column_x; /* where the rows begin, and how wide they are; 0 before the first allocation */
  int column_width;
  int estimate_width; /* the column's width when all heights were last estimated */
  guint tick_id;      /* of the update in the next frame; 0 for none */
  GadgetFrameThrottle throttle; /* limits updates by growing texts */
  guint throttle_id;            /* timeout of an update that is delayed by it */
  gulong painted_id; /* handler of the frame clock, while the widget is mapped */

  GadgetTranscriptSelection *selection;
  GadgetTranscriptFind *find; /* (nullable): once something was to be found */
  GtkWidget *menu;        /* (nullable): the context menu, once it was opened */
  GadgetTurn *pointed_at; /* under the pointer; not owned, only compared */
  gulong focus_id; /* handler of the window, while the widget is mapped */
};

/* gadget-transcript-layout.c. _gadget_transcript_layout () places and allocates the rows in a
 * viewport of @width × @height pixels; _gadget_transcript_place () only places them.
 * _snapshot_guides () draws the vertical lines beside the rows of subagents. */
void               _gadget_transcript_layout             (GadgetTranscript        *self,
                                                          int                      width,
                                                          int                      height);
void               _gadget_transcript_snapshot_guides    (GadgetTranscript        *self,
                                                          GtkSnapshot             *snapshot);
void               _gadget_transcript_place              (GadgetTranscript        *self);

/* Returns whether the row is in the viewport or in the margin around it. Another row is a widget
 * only because it has the focus, and its y is not its real position. */
gboolean           _gadget_transcript_is_near            (GadgetTranscript        *self,
                                                          const GadgetRealizedRow *row);

/* _scroll_to () puts the slot of the row at @position at @y of the viewport; _scroll_by () scrolls
 * down by @distance pixels. _value_changed () handles a change of the vertical adjustment.
 * _queue_update () (gadget-transcript.c) requests an update in the next frame, if the widget is
 * mapped. */
void               _gadget_transcript_scroll_to          (GadgetTranscript        *self,
                                                          guint                    position,
                                                          double                   y);
void               _gadget_transcript_scroll_by          (GadgetTranscript        *self,
                                                          double                   distance);
void               _gadget_transcript_value_changed      (GadgetTranscript        *self);
void               _gadget_transcript_queue_update       (GadgetTranscript        *self);

/* gadget-transcript-realized.c. _get_nth () takes an index among the realized rows; _get_realized
 * () returns NULL when the row at @position is not a widget, and _realize_row () makes it one. The
 * pointers are valid until a row is realized or unrealized. _update_numbers () tells screen readers
 * the positions again, after rows were added or removed. */
GadgetRealizedRow *_gadget_transcript_get_nth            (GadgetTranscript        *self,
                                                          guint                    index);
GadgetRealizedRow *_gadget_transcript_get_realized       (GadgetTranscript        *self,
                                                          guint                    position);
GadgetRealizedRow *_gadget_transcript_realize_row        (GadgetTranscript        *self,
                                                          guint                    position);
void               _gadget_transcript_unrealize_nth      (GadgetTranscript        *self,
                                                          guint                    index);
void               _gadget_transcript_clear_rows         (GadgetTranscript        *self);
void               _gadget_transcript_update_numbers     (GadgetTranscript        *self);
gboolean           _gadget_transcript_has_focus          (GadgetTranscript        *self,
                                                          GadgetRealizedRow       *row);

/* While the end is followed: makes @row the anchor, so that the row which the user clicked keeps
 * its place even if the end goes out of sight. When the end stays in sight, the next update resumes
 * following. */
void               _gadget_transcript_hold_row           (GadgetTranscript        *self,
                                                          const GadgetRealizedRow *row);

/* gadget-transcript-changes.c: to be called after the model's rows were spliced or one row
 * changed. */
void               _gadget_transcript_rows_spliced       (GadgetTranscript        *self,
                                                          guint                    position,
                                                          guint                    removed,
                                                          guint                    added);
void               _gadget_transcript_row_changed        (GadgetTranscript        *self,
                                                          guint                    position);

/* gadget-transcript-host.c */
void               _gadget_transcript_row_host_init      (GadgetRowHostInterface  *iface);

/* gadget-transcript-metrics.c, in pixels: the indentation and the width of a row, the gap above it,
 * and the estimated height of its slot including the gap. */
int                _gadget_transcript_get_indent         (GadgetTranscript        *self,
                                                          guint                    position);
int                _gadget_transcript_get_row_width      (GadgetTranscript        *self,
                                                          guint                    position);
int                _gadget_transcript_get_gap            (GadgetTranscript        *self,
                                                          guint                    position);
int                _gadget_transcript_estimate           (GadgetTranscript        *self,
                                                          guint                    position);

/* gadget-transcript.c: sets properties and emits a signal. */
void               _gadget_transcript_set_following      (GadgetTranscript        *self,
                                                          gboolean                 following);
void               _gadget_transcript_set_has_new        (GadgetTranscript        *self,
                                                          gboolean                 has_new);
void               _gadget_transcript_set_end_hidden     (GadgetTranscript        *self,
                                                          gboolean                 hidden);
void               _gadget_transcript_set_ask_hidden     (GadgetTranscript        *self,
                                                          gboolean                 hidden);
void               _gadget_transcript_emit_answer_left   (GadgetTranscript        *self,
                                                          GadgetSession           *session,
                                                          const char              *text);

void               _gadget_transcript_emit_view_changed  (GadgetTranscript        *self);
void               _gadget_transcript_emit_found         (GadgetTranscript        *self);
void               _gadget_transcript_emit_found_wrapped (GadgetTranscript        *self,
                                                          gboolean                 forward);

/* gadget-transcript-find.c. _draw () shows in a row what is found there; _update () is called once a
 * frame, and _end () when there is another chat. */
void               _gadget_transcript_find_draw          (GadgetTranscript        *self,
                                                          GadgetRealizedRow       *row);
void               _gadget_transcript_find_update        (GadgetTranscript        *self);
void               _gadget_transcript_find_end           (GadgetTranscript        *self);

/* gadget-transcript-selecting.c */
void _gadget_transcript_selection_host_init  (GadgetSelectionHostInterface *iface);
void _gadget_transcript_selecting_class_init (GtkWidgetClass               *widget_class);

/* gadget-transcript-keys.c. Returns the row at @position as a widget, after scrolling to it when it
 * is out of sight. (transfer none) (nullable) */
GadgetRow         *_gadget_transcript_reach_row          (GadgetTranscript        *self,
                                                          guint                    position);

/* gadget-transcript-footers.c. _find_turn_at () returns the turn at @y of the viewport (nullable),
 * _get_turn_of () the chat's turn of a row. (transfer none) */
void               _gadget_transcript_footers_init       (GadgetTranscript        *self);
void               _gadget_transcript_update_footers     (GadgetTranscript        *self);
void               _gadget_transcript_narrow_footers     (GadgetTranscript        *self);
GadgetTurn        *_gadget_transcript_find_turn_at       (GadgetTranscript        *self,
                                                          double                   y);
GadgetTurn        *_gadget_transcript_get_turn_of        (GadgetTranscript        *self,
                                                          guint                    position);

/* gadget-transcript-position.c: _save_position () stores with the session where the chat is, and
 * _restore_position () scrolls to where it was. */
void               _gadget_transcript_save_position      (GadgetTranscript        *self);
void               _gadget_transcript_restore_position      (GadgetTranscript        *self);

/* gadget-transcript-files.c */
void               _gadget_transcript_files_class_init   (GtkWidgetClass          *widget_class);

/* gadget-transcript-menu.c */
void               _gadget_transcript_menu_class_init    (GtkWidgetClass          *widget_class);
void               _gadget_transcript_menu_init          (GadgetTranscript        *self);

/* gadget-transcript-keys.c. _enter () focuses the last row in sight; FALSE when there is none.
 * _watch_focus () scrolls focused widgets into sight until _unwatch_focus (). */
gboolean           _gadget_transcript_enter              (GadgetTranscript        *self);
void               _gadget_transcript_keys_class_init    (GtkWidgetClass          *widget_class);
void               _gadget_transcript_watch_focus        (GadgetTranscript        *self);
void               _gadget_transcript_unwatch_focus      (GadgetTranscript        *self);

/* gadget-transcript-asks.c. Announces to screen readers the ask cards among @n_rows new rows from
 * @position on. */
void               _gadget_transcript_announce_asks      (GadgetTranscript        *self,
                                                          guint                    position,
                                                          guint                    n_rows);

G_END_DECLS
