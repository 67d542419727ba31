/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What .gitignore and .ignore of a folder, and of those above it, say is to be passed over. */
typedef struct _GadgetIgnore GadgetIgnore;

/* FOLDER is open; PATH is its path below the top, "" for the top itself. ABOVE (nullable) outlives
 * it. NULL where there is nothing to say: then ABOVE holds. Blocks. */
GadgetIgnore *gadget_ignore_new     (const GadgetIgnore *above,
                                     int                 folder,
                                     const char         *path);
void          gadget_ignore_free    (GadgetIgnore       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetIgnore, gadget_ignore_free)

/* PATH is below the top. */
gboolean      gadget_ignore_matches (const GadgetIgnore *self,
                                     const char         *path,
                                     gboolean            is_folder);

G_END_DECLS
