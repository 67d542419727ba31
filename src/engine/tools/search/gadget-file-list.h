/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"

G_BEGIN_DECLS

/* The files of a folder and of the folders below it, by name, at one time, without hidden and
 * ignored files: a list in which a user searches for a file. It never changes, so that any thread
 * may use it. */
typedef struct _GadgetFileList GadgetFileList;

void            gadget_file_list_unref        (gpointer             self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFileList, gadget_file_list_unref)

/* Lists the files of the folder ROOT. */
void            gadget_file_list_read_async   (GadgetRipgrep       *ripgrep,
                                               const char          *root,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
GadgetFileList *gadget_file_list_read_finish  (GAsyncResult        *result,
                                               GError             **error);

/* Finds at most MAX files that QUERY could mean, the best match first. The source describes the
 * order. */
void            gadget_file_list_match_async  (GadgetFileList      *self,
                                               const char          *query,
                                               guint                max,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
GStrv           gadget_file_list_match_finish (GAsyncResult        *result,
                                               GError             **error);

G_END_DECLS
