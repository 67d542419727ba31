/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: memory of any size, of which little is in RAM. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetImportBuffer:
 * @data: bytes, behind which is a NUL
 * @length: the number of bytes
 * @size: how many there may be without growing
 * @is_mapped: whether they are in a file
 *
 * A buffer that is a file without a name if it is large.
 */
typedef struct
{
  char *data;
  gsize length;
  gsize size;
  gboolean is_mapped;
  /*< private >*/
  const char *directory;
  int fd;
} GadgetImportBuffer;

/* Makes an empty buffer. A large one is a file on the disk of the folder, which is not copied;
 * without one (nullable), or if there can be no file, all of it is in RAM. */
GadgetImportBuffer *_gadget_import_buffer_new    (const char         *directory,
                                                  gsize               size);
void                _gadget_import_buffer_free   (GadgetImportBuffer *self);
/* Appends bytes, which may move the buffer. */
void                _gadget_import_buffer_append (GadgetImportBuffer *self,
                                                  const char         *bytes,
                                                  gsize               length);
/* Takes the buffer, which does not grow any more, out of RAM. It is still in the file, from which
 * its pages come back one by one. */
void                _gadget_import_buffer_relax  (GadgetImportBuffer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportBuffer, _gadget_import_buffer_free)

G_END_DECLS
