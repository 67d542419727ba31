/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_APPLICATION (gadget_application_get_type ())
G_DECLARE_FINAL_TYPE (GadgetApplication, gadget_application, GADGET, APPLICATION, AdwApplication)

/* The application. It owns the engine, the window and the object on the session bus; see the source
 * for the order in which it opens and leaves. (transfer full) */
GadgetApplication *gadget_application_new             (void);

/* Returns what main () returns: 0, 128 plus the number of the signal that ended the program, as a
 * shell reports it. */
int                gadget_application_get_exit_status (GadgetApplication *self);

/* Tells, after the program has run, whether it is to be started anew: a window was requested while
 * it was leaving, or its data could not be opened and the user wants to try again. */
gboolean           gadget_application_starts_again    (GadgetApplication *self);

G_END_DECLS
