/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Patterns for paths: "*" and "?" are anything but "/", "**" as a whole component any number of
 * folders, "[a-z]" and "[!a-z]" one character of a set, "{a,b}" alternatives, "\" takes the meaning
 * of what follows away. Any path whatever is matched in bounded time. */
typedef struct _GadgetGlob GadgetGlob;

GadgetGlob *gadget_glob_new     (const char  *pattern,
                                 GError     **error);
void        gadget_glob_free    (GadgetGlob  *self);
gboolean    gadget_glob_matches (GadgetGlob  *self,
                                 const char  *path);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGlob, gadget_glob_free)

G_END_DECLS
