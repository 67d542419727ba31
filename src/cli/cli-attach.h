/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that are attached to a message. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns the files with these names: (transfer full) (element-type GFile). */
GPtrArray  *gadget_cli_attach_make_files (char         **names);

/* Return the message for a file that could not be attached (transfer full), and what the user can
 * do (nullable). */
char       *gadget_cli_attach_dup_title  (GFile         *file,
                                          const GError  *error);
const char *gadget_cli_attach_get_hint   (const GError  *error);

G_END_DECLS
