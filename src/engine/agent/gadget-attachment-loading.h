/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the files that another program, or the command line, attaches to a message, before the turn
 * that gets them starts. Reading them is a run of its own. */

#pragma once

#include "gadget-engine.h"
#include "attach/gadget-attachment-reader.h"

G_BEGIN_DECLS

/* The largest number of files for one message. */
#define GADGET_ATTACHMENT_LOADING_MAX_FILES 20

GadgetRun *gadget_attachment_loading_start  (GadgetEngine         *engine,
                                             GadgetSession        *session,
                                             GPtrArray            *files,
                                             GadgetPictureFileFunc shrink,
                                             guint                 deadline_ms,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
GPtrArray *gadget_attachment_loading_finish (GAsyncResult         *result,
                                             GFile               **failed,
                                             GError              **error);

G_END_DECLS
