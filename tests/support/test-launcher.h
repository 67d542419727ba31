/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on @opened has what the launchers of GTK were last asked to open: an address, a path, or
 * "folder of PATH". A program that calls this gets the functions of test-launcher.c in place of
 * those of GTK, and starts no other program. */
void test_launcher_watch (char **opened);

G_END_DECLS
