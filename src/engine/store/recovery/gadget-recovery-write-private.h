/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: writing recovery files. */

#pragma once

#include "gadget-recovery-write.h"

G_BEGIN_DECLS

/* The suffixes of complete files and of files that are being written, and the prefixes of the kinds
 * of files. */
#define GADGET_RECOVERY_SUFFIX ".txt"
#define GADGET_RECOVERY_PARTIAL_SUFFIX ".part"
#define GADGET_RECOVERY_TURN_PREFIX "reply-"
#define GADGET_RECOVERY_DRAFT_PREFIX "draft-"
#define GADGET_RECOVERY_SESSION_PREFIX "chat-"

/* Returns the text of a file (transfer full). Called in a thread, and possibly in several threads
 * at the same time. */
typedef char *(*GadgetRecoveryFormatFunc) (gconstpointer data);

void          _gadget_recovery_write_async        (const char               *data_dir,
                                                   const char               *name,
                                                   GadgetRecoveryFormatFunc  format,
                                                   gpointer                  data,
                                                   GDestroyNotify            destroy,
                                                   GAsyncReadyCallback       callback,
                                                   gpointer                  user_data);

G_END_DECLS
