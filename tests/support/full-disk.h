/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A disk with room for so many nameless files that are open, and no more: writing into another one
 * fails. 0 for a disk with room. For programs that have full-disk.c among their own sources. */
void full_disk_set (guint n_files);

G_END_DECLS
