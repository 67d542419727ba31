/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the submodules that a repository's index names. "git status" looks into each of them, and
 * so follows its configuration, however far down it lies. A command may write the index, so it is
 * parsed with care; what it names is checked in addition to what the search finds.
 *
 * The format is that of gitformat-index(5), versions 2 to 4. The file does not say how long its
 * object names are: it is parsed with both lengths, and the results of both are used. Runs in
 * threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_SIZE (32 * 1024 * 1024)
#define MAX_SHARED 8
#define MAX_LINKS 256
#define HEADER 12
#define MODE_AT 24 /* offset in an entry */
#define OBJECT_AT 40
#define MODE_LINK 0160000
#define FLAG_EXTENDED 0x4000
#define MAX_PATH_LENGTH 4096

typedef struct
{
  const guint8 *bytes;
  gsize length;
  gsize at;
} Reader;

static guint32
read_number (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* Reads how many bytes of the previous name are dropped, in version 4. */
static gboolean
read_varint (Reader *self, gsize *value)
{
  guint8 byte = 0x80;
  gsize number = 0;

  for (guint i = 0; i < 4 && (byte & 0x80) != 0; i++)
    {
      if (self->at >= self->length)
        return FALSE;
      byte = self->bytes[self->at++];
      number = ((number + (i > 0 ? 1 : 0)) << 7) | (byte & 0x7f);
    }
  *value = number;
  return (byte & 0x80) == 0;
}

/* Reads the name of the entry at BEGIN; returns FALSE if it is not valid. */
static gboolean
read_name (Reader *self, gsize begin, guint version, GString *name)
{
  gsize dropped = name->len;
  const guint8 *end;

  if (version == 4 && !read_varint (self, &dropped))
    return FALSE;
  end = self->at < self->length ? memchr (self->bytes + self->at, '\0', self->length - self->at)
                                : NULL;
  if (end == NULL || dropped > name->len
      || (gsize) (end - self->bytes) - self->at > MAX_PATH_LENGTH)
    return FALSE;
  g_string_truncate (name, name->len - dropped);
  g_string_append_len (name, (const char *) self->bytes + self->at,
                       (gssize) ((gsize) (end - self->bytes) - self->at));
  self->at = (gsize) (end - self->bytes) + 1;
  /* Entries are padded with one to eight NULs. */
  if (version < 4)
    self->at = begin + (self->at - begin + 7) / 8 * 8;
  return name->len > 0 && name->len <= MAX_PATH_LENGTH;
}

static gboolean
is_below (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return FALSE;
  return TRUE;
}

static void
read_entries (Reader *self, gsize object_length, GPtrArray *paths)
{
  const guint version = read_number (self->bytes + 4);
  const guint32 n = read_number (self->bytes + 8);
  g_autoptr (GString) name = g_string_new (NULL);

  self->at = HEADER;
  for (guint32 i = 0; i < n && paths->len < MAX_LINKS; i++)
    {
      const gsize begin = self->at;
      const gsize flags_at = begin + OBJECT_AT + object_length;
      guint flags;

      if (flags_at + 2 >= self->length)
        return;
      flags = (guint) self->bytes[flags_at] << 8 | self->bytes[flags_at + 1];
      self->at = flags_at + ((flags & FLAG_EXTENDED) != 0 && version > 2 ? 4 : 2);
      if (!read_name (self, begin, version, name))
        return;
      if (read_number (self->bytes + begin + MODE_AT) == MODE_LINK && is_below (name->str)
          && !g_ptr_array_find_with_equal_func (paths, name->str, g_str_equal, NULL))
        g_ptr_array_add (paths, g_strdup (name->str));
    }
}

static void
list_in_file (const char *folder, const char *name, GPtrArray *paths)
{
  static const gsize object_lengths[] = { 20, 32 };
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  gsize length = 0;
  g_autofree char *text = fd >= 0 ? _gadget_git_read_all (fd, MAX_SIZE, &length) : NULL;
  const guint8 *bytes = (const guint8 *) text;
  guint version;

  if (length < HEADER || memcmp (bytes, "DIRC", 4) != 0)
    return;
  version = read_number (bytes + 4);
  for (guint i = 0; i < G_N_ELEMENTS (object_lengths) && version >= 2 && version <= 4; i++)
    {
      Reader reader = { .bytes = bytes, .length = length };

      read_entries (&reader, object_lengths[i], paths);
    }
}

/* A split index has its larger part in a "sharedindex." file. */
void
_gadget_git_index_list (const char *git, GPtrArray *paths)
{
  g_autoptr (GDir) dir = _gadget_git_open_dir (git);
  const char *name;
  guint n_shared = 0;

  list_in_file (git, "index", paths);
  while (dir != NULL && n_shared < MAX_SHARED && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "sharedindex."))
      {
        n_shared++;
        list_in_file (git, name, paths);
      }
}
