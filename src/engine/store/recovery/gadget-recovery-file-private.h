/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-recovery-file.h"

G_BEGIN_DECLS

/* An open recovery file. */
struct _GadgetRecoveryFile
{
  char *path;
  int fd; /* locked, see _gadget_recovery_lock () */
};

/* Takes ownership of FD, which is locked (transfer full). */
GadgetRecoveryFile *_gadget_recovery_file_new    (const char         *folder,
                                                  const char         *name,
                                                  int                 fd);
/* Locks a recovery file without waiting; FALSE if another process has it. */
gboolean            _gadget_recovery_lock        (int                 fd);
/* Removes the file, unless a newer one has its name, and frees SELF (transfer full). Runs in a
 * thread and may block for a long time. */
void                _gadget_recovery_file_remove (GadgetRecoveryFile *self);

G_END_DECLS
