/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The rules of the .gitignore and .ignore files of a folder and of the folders above it. */
typedef struct _GadgetIgnore GadgetIgnore;

/* Reads the rules of a folder. FOLDER is a descriptor, PATH its path below the top, "" for the top
 * itself. ABOVE (nullable) must outlive the result. Returns NULL if the folder has no rules: then
 * those of ABOVE apply. Blocks. */
GadgetIgnore *gadget_ignore_new     (const GadgetIgnore *above,
                                     int                 folder,
                                     const char         *path);
void          gadget_ignore_free    (GadgetIgnore       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetIgnore, gadget_ignore_free)

/* Returns whether PATH, a path below the top, is ignored. SELF is (nullable). */
gboolean      gadget_ignore_matches (const GadgetIgnore *self,
                                     const char         *path,
                                     gboolean            is_folder);

G_END_DECLS
