/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where people keep keys and passwords: folders, relative to the home folder, and names of files,
 * wherever they are. Both end with NULL. */
extern const char *const gadget_secret_folders[];
extern const char *const gadget_secret_files[];

/* Whether the last part of PATH is such a name, or looks like that of a key. Pure. */
gboolean gadget_secret_file_is_named   (const char *path);

/* Whether PATH, absolute and without links, is in such a folder, is one, or holds one. Pure. */
gboolean gadget_secret_folder_concerns (const char *path);

G_END_DECLS
