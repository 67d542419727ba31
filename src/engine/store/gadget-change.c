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

/* gadget_file_state_same_attributes, gadget_file_state_same_owner: compare what is known; if a
 * value is not known in one of the states, it counts as the same. */
gboolean
gadget_file_state_same_attributes (const GadgetFileState *a, const GadgetFileState *b)
{
  if (a->attributes == GADGET_ATTRIBUTES_UNKNOWN || b->attributes == GADGET_ATTRIBUTES_UNKNOWN)
    return TRUE;
  return a->attributes == b->attributes
         && (a->attributes == GADGET_ATTRIBUTES_NONE
             || memcmp (a->attributes_hash, b->attributes_hash, sizeof a->attributes_hash) == 0);
}

gboolean
gadget_file_state_same_owner (const GadgetFileState *a, const GadgetFileState *b)
{
  return !a->has_owner || !b->has_owner || (a->uid == b->uid && a->gid == b->gid);
}

/**
 * gadget_file_state_same:
 *
 * Returns: whether the states differ in nothing but times and hard links
 */
gboolean
gadget_file_state_same (const GadgetFileState *a, const GadgetFileState *b)
{
  if (!gadget_file_state_same_content (a, b))
    return FALSE;
  return a->type == GADGET_FILE_NONE
         || (a->mode == b->mode && gadget_file_state_same_owner (a, b)
             && gadget_file_state_same_attributes (a, b));
}

/**
 * gadget_file_state_equal:
 *
 * Returns: whether the states do not differ at all, times and the number of hard links included
 */
gboolean
gadget_file_state_equal (const GadgetFileState *a, const GadgetFileState *b)
{
  if (!gadget_file_state_same (a, b) || (a->type != GADGET_FILE_NONE && a->mtime != b->mtime))
    return FALSE;
  return a->type != GADGET_FILE_REGULAR || a->n_links == 0 || b->n_links == 0
         || a->n_links == b->n_links;
}
