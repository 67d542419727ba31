/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that are given with what is asked. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) (element-type GFile) */
GPtrArray  *gadget_cli_attach_make_files (char         **names);

/* Why a file could not be given, and what can be done. The first is (transfer full), the second
 * (nullable). */
char       *gadget_cli_attach_dup_title  (GFile         *file,
                                          const GError  *error);
const char *gadget_cli_attach_get_hint   (const GError  *error);

G_END_DECLS
