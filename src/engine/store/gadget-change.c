/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-change.h"

#include <string.h>

GadgetChange *
gadget_change_new (const char *path, const GadgetFileState *before, const GadgetFileState *after)
{
  GadgetChange *self = g_new0 (GadgetChange, 1);

  self->path = g_strdup (path);
  self->before = *before;
  self->after = *after;
  return self;
}

static gpointer
copy_change (gconstpointer data, gpointer user_data)
{
  const GadgetChange *change = data;
  GadgetChange *copy = gadget_change_new (change->path, &change->before, &change->after);

  copy->shared = change->shared;
  return copy;
}

GPtrArray *
gadget_changes_copy (GPtrArray *changes)
{
  GPtrArray *copy = g_ptr_array_copy (changes, copy_change, NULL);

  g_ptr_array_set_free_func (copy, (GDestroyNotify) gadget_change_free);
  return copy;
}

/* gadget_change_free: frees the paths, too; @self must not be %NULL. */
void
gadget_change_free (GadgetChange *self)
{
  g_free (self->root);
  g_free (self->path);
  g_free (self);
}

/**
 * gadget_file_state_same_content:
 *
 * Returns: whether both states have the same type and the same bytes. If the hash of one is not
 *   known, size and time are compared instead.
 */
gboolean
gadget_file_state_same_content (const GadgetFileState *a, const GadgetFileState *b)
{
  if (a->type != b->type)
    return FALSE;
  if (a->type != GADGET_FILE_REGULAR && a->type != GADGET_FILE_LINK)
    return TRUE;
  if (a->has_hash && b->has_hash)
    return memcmp (a->hash, b->hash, sizeof a->hash) == 0;
  return a->size == b->size && a->mtime == b->mtime;
}

/**
 * gadget_file_state_same:
 *
 * Returns: whether the states differ in nothing but times
 */
gboolean
gadget_file_state_same (const GadgetFileState *a, const GadgetFileState *b)
{
  return gadget_file_state_same_content (a, b)
         && (a->type == GADGET_FILE_NONE || ((a->mode ^ b->mode) & GADGET_MODE_PERMISSIONS) == 0);
}

/**
 * gadget_file_state_get_plain_mode:
 *
 * Returns: the permissions for a file that is to have no access list: with those that the group has
 *   by the list, in place of the mask
 */
guint32
gadget_file_state_get_plain_mode (const GadgetFileState *self)
{
  const guint32 group = self->mode >> GADGET_MODE_LIST_GROUP & self->mode >> 3 & 07;

  if ((self->mode & GADGET_MODE_HAS_LIST) == 0)
    return self->mode & GADGET_MODE_PERMISSIONS;
  return (self->mode & 07707) | group << 3;
}

/**
 * gadget_file_state_equal:
 *
 * Returns: whether the states do not differ at all, times included
 */
gboolean
gadget_file_state_equal (const GadgetFileState *a, const GadgetFileState *b)
{
  return gadget_file_state_same (a, b) && (a->type == GADGET_FILE_NONE || a->mtime == b->mtime);
}
