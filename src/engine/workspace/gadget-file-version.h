/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* In bytes: the content of a larger file is not remembered. */
#define GADGET_FILE_VERSION_MAX_CONTENT (8 * 1024 * 1024)

/**
 * GadgetFileVersion:
 * @exists: %FALSE if the file did not exist; all else is 0 then
 * @device: st_dev of the file
 * @inode: st_ino of the file
 * @size: in bytes
 * @mtime_ns: time of modification, in nanoseconds since 1970
 * @ctime_ns: time of change, in nanoseconds since 1970
 * @fresh: the file was changed so shortly before it was read that a second change could have the
 *   same times
 * @has_digest: whether @digest is set
 * @digest: SHA-256 of the content
 *
 * The state of a file when it was read. Plain data, to be copied by assignment.
 */
typedef struct
{
  gboolean exists;
  guint64 device;
  guint64 inode;
  gint64 size;
  gint64 mtime_ns;
  gint64 ctime_ns;
  gboolean fresh;
  gboolean has_digest;
  guint8 digest[32];
} GadgetFileVersion;

/* _init () sets the version of a file from INFO, of fstat () or similar. _set_content () adds the
 * digest of its whole content; it does nothing if LENGTH is not the size, or is more than the
 * limit. */
void                gadget_file_version_init         (GadgetFileVersion       *self,
                                                      const struct stat       *info);
void                gadget_file_version_set_content  (GadgetFileVersion       *self,
                                                      const void              *data,
                                                      gsize                    length);

/* Returns whether NOW is the version of a file that has not changed since SELF. The content decides
 * if both have a digest. */
gboolean            gadget_file_version_equals       (const GadgetFileVersion *self,
                                                      const GadgetFileVersion *now);

/* Returns whether the file NAME in FOLDER, for which fstatat () returned INFO, has not changed
 * since SELF: either nothing is different, or only its times and its identity are, not its content.
 * Blocks. */
gboolean            gadget_file_version_matches      (const GadgetFileVersion *self,
                                                      int                      folder,
                                                      const char              *name,
                                                      const struct stat       *info);

/* The versions of the files that a chat has read, by real path. For all threads. */
typedef struct _GadgetVersionsRead GadgetVersionsRead;

GadgetVersionsRead *gadget_versions_read_new         (void);
GadgetVersionsRead *gadget_versions_read_ref         (GadgetVersionsRead      *self);
void                gadget_versions_read_unref       (GadgetVersionsRead      *self);

/* Returns the table of a chat, created at the first call, which lives as long as the chat does.
 * (transfer none) Main context only. */
GadgetVersionsRead *gadget_versions_read_of          (GObject                 *session);

void                gadget_versions_read_note        (GadgetVersionsRead      *self,
                                                      const char              *path,
                                                      const GadgetFileVersion *version);

/* Returns FALSE if the file was not read. */
gboolean            gadget_versions_read_lookup      (GadgetVersionsRead      *self,
                                                      const char              *path,
                                                      GadgetFileVersion       *version);

/* Lock and unlock a file: between the two calls no other thread of the chat changes it, and the
 * caller notes the new version. The first function waits until the file is unlocked; it returns
 * FALSE with %G_IO_ERROR_CANCELLED if it is cancelled meanwhile. */
gboolean            gadget_versions_read_lock_file   (GadgetVersionsRead      *self,
                                                      const char              *path,
                                                      GCancellable            *cancellable,
                                                      GError                 **error);
void                gadget_versions_read_unlock_file (GadgetVersionsRead      *self,
                                                      const char              *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetVersionsRead, gadget_versions_read_unref)

G_END_DECLS
