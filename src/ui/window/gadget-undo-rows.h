/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the dialog that undoes. */

#pragma once

#include "effects/gadget-undo.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The rows of the files that a turn changed, each with its choice. */
typedef struct _GadgetUndoRows GadgetUndoRows;

/* @changed is called when a choice was made. */
GadgetUndoRows *_gadget_undo_rows_new        (AdwPreferencesPage *page,
                                              GadgetUndoList     *list,
                                              const char         *workspace,
                                              const char *const  *only,
                                              GFunc               changed,
                                              gpointer            user_data);
void            _gadget_undo_rows_free       (GadgetUndoRows     *self);

/* Whether all that can be done is to make the changes again. */
gboolean        _gadget_undo_rows_get_redo   (GadgetUndoRows     *self);

/* Files that are shown. */
guint           _gadget_undo_rows_get_n_files (GadgetUndoRows    *self);
gboolean        _gadget_undo_rows_has_choice (GadgetUndoRows     *self);

/* What is chosen: @paths is NULL for all of the turn, or else has the files, maybe none; @anyway has
 * those that are to be replaced although they have changed since. */
void            _gadget_undo_rows_take       (GadgetUndoRows     *self,
                                              char             ***paths,
                                              char             ***anyway);

G_END_DECLS
