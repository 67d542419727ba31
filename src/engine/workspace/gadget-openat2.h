/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds what PATH names without ever leaving the folder DIR, whatever is renamed or linked
 * meanwhile. PATH is relative. With LINKS, symbolic links that stay inside are followed, also in
 * the last component. Returns an O_PATH descriptor, or -1 with errno: EXDEV if PATH leads out of
 * the folder, ELOOP for a magic link of /proc or too many links, without LINKS for any link. */
int  _gadget_openat2_find           (int         dir,
                                     const char *path,
                                     gboolean    links);

/* For tests: behaves as on a kernel without openat2 (). */
void _gadget_openat2_force_fallback (gboolean    forced);

G_END_DECLS
