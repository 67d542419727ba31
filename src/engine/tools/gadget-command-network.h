/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether LINE, which was fully understood, does the same with the network whatever is in the folder:
 * it runs no script, interpreter or builder, and sends no file. Only such a line may have the network
 * for longer than once, since everything else can be changed after it was allowed. */
gboolean gadget_command_network_is_fixed (const char *line);

G_END_DECLS
