/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How models are told of names, and name them: as git writes them (core.quotePath of git-config),
 * but for each part of a path. A part with control characters, or that is not UTF-8, or that begins
 * with a quotation mark, stands in quotation marks, with "\n", "\t", "\"", "\\" and bytes as three
 * octal digits. Both are pure.
 *
 * (transfer full): PATH, or a name, on one line and in UTF-8. */
char *gadget_quoted_path_dup   (const char *path);

/* (transfer full): what QUOTED stands for. A part that is no such name, or would be another folder
 * than it seems, stands for itself. */
char *gadget_quoted_path_parse (const char *quoted);

G_END_DECLS
