/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "ui/pictures/gadget-picture-loader.h"
#include "ui/pictures/gadget-remote-pictures.h"
#include "ui/transcript/model/gadget-change-cache.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT (gadget_transcript_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscript, gadget_transcript, GADGET, TRANSCRIPT, GtkWidget)

/**
 * GadgetTranscript:
 *
 * A widget that shows a chat, for use in a #GtkScrolledWindow. Only the rows in and near the
 * viewport are widgets, however long the chat is, and the text that the user is reading never moves
 * by itself.
 *
 * Properties, all notified: "session" (read-write), "following" (the end of the chat is kept in
 * sight), "has-new" (something was added below the viewport), "ask-hidden" (a question or
 * permission request waits for an answer and is out of sight), "end-hidden" (the end of the chat is
 * out of sight).
 */
GtkWidget            *gadget_transcript_new                  (void);
void                  gadget_transcript_set_session          (GadgetTranscript     *self,
                                                              GadgetSession        *session);
GadgetSession        *gadget_transcript_get_session          (GadgetTranscript     *self);

/* Scrolls to the end and keeps it in sight. To be called when the user sends a message or asks for
 * the end. The getters return the properties. */
void                  gadget_transcript_follow               (GadgetTranscript     *self);
gboolean              gadget_transcript_get_following        (GadgetTranscript     *self);
gboolean              gadget_transcript_get_has_new          (GadgetTranscript     *self);
gboolean              gadget_transcript_get_end_hidden       (GadgetTranscript     *self);

/* The scroll position of the chat and what is unfolded in it, as text; NULL when the chat is at its
 * end and nothing is unfolded. load_view () stores it with a session, and must be called before the
 * chat is shown. dup_view () needs a session. Signal "view-changed": it may be another text now.
 * (transfer full) (nullable) */
char                 *gadget_transcript_dup_view             (GadgetTranscript     *self);
void                  gadget_transcript_load_view            (GadgetSession        *session,
                                                              const char           *text);

/* The chat will be shown from the beginning of that turn. To be called before it is shown. */
void                  gadget_transcript_begin_at             (GadgetSession        *session,
                                                              const char           *turn_id,
                                                              const char           *call_id);

/* The user's providers, a GListModel of #GadgetProviderConfig; their names are shown in turns. NULL
 * for none. */
void                  gadget_transcript_set_providers        (GadgetTranscript     *self,
                                                              GListModel           *providers);

/* The cache of the changes that turns made; to be set before the session. With NULL no changes are
 * shown. */
void                  gadget_transcript_set_change_cache     (GadgetTranscript     *self,
                                                              GadgetChangeCache    *cache);

/* The loader of the chat's stored pictures; to be set before the session. With NULL none are
 * loaded. */
void                  gadget_transcript_set_pictures         (GadgetTranscript     *self,
                                                              GadgetPictureLoader  *pictures);

/* The pictures on web servers that responses refer to, which the user may load; to be set before
 * the session. NULL for none. */
void                  gadget_transcript_set_remote_pictures  (GadgetTranscript     *self,
                                                              GadgetRemotePictures *pictures);

/* Scrolls to the ask card that waits for an answer and focuses it; FALSE when there is none. */
gboolean              gadget_transcript_focus_ask            (GadgetTranscript     *self);
gboolean              gadget_transcript_get_ask_hidden       (GadgetTranscript     *self);

/* Scrolls one page up (@direction -1) or down (1). */
void                  gadget_transcript_scroll_page          (GadgetTranscript     *self,
                                                              int                   direction);

/* Scrolls to the turn before (@direction -1) or after (1) the current one. */
void                  gadget_transcript_go_to_turn           (GadgetTranscript     *self,
                                                              int                   direction);

/* Scrolls to the beginning of that turn, if the chat has it. */
void                  gadget_transcript_show_turn            (GadgetTranscript     *self,
                                                              const char           *turn_id);
/* Shows a call of that turn. */
void                  gadget_transcript_show_call            (GadgetTranscript     *self,
                                                              const char           *turn_id,
                                                              const char           *call_id);

/* The selected text, including rows out of sight: as it is shown, or as its Markdown source. NULL
 * when nothing is selected. (transfer full) (nullable) */
char                 *gadget_transcript_dup_selection        (GadgetTranscript     *self);
char                 *gadget_transcript_dup_selection_source (GadgetTranscript     *self);

/* Selects the whole chat, or nothing. */
void                  gadget_transcript_select_all           (GadgetTranscript     *self);
void                  gadget_transcript_unselect             (GadgetTranscript     *self);

G_END_DECLS
