/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format: for each attribute, sorted by name, the name with its NUL, the length of the value
 * (four bytes in the byte order of this machine), the value. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-attributes.h"

#include <errno.h>
#include <string.h>
#include <sys/xattr.h>

#define ACCESS_LIST "system.posix_acl_access"
#define DEFAULT_LIST "system.posix_acl_default"
#define MAX_TRIES 8

static gboolean
is_copied (const char *name)
{
  return g_str_has_prefix (name, "user.") || g_str_equal (name, ACCESS_LIST)
         || g_str_equal (name, DEFAULT_LIST)
         || (g_str_has_prefix (name, "security.") && !g_str_equal (name, "security.capability")
             && !g_str_equal (name, "security.ima") && !g_str_equal (name, "security.evm"));
}

/* Returns (transfer full) (nullable) the sorted names of the attributes that count; NULL for
 * none. */
static GPtrArray *
list_names (const char *path)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      const ssize_t size = listxattr (path, NULL, 0);
      g_autofree char *names = NULL;
      g_autoptr (GPtrArray) found = NULL;
      ssize_t n;

      if (size <= 0)
        return NULL;
      names = g_malloc ((gsize) size);
      n = listxattr (path, names, (gsize) size);
      if (n < 0 && errno == ERANGE)
        continue;
      found = g_ptr_array_new_with_free_func (g_free);
      for (const char *name = names; n > 0 && name < names + n; name += strlen (name) + 1)
        if (is_copied (name))
          g_ptr_array_add (found, g_strdup (name));
      g_ptr_array_sort_values (found, (GCompareFunc) strcmp);
      return found->len > 0 ? g_steal_pointer (&found) : NULL;
    }
  return NULL;
}

static char *
get_value (const char *path, const char *name, guint32 *length)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      const ssize_t size = getxattr (path, name, NULL, 0);
      g_autofree char *value = NULL;
      ssize_t n;

      if (size < 0)
        return NULL;
      value = g_malloc ((gsize) size + 1);
      n = getxattr (path, name, value, (gsize) size);
      if (n < 0 && errno == ERANGE)
        continue;
      *length = n > 0 ? (guint32) n : 0;
      return n >= 0 ? g_steal_pointer (&value) : NULL;
    }
  return NULL;
}

GBytes *
gadget_attributes_read (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GPtrArray) names = list_names (path);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      guint32 length = 0;
      g_autofree char *value = get_value (path, name, &length);

      /* The attribute was removed meanwhile, or cannot be read by this user. */
      if (value == NULL)
        continue;
      g_byte_array_append (bytes, (const guint8 *) name, (guint) strlen (name) + 1);
      g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
      g_byte_array_append (bytes, (const guint8 *) value, length);
    }
  return bytes->len > 0 ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

/* Reads the next attribute; returns FALSE if there is none. The data comes from the disk, so it is
 * not trusted. */
static gboolean
read_next (const char **at, const char *end, const char **name, const char **value, guint32 *length)
{
  const char *nul = *at < end ? memchr (*at, '\0', (gsize) (end - *at)) : NULL;

  if (nul == NULL || (gsize) (end - nul - 1) < sizeof *length)
    return FALSE;
  *name = *at;
  memcpy (length, nul + 1, sizeof *length);
  *value = nul + 1 + sizeof *length;
  if ((gsize) (end - *value) < *length)
    return FALSE;
  *at = *value + *length;
  return is_copied (*name);
}

static gboolean
is_label (const char *name)
{
  return g_str_has_prefix (name, "security.");
}

static gboolean
has_value (const char *path, const char *name, const char *value, guint32 length)
{
  guint32 old_length = 0;
  g_autofree char *old = get_value (path, name, &old_length);

  return old != NULL && old_length == length && memcmp (old, value, length) == 0;
}

gboolean
gadget_attributes_write (int fd, GBytes *attributes, char **failed)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = NULL;
  gsize size = 0;
  const char *at = attributes != NULL ? g_bytes_get_data (attributes, &size) : NULL;
  const char *end = at != NULL ? at + size : NULL;
  const char *name;
  const char *value;
  guint32 length;

  while (at != NULL && read_next (&at, end, &name, &value, &length))
    {
      g_hash_table_add (wanted, (gpointer) name);
      if (has_value (path, name, value, length) || setxattr (path, name, value, length, 0) == 0
          || is_label (name))
        continue;
      *failed = g_strdup (name);
      return FALSE;
    }
  names = list_names (path);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      name = g_ptr_array_index (names, i);
      if (g_hash_table_contains (wanted, name) || is_label (name) || removexattr (path, name) == 0)
        continue;
      *failed = g_strdup (name);
      return FALSE;
    }
  return TRUE;
}
