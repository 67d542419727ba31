/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that another program, or the command line, gives with a message: read before the turn that
 * is given them starts. Reading them is a run of its own. */

#pragma once

#include "attach/gadget-attachment-reader.h"
#include "gadget-engine.h"

G_BEGIN_DECLS

/* With one message. */
#define GADGET_ATTACHING_MAX_FILES 20

GadgetRun *gadget_attaching_start  (GadgetEngine         *engine,
                                    GadgetSession        *session,
                                    GPtrArray            *files,
                                    GadgetShrinkFunc      shrink,
                                    guint                 deadline_ms,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
GPtrArray *gadget_attaching_finish (GAsyncResult         *result,
                                    GFile               **failed,
                                    GError              **error);

G_END_DECLS
