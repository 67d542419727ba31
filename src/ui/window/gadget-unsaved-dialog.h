/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Called when the window may be closed. */
typedef void (*GadgetCloseFunc) (gpointer user_data);

/* Tells whether replies are not saved, or changes of chats or unsent messages would be lost. */
gboolean gadget_unsaved_dialog_is_needed (GadgetEngine    *engine);

/* Asks what to do about unsaved replies, chats and messages before @parent is closed. Must be
 * needed, see gadget_unsaved_dialog_is_needed(). @close is called when everything was saved after
 * all, or when the user closes anyway; it is not called when the user cancels. @parent gets one
 * such dialog at most. */
void     gadget_unsaved_dialog_present   (GtkWindow       *parent,
                                          GadgetEngine    *engine,
                                          GadgetCloseFunc  close,
                                          gpointer         user_data);

G_END_DECLS
