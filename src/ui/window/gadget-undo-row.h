/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: one line of what a turn did, and groups of them. */

#pragma once

#include "effects/gadget-undo.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Absolute. (transfer full) */
char                *_gadget_undo_row_dup_path  (const GadgetUndoEntry *entry);

/* @subtitle is (nullable), and so is @more, which is said besides what became of the file. */
AdwActionRow        *_gadget_undo_row_new       (const char            *title,
                                                 const char            *subtitle);
AdwActionRow        *_gadget_undo_row_new_file  (const GadgetUndoEntry *entry,
                                                 const char            *workspace,
                                                 const char            *more);
/* That there are more files than rows. */
AdwActionRow        *_gadget_undo_row_new_rest  (guint                  n);

AdwPreferencesGroup *_gadget_undo_row_add_group (AdwPreferencesPage    *page,
                                                 const char            *title,
                                                 const char            *description);

G_END_DECLS
