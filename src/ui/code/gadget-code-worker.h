/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that has time, done in slices that are shorter than a frame: of all who have some, one after
 * the other. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Does a bit of work, far less than a millisecond of it if it can. Returns whether there is more. */
typedef gboolean (*GadgetCodeWork) (gpointer data);

/* @data is worked on from now on, until there is no more. */
void gadget_code_worker_add    (GadgetCodeWork work,
                                gpointer       data);
void gadget_code_worker_remove (gpointer       data);

/* For work that is not put off: does it until there is no more, but for no longer than a slice in
 * what would be one frame, whoever asks. Returns whether there is more. */
gboolean gadget_code_worker_do     (GadgetCodeWork work,
                                    gpointer       data);

G_END_DECLS
