/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: a store for the contents of files, by their hashes. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_HASH_LENGTH 32

/* The SHA-256 hash of a content. */
typedef struct
{
  guint8 bytes[GADGET_HASH_LENGTH];
} GadgetHash;

/* A folder of contents with a limit for their total size; see gadget-blobs.c. */
typedef struct _GadgetBlobs GadgetBlobs;

/**
 * GadgetKept:
 * @GADGET_KEPT: the hash is known and the content is stored
 * @GADGET_KEPT_NO_ROOM: the hash is known, but the limit left no room to store the content
 * @GADGET_KEPT_UNREAD: the content is larger than the caller's maximum and was not read
 *
 * How far a content was kept.
 */
typedef enum
{
  GADGET_KEPT,
  GADGET_KEPT_NO_ROOM,
  GADGET_KEPT_UNREAD,
} GadgetKept;

/* @directory is the data folder; @max_total limits the sum of all contents, in bytes. */
GadgetBlobs *_gadget_blobs_new           (const char       *directory,
                                          guint64           max_total);
/* For tests; must be called before anything is kept. */
void         _gadget_blobs_set_max_total (GadgetBlobs      *self,
                                          guint64           max_total);
void         _gadget_blobs_free          (GadgetBlobs      *self);

/* These functions block. They may be called in any thread, also at the same time. All of them set a
 * #GIOErrorEnum when they fail. For _gadget_blobs_keep () see the source;
 * _gadget_blobs_keep_bytes () does the same with @length bytes in memory. */
gboolean     _gadget_blobs_keep          (GadgetBlobs      *self,
                                          int               fd,
                                          guint64           size,
                                          guint64           max_size,
                                          GadgetHash       *hash,
                                          GadgetKept       *kept,
                                          GCancellable     *cancellable,
                                          GError          **error);
gboolean     _gadget_blobs_keep_bytes    (GadgetBlobs      *self,
                                          const void       *bytes,
                                          gsize             length,
                                          GadgetHash       *hash,
                                          GadgetKept       *kept,
                                          GError          **error);
/* Returns whether the content is stored; it may still turn out to be damaged when it is read. */
gboolean     _gadget_blobs_has           (GadgetBlobs      *self,
                                          const GadgetHash *hash);

/* Writes the content to the empty file @fd and checks its hash: G_IO_ERROR_INVALID_DATA when it
 * does not match. */
gboolean     _gadget_blobs_copy_to       (GadgetBlobs      *self,
                                          const GadgetHash *hash,
                                          int               fd,
                                          GError          **error);
/* Returns: (transfer full): the content, checked like above, or NULL with @error;
 * G_IO_ERROR_INVALID_ARGUMENT when it is longer than @max_size bytes. */
GBytes      *_gadget_blobs_read          (GadgetBlobs      *self,
                                          const GadgetHash *hash,
                                          gsize             max_size,
                                          GError          **error);

/* Removes contents and unfinished files that are older than @min_age seconds and not in @used, a
 * set of GadgetHash. Returns how many were removed. */
guint        _gadget_blobs_sweep         (GadgetBlobs      *self,
                                          GHashTable       *used,
                                          gint64            min_age);

/* Removes the contents that were stored first, until all take @max_total bytes at most, but none that
 * are younger than @min_age seconds or in @used. Returns how many were removed. */
guint        _gadget_blobs_trim          (GadgetBlobs      *self,
                                          guint64           max_total,
                                          GHashTable       *used,
                                          gint64            min_age);

/* For hash tables with keys of type GadgetHash. */
guint        _gadget_hash_hash           (gconstpointer     hash);
gboolean     _gadget_hash_equal          (gconstpointer     a,
                                          gconstpointer     b);

G_END_DECLS
