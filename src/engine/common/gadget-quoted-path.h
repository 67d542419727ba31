/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Paths as models read and write them. The format is that of git (core.quotePath of git-config),
 * but applied to each component of a path. A component that has control characters, is not UTF-8,
 * or begins with a quotation mark is put in quotation marks, with "\n", "\t", "\"", "\\" and other
 * bytes as three octal digits. Both functions are pure.
 *
 * (transfer full): PATH, or a single name, as one line of UTF-8. */
char *gadget_quoted_path_dup   (const char *path);

/* (transfer full): the path that QUOTED stands for. A component that is not a valid quoted name, or
 * that hides a "/", is taken literally. */
char *gadget_quoted_path_parse (const char *quoted);

G_END_DECLS
