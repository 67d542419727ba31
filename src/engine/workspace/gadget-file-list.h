/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The names of the files of a folder at one time, below it, as a user would look for them: without
 * what is hidden or ignored. Never changed, so that any thread may look into it. */
typedef struct _GadgetFileList GadgetFileList;

GadgetFileList *gadget_file_list_ref          (GadgetFileList      *self);
void            gadget_file_list_unref        (GadgetFileList      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFileList, gadget_file_list_unref)

/* Of the files of the folder ROOT. */
void            gadget_file_list_read_async   (const char          *root,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
GadgetFileList *gadget_file_list_read_finish  (GAsyncResult        *result,
                                               GError             **error);

guint           gadget_file_list_get_n        (GadgetFileList      *self);

/* At most MAX of those that QUERY could mean, the most fitting first; see the source. */
void            gadget_file_list_match_async  (GadgetFileList      *self,
                                               const char          *query,
                                               guint                max,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
GStrv           gadget_file_list_match_finish (GAsyncResult        *result,
                                               GError             **error);

G_END_DECLS
