/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-stop-control.h"

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_COMPOSER (gadget_composer_get_type ())
G_DECLARE_FINAL_TYPE (GadgetComposer, gadget_composer, GADGET, COMPOSER, AdwBin)

/* The widget in which a message is written, sent and stopped. Signals: "submit" (text) and "steer"
 * (text): to send, or to steer the turn that runs; the handler takes text and attachments away with
 * gadget_composer_clear (). "stop", "send-queued" (guint index), "model-chosen" (provider, model),
 * "mode-chosen" (int, a GadgetMode), "toast" (AdwToast): to be shown, and "scroll-page" (int
 * direction): returns whether there was a chat to scroll. Property "narrow". The owner sets the
 * phase of the control. */
void               gadget_composer_set_clock     (GadgetComposer *self,
                                                  GadgetClock    *clock);
GadgetStopControl *gadget_composer_get_control   (GadgetComposer *self);
void               gadget_composer_set_session   (GadgetComposer *self,
                                                  GadgetEngine   *engine,
                                                  GadgetSession  *session);
char              *gadget_composer_dup_text      (GadgetComposer *self);
gboolean           gadget_composer_is_empty      (GadgetComposer *self);
void               gadget_composer_clear         (GadgetComposer *self);
void               gadget_composer_discard_drafts (GadgetComposer *self);
void               gadget_composer_enqueue       (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments,
                                                  gboolean        steering);

/* Puts a text before the draft, as a change that can be undone. */
void               gadget_composer_prepend       (GadgetComposer *self,
                                                  const char     *text);

/* Does the same for a chat that need not be shown: then the text goes into its draft. */
void        gadget_composer_keep_draft (GadgetComposer *self,
                                        GadgetSession  *session);
void               gadget_composer_prepend_to    (GadgetComposer *self,
                                                  GadgetSession  *session,
                                                  const char     *text);

/* The chat that is shown was deleted by another process: its draft and its queue go to the new
 * chat. */
void               gadget_composer_note_deleted  (GadgetComposer *self);
void               gadget_composer_bring_back    (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
/* Tells whether an attachment is still being read. */
gboolean           gadget_composer_is_reading     (GadgetComposer *self);
GPtrArray         *gadget_composer_dup_attachments (GadgetComposer *self);
void               gadget_composer_take_drops    (GadgetComposer *self,
                                                  GtkWidget      *widget);

/* An earlier message is edited in place of the draft, which is put aside. begin_edit () shows the
 * message, and returns FALSE while the draft or an attachment is still being read. end_edit ()
 * shows the draft again, and keep_edit () puts the edited text behind it; both do nothing when no
 * message is edited. holds () tells whether the composer has exactly this text and these attachments;
 * is_draft_empty () is about the draft that was put aside, if one was. @attachments is nullable. */
gboolean           gadget_composer_begin_edit    (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
gboolean           gadget_composer_holds         (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
gboolean           gadget_composer_is_draft_empty (GadgetComposer *self);
void               gadget_composer_end_edit      (GadgetComposer *self);
void               gadget_composer_keep_edit     (GadgetComposer *self);

/* Gives the focus to the text, and opens the menu of models. */
void               gadget_composer_focus         (GadgetComposer *self);
void               gadget_composer_open_models   (GadgetComposer *self);

G_END_DECLS
