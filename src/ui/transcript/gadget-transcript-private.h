/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-heights.h"
#include "gadget-pace.h"
#include "gadget-transcript.h"
#include "ui/transcript/model/gadget-transcript-model.h"
#include "ui/transcript/rows/gadget-row-host.h"
#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* A row that is a widget now. Its slot is the gap above it and its own height. */
typedef struct
{
  GadgetRow *widget; /* a child */
  guint position;
  int y; /* of the slot, from the top of the viewport */
  int gap;
  int height;
  int growth; /* that a part of it told of, and that is not drawn yet */
} GadgetRealised;

/* A place in the text of the whole chat; @offset counts bytes of the row's source. */
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

struct _GadgetTranscript
{
  GtkWidget parent_instance;

  GadgetTranscriptModel *model; /* NULL without a session */
  GListModel *providers;
  GadgetChangeBook *book;
  GadgetPictureBook *pictures;
  GadgetRemotePictures *remote_pictures;
  GadgetHeights *heights;
  GArray *realised; /* of GadgetRealised, by position */

  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  guint policies[2];
  double last_value; /* what the vertical adjustment was last known to have */
  double drift;      /* its value minus the one by the heights known; see the layout */
  gboolean configuring;
  gboolean scrolling;
  guint settle_id;

  GtkWidget *ask_origin; /* (nullable) (weak): had the focus before a card got it */

  guint anchor; /* the row at the top of the viewport */
  double anchor_y;
  gboolean following;
  gboolean unfolded; /* a fold stopped the following, and the rows were not placed since */
  gboolean has_new;
  gboolean ask_hidden;
  gboolean end_hidden;
  gboolean grew; /* something at or below the anchor did, since the rows were placed */

  int width;
  int height;
  int column_x;
  int column_width;
  int estimate_width;
  guint tick_id;
  GadgetPace pace; /* of texts that grow */
  guint pace_id;
  gulong painted_id; /* of a handler at the frame clock, while it is mapped */

  gboolean selecting; /* a range is being drawn with the pointer */
  gboolean placed;    /* the origin is where the pointer was last pressed */
  gboolean caret;     /* the end of the selection that keys move is drawn */
  double caret_x;     /* where lines are looked for; NAN before the first one of several */
  guint granularity;  /* of that: 1 characters, 2 words, 3 lines */
  GadgetTextRange origin;
  GadgetTextRange selection;
  GdkContentProvider *primary; /* of the selected text, for the PRIMARY selection */
  guint release_id;            /* the timeout after which that is not offered any more */
  double pointer_x;
  double pointer_y;
  guint autoscroll_id;
  gint64 autoscroll_time;
  GtkWidget *menu;
  GadgetTurn *pointed_at; /* not owned, only compared */
  gulong focus_id; /* of a handler at the window, while it is mapped */
};

/* gadget-transcript-layout.c */
void            _gadget_transcript_layout          (GadgetTranscript *self,
                                                    int               width,
                                                    int               height);
void            _gadget_transcript_snapshot_guides (GadgetTranscript *self,
                                                    GtkSnapshot      *snapshot);
void            _gadget_transcript_place           (GadgetTranscript *self);

/* Whether the row is in the viewport or the margin around it. One that is not is a widget only
 * because it has the focus, and is not where it says. */
gboolean        _gadget_transcript_is_near         (GadgetTranscript *self,
                                                    const GadgetRealised *row);
void            _gadget_transcript_set_following   (GadgetTranscript *self,
                                                    gboolean          following);
void            _gadget_transcript_scroll_to       (GadgetTranscript *self,
                                                    guint             position,
                                                    double            y);
void            _gadget_transcript_scroll_by       (GadgetTranscript *self,
                                                    double            distance);
void            _gadget_transcript_value_changed   (GadgetTranscript *self);
void            _gadget_transcript_queue_update    (GadgetTranscript *self);

/* gadget-transcript-realised.c. What is got is good until the next row comes or goes. */
GadgetRealised *_gadget_transcript_get_nth         (GadgetTranscript *self,
                                                    guint             index);
GadgetRealised *_gadget_transcript_get_realised    (GadgetTranscript *self,
                                                    guint             position);
GadgetRealised *_gadget_transcript_realise         (GadgetTranscript *self,
                                                    guint             position);
void            _gadget_transcript_unrealise_nth   (GadgetTranscript *self,
                                                    guint             index);
void            _gadget_transcript_clear_rows      (GadgetTranscript *self);
gboolean        _gadget_transcript_has_focus       (GadgetTranscript *self,
                                                    GadgetRealised   *row);

/* What was clicked stays where it is: the end may go out of sight for it. If it does not, the
 * update that follows takes the following up again. */
void            _gadget_transcript_hold_row        (GadgetTranscript *self,
                                                    const GadgetRealised *row);

/* gadget-transcript-changes.c */
void            _gadget_transcript_rows_spliced    (GadgetTranscript *self,
                                                    guint             position,
                                                    guint             removed,
                                                    guint             added);
void            _gadget_transcript_row_changed     (GadgetTranscript *self,
                                                    guint             position);

/* gadget-transcript-host.c */
void            _gadget_transcript_row_host_init   (GadgetRowHostInterface *iface);

/* gadget-transcript-room.c */
int             _gadget_transcript_get_indent      (GadgetTranscript *self,
                                                    guint             position);
int             _gadget_transcript_get_row_width   (GadgetTranscript *self,
                                                    guint             position);
int             _gadget_transcript_get_gap         (GadgetTranscript *self,
                                                    guint             position);
int             _gadget_transcript_estimate        (GadgetTranscript *self,
                                                    guint             position);

/* gadget-transcript.c */
void            _gadget_transcript_set_has_new     (GadgetTranscript *self,
                                                    gboolean          has_new);
void            _gadget_transcript_set_end_hidden  (GadgetTranscript *self,
                                                    gboolean          hidden);
void            _gadget_transcript_set_ask_hidden  (GadgetTranscript *self,
                                                    gboolean          hidden);
void            _gadget_transcript_notify_following (GadgetTranscript *self);
gboolean        _gadget_transcript_emit_open_link  (GadgetTranscript *self,
                                                    const char       *address);
gboolean        _gadget_transcript_emit_open_file  (GadgetTranscript *self,
                                                    const char       *path,
                                                    gboolean          in_folder);
void            _gadget_transcript_emit_answer_left (GadgetTranscript *self,
                                                    GadgetSession    *session,
                                                    const char       *text);

/* gadget-transcript-selection.c */
void            _gadget_transcript_selection_init   (GadgetTranscript *self);
void            _gadget_transcript_selection_end    (GadgetTranscript *self);
void            _gadget_transcript_selection_spliced (GadgetTranscript *self,
                                                    guint             position,
                                                    guint             removed,
                                                    guint             added);
void            _gadget_transcript_selection_draw   (GadgetTranscript *self,
                                                    GadgetRealised   *row);

gboolean        _gadget_transcript_has_selection   (GadgetTranscript *self);

/* Of the selection the end that is moved, and the one that stays; FALSE where nothing is selected
 * and no place was pressed. */
gboolean        _gadget_transcript_selection_get_ends (GadgetTranscript *self,
                                                    GadgetTextPosition *fixed,
                                                    GadgetTextPosition *head);
void            _gadget_transcript_selection_set_ends (GadgetTranscript *self,
                                                    GadgetTextPosition fixed,
                                                    GadgetTextPosition head);

void            _gadget_transcript_select_word_at  (GadgetTranscript *self,
                                                    double            x,
                                                    double            y);

void            _gadget_transcript_selection_find  (GadgetTranscript *self,
                                                    double            x,
                                                    double            y,
                                                    GadgetTextPosition *place);

/* gadget-transcript-primary.c */
void            _gadget_transcript_primary_init    (GadgetTranscript *self);
void            _gadget_transcript_primary_end     (GadgetTranscript *self);

/* Makes what is selected the PRIMARY selection, or gives that up when nothing is. */
void            _gadget_transcript_offer_primary   (GadgetTranscript *self,
                                                    gboolean          selected);

/* gadget-transcript-caret.c. A row is scrolled to when it is out of sight. */
GadgetRow      *_gadget_transcript_reach_row       (GadgetTranscript *self,
                                                    guint             position);
void            _gadget_transcript_caret_class_init (GtkWidgetClass  *widget_class);
void            _gadget_transcript_caret_snapshot  (GadgetTranscript *self,
                                                    GtkSnapshot      *snapshot);

/* gadget-transcript-footers.c */
void            _gadget_transcript_footers_init    (GadgetTranscript *self);
void            _gadget_transcript_update_footers  (GadgetTranscript *self);
void            _gadget_transcript_narrow_footers (GadgetTranscript *self);
GadgetTurn     *_gadget_transcript_find_turn_at    (GadgetTranscript *self,
                                                    double            y,
                                                    gboolean         *last);
GadgetTurn     *_gadget_transcript_get_turn_of     (GadgetTranscript *self,
                                                    guint             position,
                                                    gboolean         *last);

/* gadget-transcript-position.c */
void            _gadget_transcript_keep_position   (GadgetTranscript *self);
void            _gadget_transcript_find_position   (GadgetTranscript *self);

/* gadget-transcript-files.c */
void            _gadget_transcript_files_class_init (GtkWidgetClass  *widget_class);

/* gadget-transcript-menu.c */
void            _gadget_transcript_menu_class_init (GtkWidgetClass   *widget_class);
void            _gadget_transcript_menu_init       (GadgetTranscript *self);

/* gadget-transcript-keys.c */
gboolean        _gadget_transcript_enter           (GadgetTranscript *self);
void            _gadget_transcript_keys_class_init  (GtkWidgetClass *widget_class);
void            _gadget_transcript_watch_focus     (GadgetTranscript *self);
void            _gadget_transcript_unwatch_focus   (GadgetTranscript *self);

/* Says of cards among so many rows, which are new, that they wait. */
void     _gadget_transcript_announce_asks (GadgetTranscript *self,
                                           guint             position,
                                           guint             n_rows);

G_END_DECLS
