/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-stop-control.h"

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_COMPOSER (gadget_composer_get_type ())
G_DECLARE_FINAL_TYPE (GadgetComposer, gadget_composer, GADGET, COMPOSER, AdwBin)

/* Where a message is written, sent and stopped. Signals: "submit" (text) and "steer" (text, for the
 * turn that is going on) (the text is still in it, and so is what is attached: the receiver takes it
 * with gadget_composer_clear ()), "stop", "send-queued" (guint index), "model-chosen" (provider,
 * model), "toast" (AdwToast, to be shown) and "scroll-page" (int direction; the receiver returns
 * whether there is a chat to scroll). Property "narrow". The control is given to it with the work's
 * phase by its owner. */
void               gadget_composer_set_clock     (GadgetComposer *self,
                                                  GadgetClock    *clock);
GadgetStopControl *gadget_composer_get_control   (GadgetComposer *self);
void               gadget_composer_set_session   (GadgetComposer *self,
                                                  GadgetEngine   *engine,
                                                  GadgetSession  *session);
char              *gadget_composer_dup_text      (GadgetComposer *self);
gboolean           gadget_composer_is_empty      (GadgetComposer *self);
void               gadget_composer_clear         (GadgetComposer *self);
void               gadget_composer_enqueue       (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments,
                                                  gboolean        steering);

/* Puts a text before what is being written, as a change that can be undone; nothing is lost. */
void               gadget_composer_prepend       (GadgetComposer *self,
                                                  const char     *text);

/* The same in a chat that need not be the shown one: then into its draft. */
void               gadget_composer_prepend_to    (GadgetComposer *self,
                                                  GadgetSession  *session,
                                                  const char     *text);

/* The chat was deleted by another process: what is written, and what waits, is the new chat's. */
void               gadget_composer_note_deleted  (GadgetComposer *self);
void               gadget_composer_bring_back    (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
/* Whether an attachment is still being read. */
gboolean           gadget_composer_is_reading     (GadgetComposer *self);
GPtrArray         *gadget_composer_dup_attachments (GadgetComposer *self);
void               gadget_composer_take_drops    (GadgetComposer *self,
                                                  GtkWidget      *widget);

/* An earlier message is edited in the place of what is being written, which comes back. */
gboolean           gadget_composer_begin_edit    (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
gboolean           gadget_composer_holds         (GadgetComposer *self,
                                                  const char     *text,
                                                  GPtrArray      *attachments);
gboolean           gadget_composer_is_draft_empty (GadgetComposer *self);
void               gadget_composer_end_edit      (GadgetComposer *self);
void               gadget_composer_keep_edit     (GadgetComposer *self);
void               gadget_composer_focus         (GadgetComposer *self);
void               gadget_composer_open_models   (GadgetComposer *self);

G_END_DECLS
