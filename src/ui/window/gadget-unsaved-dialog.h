/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef void (*GadgetCloseFunc) (gpointer user_data);

/* Tells whether there are replies that are not saved, or changes to chats or messages that were not
 * sent and would be lost. */
gboolean gadget_unsaved_dialog_is_needed (GadgetEngine    *engine);

/* Asks what is to become of them before the window is closed: CLOSE is called when they are saved
 * after all, or when the user does not mind. PARENT gets one such dialog. */
void     gadget_unsaved_dialog_present   (GtkWindow       *parent,
                                          GadgetEngine    *engine,
                                          GadgetCloseFunc  close,
                                          gpointer         user_data);

G_END_DECLS
