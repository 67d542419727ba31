/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-unsaved-turns.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef void (*GadgetCloseFunc) (gpointer user_data);

/* Asks what is to become of replies that are not saved before the window is closed: CLOSE is called
 * when they are saved after all, or when the user does not mind. PARENT gets one such dialog. */
void gadget_unsaved_dialog_present (GtkWindow          *parent,
                                    GadgetUnsavedTurns *unsaved,
                                    GadgetCloseFunc     close,
                                    gpointer            user_data);

G_END_DECLS
