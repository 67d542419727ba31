/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_APPLICATION (gadget_application_get_type ())
G_DECLARE_FINAL_TYPE (GadgetApplication, gadget_application, GADGET, APPLICATION, AdwApplication)

GadgetApplication *gadget_application_new             (void);

/* What main () returns: 0, or as a shell reports it when a signal ended it. */
int                gadget_application_get_exit_status (GadgetApplication *self);

/* Whether the program is to be started anew, now that it has run: it was asked for a window while it
 * was leaving, or its data could not be opened and is tried again. */
gboolean           gadget_application_starts_again    (GadgetApplication *self);

G_END_DECLS
