/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat of a file may be larger than the memory that an import is worth. So the text of a large
 * chat and what becomes of it are in files without names, which are mapped. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gadget-import-buffer.h"

#define MIN_SIZE 4096
#define FILE_SIZE (512 * 1024) /* from which on a buffer is a file */
#define STEP (4 * 1024 * 1024)

static void
free_data (GadgetImportBuffer *self)
{
  if (self->is_mapped)
    munmap (self->data, self->size);
  else
    g_free (self->data);
}

/* Makes the buffer a file, or the file larger. Returns FALSE if that cannot be. */
static gboolean
map_file (GadgetImportBuffer *self, gsize size)
{
  char *data;

  if (self->fd < 0)
    self->fd = open (self->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  /* A page that the disk has no room for would end the process. */
  if (self->fd < 0 || posix_fallocate (self->fd, 0, (off_t) size) != 0)
    return FALSE;
  data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
  if (data == MAP_FAILED)
    return FALSE;
  if (!self->is_mapped && self->length > 0)
    memcpy (data, self->data, self->length);
  free_data (self);
  self->data = data;
  self->is_mapped = TRUE;
  return TRUE;
}

static void
grow (GadgetImportBuffer *self, gsize size)
{
  if (size >= FILE_SIZE && self->directory != NULL && map_file (self, size))
    {
      self->size = size;
      return;
    }
  if (self->is_mapped)
    {
      char *data = g_malloc (size);

      memcpy (data, self->data, self->length);
      free_data (self);
      self->data = data;
      self->is_mapped = FALSE;
      self->directory = NULL;
    }
  else
    self->data = g_realloc (self->data, size);
  self->size = size;
}

GadgetImportBuffer *
_gadget_import_buffer_new (const char *directory, gsize size)
{
  GadgetImportBuffer *self = g_new0 (GadgetImportBuffer, 1);

  self->directory = directory;
  self->fd = -1;
  grow (self, MAX (size, MIN_SIZE));
  *self->data = '\0';
  return self;
}

void
_gadget_import_buffer_free (GadgetImportBuffer *self)
{
  free_data (self);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

void
_gadget_import_buffer_append (GadgetImportBuffer *self, const char *bytes, gsize length)
{
  const gsize needed = self->length + length + 1;

  if (needed > self->size)
    grow (self, MAX (needed, self->size + MIN (self->size, STEP)));
  memcpy (self->data + self->length, bytes, length);
  self->length += length;
  self->data[self->length] = '\0';
}

void
_gadget_import_buffer_relax (GadgetImportBuffer *self)
{
  if (self->is_mapped)
    madvise (self->data, self->size, MADV_DONTNEED);
  /* The mapping keeps the file. */
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}
