/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the undo dialog. */

#pragma once

#include "effects/gadget-undo.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The rows of the files that a turn changed, with their choices. */
typedef struct _GadgetUndoRows GadgetUndoRows;

/* Adds rows for @list to @page. @workspace (nullable) is the folder that paths are relative to,
 * @only (nullable) the only paths to show. @changed is called with @user_data when the user changes
 * a choice. (transfer full) */
GadgetUndoRows *_gadget_undo_rows_new        (AdwPreferencesPage *page,
                                              GadgetUndoList     *list,
                                              const char         *workspace,
                                              const char *const  *only,
                                              GFunc               changed,
                                              gpointer            user_data);
void            _gadget_undo_rows_free       (GadgetUndoRows     *self);

/* Tells whether everything is undone already, so that the rows are about redoing. */
gboolean        _gadget_undo_rows_get_redo   (GadgetUndoRows     *self);

/* Returns the number of files that are shown; and whether the user chose any of them. */
guint           _gadget_undo_rows_get_n_files (GadgetUndoRows    *self);
gboolean        _gadget_undo_rows_has_choice (GadgetUndoRows     *self);

/* Returns what the user chose. @paths: (out) (transfer full) (nullable): NULL for everything that
 * the turn changed, else the chosen files, perhaps none. @anyway: (out) (transfer full) (nullable):
 * files to overwrite although they have changed since. */
void            _gadget_undo_rows_take       (GadgetUndoRows     *self,
                                              char             ***paths,
                                              char             ***anyway);

G_END_DECLS
