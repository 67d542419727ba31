/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A pattern for paths: "*" and "?" match anything but "/", "**" as a whole component matches any
 * number of folders, "[a-z]" and "[!a-z]" one character of a set, "{a,b}" alternatives, and "\"
 * makes the next character literal. Matching takes bounded time for any path; a path that takes
 * longer does not match. */
typedef struct _GadgetGlob GadgetGlob;

GadgetGlob *gadget_glob_new     (const char  *pattern,
                                 GError     **error);
void        gadget_glob_free    (GadgetGlob  *self);
gboolean    gadget_glob_matches (GadgetGlob  *self,
                                 const char  *path);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGlob, gadget_glob_free)

G_END_DECLS
