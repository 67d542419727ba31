/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-file-version.h"
#include "gadget-path-lookup.h"
#include "common/gadget-blocking.h"

G_BEGIN_DECLS

#define GADGET_REPLACE_ERROR (gadget_replace_error_quark ())
GQuark             gadget_replace_error_quark     (void);

/**
 * GadgetReplaceError:
 * @GADGET_REPLACE_ERROR_CHANGED: the file has changed since it was read
 * @GADGET_REPLACE_ERROR_EXISTS: the file exists although it was not read
 * @GADGET_REPLACE_ERROR_OWNER: the file would no longer belong to its user or group
 * @GADGET_REPLACE_ERROR_PROTECTED: the file is run outside of the sandbox
 *
 * Why a file was not replaced; the domain is %GADGET_REPLACE_ERROR.
 */
typedef enum
{
  GADGET_REPLACE_ERROR_CHANGED,
  GADGET_REPLACE_ERROR_EXISTS,
  GADGET_REPLACE_ERROR_OWNER,
  GADGET_REPLACE_ERROR_PROTECTED,
} GadgetReplaceError;

/* A new content of a file, which is written beside it and then put into its place. All functions
 * block: call them in a thread. The source says what is guaranteed. */
typedef struct _GadgetReplacement GadgetReplacement;

GadgetReplacement *gadget_replacement_new         (GadgetPathLookup        *lookup,
                                                   const GadgetFileVersion *expected,
                                                   gboolean                 need_owner,
                                                   GError                 **error);
/* For undo: replaces whatever there is except a folder, writable or not, as long as it is still
 * what LOOKUP found; the attributes of a file stay, and its owner where that is permitted. */
GadgetReplacement *gadget_replacement_new_over    (GadgetPathLookup        *lookup,
                                                   GError                 **error);
/* _free () leaves nothing on the disk if there was no commit. _get_fd () returns a descriptor
 * (transfer none) for writing. _write () appends to the content; it fails with %G_IO_ERROR.
 * _set_mode () sets another mode than that of the old file. */
void               gadget_replacement_free        (GadgetReplacement       *self);
int                gadget_replacement_get_fd      (GadgetReplacement       *self);
gboolean           gadget_replacement_write       (GadgetReplacement       *self,
                                                   const void              *data,
                                                   gsize                    length,
                                                   GCancellable            *cancellable,
                                                   GError                 **error);
void               gadget_replacement_set_mode    (GadgetReplacement       *self,
                                                   mode_t                   mode);
void               gadget_replacement_sync        (GPtrArray               *replacements);
gboolean           gadget_replacement_commit      (GadgetReplacement       *self,
                                                   GadgetBlocking          *job,
                                                   GadgetFileVersion       *version,
                                                   GError                 **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetReplacement, gadget_replacement_free)

/* Removes the files that killed processes left in a folder. A commit does that for its folder, but
 * not that of gadget_replacement_new_over (). */
void               gadget_replacement_sweep       (int                      folder);

/* The prefix of the names that files have until they are in their place. */
#define GADGET_REPLACE_HIDDEN ".gadget-new-"

/* For tests: behaves as on a file system without nameless files. */
void               gadget_replacement_force_names (gboolean                 forced);

/* For tests: behaves as if the owner of a file could not be changed. */
void               gadget_replacement_force_owner (gboolean                 forced);

/* Copies the metadata of the file OLD (a descriptor of any kind) to FD, except for the mode. The
 * owner may be different afterwards unless NEED_OWNER. PATH is the name in errors. */
gboolean           _gadget_replace_copy_metadata  (int                      old,
                                                   const struct stat       *info,
                                                   int                      fd,
                                                   gboolean                 need_owner,
                                                   const char              *path,
                                                   GError                 **error);

G_END_DECLS
