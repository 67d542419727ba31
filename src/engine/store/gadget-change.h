/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-effects.h"

G_BEGIN_DECLS

/* The type of a file in a recorded state. */
typedef enum
{
  GADGET_FILE_NONE, /* no file */
  GADGET_FILE_REGULAR,
  GADGET_FILE_LINK,
  GADGET_FILE_FOLDER,
  GADGET_FILE_SPECIAL, /* a pipe, a socket or a device */
} GadgetFileType;

/* Above the permissions in a mode: the file has an access list, and the group's part of it. */
#define GADGET_MODE_HAS_LIST (1u << 16)
#define GADGET_MODE_LIST_GROUP 17 /* the first of three bits */
#define GADGET_MODE_LIST (017u << 16)
#define GADGET_MODE_PERMISSIONS 07777u

/**
 * GadgetFileState:
 * @mode: permissions, without the type; of a regular file also without set-user-ID and
 *   set-group-ID: undo gives these to no file, since it may belong to somebody else afterwards. For
 *   a file that is known to have an access list, the permissions of the group are the mask of the
 *   list, and what the list gives to the group is in %GADGET_MODE_LIST
 * @mtime: nanoseconds since 1970
 * @has_hash: whether @hash is known
 * @hash: of the content; of a link, of the path that it points to
 * @seen_begin: when the snapshot that found this state started: see
 *   effects/gadget-unique-timestamp.h
 * @seen_end: when that snapshot was complete
 *
 * The state of a file at one moment, as far as people see it: owners, access lists, extended
 * attributes and hard links are no part of it.
 */
typedef struct
{
  GadgetFileType type;
  guint32 mode;
  guint64 size;
  gint64 mtime;
  gboolean has_hash;
  guint8 hash[32];
  gint64 seen_begin;
  gint64 seen_end;
} GadgetFileState;

/**
 * GadgetChange:
 * @effect: the number of the effect that made the change
 * @kind: the kind of that effect
 * @root: the folder that @path is relative to
 * @path: in the encoding of the file system; "" for the folder itself
 * @before: the state before the effect
 * @after: the state after the effect
 * @shared: whether a file tool of another turn, or the user after the snapshot, may have made part
 *   of the change
 *
 * A recorded change of one file.
 */
typedef struct
{
  gint64 effect;
  GadgetEffectKind kind;
  char *root;
  char *path;
  GadgetFileState before;
  GadgetFileState after;
  gboolean shared;
} GadgetChange;

/* Copies PATH and the states; the root is NULL (transfer full). */
GadgetChange *gadget_change_new                (const char            *path,
                                                const GadgetFileState *before,
                                                const GadgetFileState *after);
void          gadget_change_free               (GadgetChange          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChange, gadget_change_free)

/* Copies a list of changes (element-type GadgetChange) (transfer full), except for the effects,
 * their kinds and the roots. */
GPtrArray    *gadget_changes_copy              (GPtrArray             *changes);

gboolean      gadget_file_state_same_content   (const GadgetFileState *a,
                                                const GadgetFileState *b);
gboolean      gadget_file_state_same           (const GadgetFileState *a,
                                                const GadgetFileState *b);
gboolean      gadget_file_state_equal          (const GadgetFileState *a,
                                                const GadgetFileState *b);
guint32       gadget_file_state_get_plain_mode (const GadgetFileState *self);

G_END_DECLS
