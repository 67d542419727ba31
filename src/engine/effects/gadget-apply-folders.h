/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to applying states: the folders that are written into. */

#pragma once

#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

/* The folders, by their paths relative to one root. */
typedef struct _GadgetApplyFolders GadgetApplyFolders;

typedef void (*GadgetApplyFailedFunc) (const char *path, const char *message, gpointer user_data);

/* The descriptor @root must outlive the object. */
GadgetApplyFolders *_gadget_apply_folders_new          (int                    root);
void                _gadget_apply_folders_free         (GadgetApplyFolders    *self);

/* Opens a folder to write into it. One that is locked for its owner is made accessible. Returns a
 * descriptor (O_PATH), or -1 with errno. */
int                 _gadget_apply_folders_open         (GadgetApplyFolders    *self,
                                                        const char            *path);

/* Notes that something was put into the folder of the file @path. */
void                _gadget_apply_folders_note_written (GadgetApplyFolders    *self,
                                                        const char            *path);

/* The folder @path was removed: there is no mode or time to set. */
void                _gadget_apply_folders_forget       (GadgetApplyFolders    *self,
                                                        const char            *path);

/* The folder @path is to get the mode and time of @state. Returns FALSE with errno. */
gboolean            _gadget_apply_folders_set_state    (GadgetApplyFolders    *self,
                                                        const char            *path,
                                                        const GadgetFileState *state);

/* Sets the modes and times of all folders. @failed is called where that does not work. */
void                _gadget_apply_folders_finish       (GadgetApplyFolders    *self,
                                                        GadgetApplyFailedFunc  failed,
                                                        gpointer               user_data);

G_END_DECLS
