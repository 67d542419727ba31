/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-import.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetImported:
 * @name: the names of the files
 * @ended_at: when it ended, in milliseconds since 1970
 * @report: (nullable): what was done; %NULL if the import failed
 * @problem: (nullable): what is wrong with a file, for the user
 * @error: (nullable): why it failed
 * @undoing: whether its undo goes on
 * @undone: whether it was undone
 * @n_kept: the chats that its undo left, as they went on or are open
 *
 * An import that has ended.
 */
typedef struct
{
  char *name;
  gint64 ended_at;
  GadgetImportReport *report;
  char *problem;
  GError *error;
  gboolean undoing;
  gboolean undone;
  guint n_kept;
} GadgetImported;

#define GADGET_TYPE_IMPORTS (gadget_imports_get_type ())
G_DECLARE_FINAL_TYPE (GadgetImports, gadget_imports, GADGET, IMPORTS, GObject)

/* The imports of this process, one after the other. Signals: "changed" (), when one began or ended
 * or was undone; "ended" (#GadgetImported), when one was not cancelled; "progressed" (). */
GadgetImports *gadget_imports_new          (GadgetStore         *store);
void           gadget_imports_start        (GadgetImports       *self,
                                            const char *const   *paths);
/* Stops the import that goes on, and starts none of those that wait. */
void           gadget_imports_cancel       (GadgetImports       *self);
/* The names of the files that are being imported (transfer none) (nullable): NULL if none are. */
const char    *gadget_imports_get_running  (GadgetImports       *self);
/* How much of them was read, and the number of chats in that. */
double         gadget_imports_get_fraction (GadgetImports       *self);
guint          gadget_imports_get_n_chats  (GadgetImports       *self);
/* (transfer none) (element-type GadgetImported): those that ended, the last one first. */
GPtrArray     *gadget_imports_get_finished (GadgetImports       *self);
/* Undoes an import of that list, if it can be. */
void           gadget_imports_undo         (GadgetImports       *self,
                                            GadgetImported      *imported);

G_END_DECLS
