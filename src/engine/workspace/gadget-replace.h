/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-blocking.h"
#include "gadget-place.h"
#include "gadget-stamp.h"

G_BEGIN_DECLS

#define GADGET_REPLACE_ERROR (gadget_replace_error_quark ())
GQuark gadget_replace_error_quark (void);

/**
 * GadgetReplaceError:
 * @GADGET_REPLACE_ERROR_CHANGED: the file is no longer what it was when it was read
 * @GADGET_REPLACE_ERROR_EXISTS: there is one, where none was expected
 * @GADGET_REPLACE_ERROR_OWNER: it belongs to another user or group, and would not any more
 * @GADGET_REPLACE_ERROR_PROTECTED: it is run outside of the sandbox
 */
typedef enum
{
  GADGET_REPLACE_ERROR_CHANGED,
  GADGET_REPLACE_ERROR_EXISTS,
  GADGET_REPLACE_ERROR_OWNER,
  GADGET_REPLACE_ERROR_PROTECTED,
} GadgetReplaceError;

/* A new content for a file, written beside it and then put into its place. Everything here blocks:
 * not for the main context. See the source for what is promised. */
typedef struct _GadgetReplacement GadgetReplacement;

GadgetReplacement *gadget_replacement_new      (GadgetPlace        *place,
                                                const GadgetStamp  *expected,
                                                gboolean            need_owner,
                                                GError            **error);
/* For undo: in the place of whatever is there but a folder, writable or not, as long as it is what
 * PLACE says; a file's attributes stay, and its owner where that is allowed. */
GadgetReplacement *gadget_replacement_new_over (GadgetPlace        *place,
                                                gboolean            with_metadata,
                                                GError            **error);
void               gadget_replacement_free     (GadgetReplacement  *self);
int                gadget_replacement_get_fd   (GadgetReplacement  *self);
gboolean           gadget_replacement_write    (GadgetReplacement  *self,
                                                const void         *data,
                                                gsize               length,
                                                GCancellable       *cancellable,
                                                GError            **error);
void               gadget_replacement_set_mode (GadgetReplacement  *self,
                                                mode_t              mode);
void               gadget_replacement_sync     (GPtrArray          *replacements);
gboolean           gadget_replacement_commit   (GadgetReplacement  *self,
                                                GadgetBlocking     *job,
                                                GadgetStamp        *stamp,
                                                GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetReplacement, gadget_replacement_free)

/* Removes what killed processes left in a folder; a commit does, but for one over what is there. */
void               gadget_replacement_sweep    (int                 folder);

/* The beginning of the names that files have until they are in their place. */
#define GADGET_REPLACE_HIDDEN ".gadget-new-"

/* For tests: as on a file system that has no nameless files. */
void               gadget_replacement_force_names (gboolean         forced);

/* For tests: as where files cannot be given away. */
void               gadget_replacement_force_owner (gboolean         forced);

/* Copies what the file OLD (a descriptor of any kind) has besides its content to FD, but for its
 * mode; without its owner only if that NEED not be kept. */
gboolean           _gadget_replace_copy_metadata (int                 old,
                                                  const struct stat  *info,
                                                  int                 fd,
                                                  gboolean            need_owner,
                                                  const char         *path,
                                                  GError            **error);

G_END_DECLS
