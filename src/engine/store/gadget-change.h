/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-effects.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_FILE_NONE, /* there was nothing */
  GADGET_FILE_REGULAR,
  GADGET_FILE_LINK,
  GADGET_FILE_FOLDER,
  GADGET_FILE_SPECIAL, /* a pipe, a socket, a device */
} GadgetFileType;

typedef enum
{
  GADGET_ATTRIBUTES_UNKNOWN,
  GADGET_ATTRIBUTES_NONE,
  GADGET_ATTRIBUTES_KEPT,
} GadgetAttributes;

/**
 * GadgetFileState:
 * @mode: permissions, without the type
 * @mtime: nanoseconds since 1970
 * @has_hash: whether @hash is that of the content (of a link, that of what it points to)
 * @has_owner: whether @uid and @gid are known
 * @attributes: whether it has any, see workspace/gadget-attributes.h
 * @attributes_hash: of these, when they are kept
 * @inode: its number, or 0 where that is not known
 * @n_links: how many names it has, or 0
 * @seen_begin: when the look began that found it so: see effects/gadget-moment.h
 * @seen_end: when that look was over
 *
 * How a file was at one moment.
 */
typedef struct
{
  GadgetFileType type;
  guint32 mode;
  guint64 size;
  gint64 mtime;
  gboolean has_hash;
  guint8 hash[32];
  gboolean has_owner;
  guint32 uid;
  guint32 gid;
  GadgetAttributes attributes;
  guint8 attributes_hash[32];
  guint64 inode;
  guint32 n_links;
  gint64 seen_begin;
  gint64 seen_end;
} GadgetFileState;

/**
 * GadgetChange:
 * @effect: the row of the ledger that it belongs to
 * @kind: of that row
 * @root: the folder that @path is relative to
 * @path: in the encoding of the file system, "" for the folder itself
 * @shared: somebody else may have done some of it: another turn that was at work there at that
 *   time, or the user since the look at it
 *
 * What became of one file.
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

GadgetChange *gadget_change_new                 (const char            *path,
                                                 const GadgetFileState *before,
                                                 const GadgetFileState *after);
void          gadget_change_free                (GadgetChange          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChange, gadget_change_free)

gboolean      gadget_file_state_same_content    (const GadgetFileState *a,
                                                 const GadgetFileState *b);
gboolean      gadget_file_state_same_attributes (const GadgetFileState *a,
                                                 const GadgetFileState *b);
gboolean      gadget_file_state_same_owner      (const GadgetFileState *a,
                                                 const GadgetFileState *b);
gboolean      gadget_file_state_same            (const GadgetFileState *a,
                                                 const GadgetFileState *b);
gboolean      gadget_file_state_equal           (const GadgetFileState *a,
                                                 const GadgetFileState *b);

G_END_DECLS
