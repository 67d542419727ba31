/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "ui/pictures/gadget-picture-book.h"
#include "ui/pictures/gadget-remote-pictures.h"
#include "ui/transcript/model/gadget-change-book.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT (gadget_transcript_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscript, gadget_transcript, GADGET, TRANSCRIPT, GtkWidget)

/**
 * GadgetTranscript:
 *
 * A chat, to be put into a #GtkScrolledWindow. Only the rows in sight are widgets, however long
 * the chat is, and what is being read never moves by itself. Properties, all notified:
 * "following" (the end is kept in sight), "has-new" (something came below what is in sight),
 * "ask-hidden" (a card waits for an answer out of sight), "end-hidden" (the end is).
 */
GtkWidget     *gadget_transcript_new           (void);
void           gadget_transcript_set_session   (GadgetTranscript *self,
                                                GadgetSession    *session);
GadgetSession *gadget_transcript_get_session   (GadgetTranscript *self);

/* To be called when the user sends, or asks for the end: shows the end, and keeps it in sight. */
void           gadget_transcript_follow        (GadgetTranscript *self);
gboolean       gadget_transcript_get_following (GadgetTranscript *self);
gboolean       gadget_transcript_get_has_new   (GadgetTranscript *self);
gboolean       gadget_transcript_get_end_hidden (GadgetTranscript *self);

/* Where the chat was left, as text: NULL at its end. To be put in before the chat is shown. */
char          *gadget_transcript_dup_position  (GadgetTranscript *self);
void           gadget_transcript_put_position  (GadgetSession    *session,
                                                const char       *text);

/* The providers that the user has, for their names: a GListModel of #GadgetProviderConfig. */
void           gadget_transcript_set_providers (GadgetTranscript *self,
                                                GListModel       *providers);
GListModel    *gadget_transcript_get_providers (GadgetTranscript *self);

/* What turns changed; to be set before the session. NULL for nothing that is known. */
void           gadget_transcript_set_book      (GadgetTranscript *self,
                                                GadgetChangeBook *book);

/* Where its pictures are read; to be set before the session. NULL for nowhere. */
void           gadget_transcript_set_pictures  (GadgetTranscript  *self,
                                                GadgetPictureBook *pictures);
GadgetPictureBook *gadget_transcript_get_pictures (GadgetTranscript *self);

/* Those that answers name and that the user may load; to be set before the session. NULL for none. */
void           gadget_transcript_set_remote_pictures (GadgetTranscript     *self,
                                                GadgetRemotePictures *pictures);
GadgetRemotePictures *gadget_transcript_get_remote_pictures (GadgetTranscript *self);

/* Shows the card that waits for an answer and gives it the focus; FALSE when there is none. */
gboolean       gadget_transcript_focus_ask     (GadgetTranscript *self);
gboolean       gadget_transcript_get_ask_hidden (GadgetTranscript *self);

/* One page up (-1) or down (1). */
void           gadget_transcript_scroll_page   (GadgetTranscript *self,
                                                int               direction);

/* Shows the turn before (-1) or after (1) the one at the top. */
void           gadget_transcript_go_to_turn    (GadgetTranscript *self,
                                                int               direction);

/* What is selected, rows out of sight included: as it is shown, and in Markdown as it was written.
 * (transfer full) (nullable) */
char          *gadget_transcript_dup_selection (GadgetTranscript *self);
char          *gadget_transcript_dup_selection_source (GadgetTranscript *self);
void           gadget_transcript_select_all    (GadgetTranscript *self);
void           gadget_transcript_unselect      (GadgetTranscript *self);

G_END_DECLS
