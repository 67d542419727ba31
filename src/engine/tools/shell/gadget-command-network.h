/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether @line is fully understood and does the same with the network whatever the folder
 * contains: it runs no script, interpreter or build tool, and sends no file. Only such a line may
 * be allowed the network for more than one call, since everything else can be changed after it was
 * allowed. */
gboolean gadget_command_network_is_fixed (const char *line);

G_END_DECLS
