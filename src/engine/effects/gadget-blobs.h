/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the bytes of files as they were. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_HASH_LENGTH 32

/* SHA-256 of a content. */
typedef struct
{
  guint8 bytes[GADGET_HASH_LENGTH];
} GadgetHash;

typedef struct _GadgetBlobs GadgetBlobs;

/**
 * GadgetKept:
 * @GADGET_KEPT: the hash is known and the bytes are kept
 * @GADGET_KEPT_NOT: the hash is known, but there was no room to keep the bytes
 * @GADGET_KEPT_UNREAD: it is larger than what is read
 */
typedef enum
{
  GADGET_KEPT,
  GADGET_KEPT_NOT,
  GADGET_KEPT_UNREAD,
} GadgetKept;

GadgetBlobs *_gadget_blobs_new        (const char         *directory,
                                       guint64             max_total);
/* For tests; before anything is kept. */
void         _gadget_blobs_set_max_total (GadgetBlobs      *self,
                                          guint64           max_total);
void         _gadget_blobs_free       (GadgetBlobs        *self);

/* These may be called in any thread, at the same time. They block. */
gboolean     _gadget_blobs_keep       (GadgetBlobs        *self,
                                       int                 fd,
                                       guint64             size,
                                       guint64             max_size,
                                       GadgetHash         *hash,
                                       GadgetKept         *kept,
                                       GCancellable       *cancellable,
                                       GError            **error);
gboolean     _gadget_blobs_keep_bytes (GadgetBlobs        *self,
                                       const void         *bytes,
                                       gsize               length,
                                       GadgetHash         *hash,
                                       GadgetKept         *kept,
                                       GError            **error);
gboolean     _gadget_blobs_has        (GadgetBlobs        *self,
                                       const GadgetHash   *hash);

/* Writes the bytes to an empty file, and makes sure that they are the right ones. */
gboolean     _gadget_blobs_copy_to    (GadgetBlobs        *self,
                                       const GadgetHash   *hash,
                                       int                 fd,
                                       GError            **error);
GBytes      *_gadget_blobs_read       (GadgetBlobs        *self,
                                       const GadgetHash   *hash,
                                       gsize               max_size,
                                       GError            **error);

/* Removes what is not in USED (a set of GadgetHash) and older than so many seconds. */
guint        _gadget_blobs_sweep      (GadgetBlobs        *self,
                                       GHashTable         *used,
                                       gint64              min_age);

guint        _gadget_hash_hash        (gconstpointer       hash);
gboolean     _gadget_hash_equal       (gconstpointer       a,
                                       gconstpointer       b);

G_END_DECLS
