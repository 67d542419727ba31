/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: rows of the undo dialog, and groups of them. */

#pragma once

#include "effects/gadget-undo.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns the absolute path of the entry. (transfer full) */
char                *_gadget_undo_row_dup_path  (const GadgetUndoEntry *entry);

/* Make rows. @subtitle is (nullable); @more (nullable) is added to the description of the
 * change. */
AdwActionRow        *_gadget_undo_row_new       (const char            *title,
                                                 const char            *subtitle);
AdwActionRow        *_gadget_undo_row_new_file  (const GadgetUndoEntry *entry,
                                                 const char            *workspace,
                                                 const char            *more);
/* Makes a row for @n files that have no row of their own. */
AdwActionRow        *_gadget_undo_row_new_rest  (guint                  n);

/* Adds a group to @page and returns it. @description is (nullable). (transfer none) */
AdwPreferencesGroup *_gadget_undo_row_add_group (AdwPreferencesPage    *page,
                                                 const char            *title,
                                                 const char            *description);

G_END_DECLS
