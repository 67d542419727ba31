/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where people keep keys and passwords: folders relative to the home folder, and names of files in
 * any folder. Both lists end with NULL. */
extern const char *const gadget_secret_folders[];
extern const char *const gadget_secret_files[];

/* TRUE when the last component of PATH is such a file name, or has an ending that key files have.
 * Pure. */
gboolean gadget_secret_file_is_named   (const char *path);

/* TRUE when PATH, absolute and without symbolic links, is a secret folder, is inside one, or
 * contains one. Knows folders of the system, too. Pure. */
gboolean gadget_secret_folder_concerns (const char *path);

G_END_DECLS
