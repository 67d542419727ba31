/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-recovery.h"

G_BEGIN_DECLS

/* Names of files that are whole end in the first, of those that are being written in the second. */
#define GADGET_RECOVERY_SUFFIX ".txt"
#define GADGET_RECOVERY_PARTIAL_SUFFIX ".part"
#define GADGET_RECOVERY_TURN_PREFIX "reply-"
#define GADGET_RECOVERY_DRAFT_PREFIX "draft-"
#define GADGET_RECOVERY_SESSION_PREFIX "chat-"

/* The text of a file. Called in a thread, and in several of them at the same time. */
typedef char *(*GadgetRecoveryFormatFunc) (gconstpointer data);

void                _gadget_recovery_write_async   (const char               *data_dir,
                                                    const char               *name,
                                                    GadgetRecoveryFormatFunc  format,
                                                    gpointer                  data,
                                                    GDestroyNotify            destroy,
                                                    GAsyncReadyCallback       callback,
                                                    gpointer                  user_data);

G_END_DECLS
