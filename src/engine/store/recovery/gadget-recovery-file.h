/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetRecoveryFile:
 *
 * A file outside the database with a turn, a draft or changes of a session that could not be
 * stored. It is locked as long as this process has the object, so that no other process recovers
 * it.
 */
typedef struct _GadgetRecoveryFile GadgetRecoveryFile;

const char *gadget_recovery_file_get_path     (GadgetRecoveryFile  *self);
/* Closes the file, which stays and is found by the next start. */
void        gadget_recovery_file_close        (GadgetRecoveryFile  *self);
/* Removes the file, because its content is stored and needs no recovery. */
void        gadget_recovery_file_remove_async (GadgetRecoveryFile  *self,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
/* NEWER has the current text. */
void        gadget_recovery_file_replace      (GadgetRecoveryFile **file,
                                               GadgetRecoveryFile  *newer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecoveryFile, gadget_recovery_file_close)

G_END_DECLS
