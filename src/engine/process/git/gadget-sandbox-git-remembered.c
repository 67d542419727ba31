/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Remembers the repositories that the last complete search found in each workspace, until this
 * process ends. Before a command only the nearest folders are searched; with this list all
 * repositories are known nevertheless, and so are the files that their configurations name. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"

static GMutex lock;            /* commands are checked in threads */
static GHashTable *remembered; /* (element-type utf8 GadgetGitPlaces): by workspace */

static GadgetGitPlaces *
copy (const GadgetGitPlaces *places)
{
  GadgetGitPlaces *self = _gadget_git_places_new ();

  for (guint i = 0; i < places->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (places->list, i);

      _gadget_git_places_add (self, place->path, place->type);
    }
  for (guint i = 0; i < places->others->len; i++)
    g_ptr_array_add (self->others, g_strdup (g_ptr_array_index (places->others, i)));
  g_hash_table_unref (self->listed);
  self->listed = g_hash_table_ref (places->listed);
  return self;
}

static void
free_places (gpointer places)
{
  _gadget_git_places_free (places);
}

void
_gadget_git_remember (const char *workspace, const GadgetGitPlaces *places)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (remembered == NULL)
    remembered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_places);
  g_hash_table_insert (remembered, g_strdup (workspace), copy (places));
}

/**
 * _gadget_git_dup_remembered:
 * @workspace: canonical path
 *
 * Returns: (transfer full) (nullable): the places, or %NULL if no search was complete yet
 */
GadgetGitPlaces *
_gadget_git_dup_remembered (const char *workspace)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  const GadgetGitPlaces *places =
      remembered != NULL ? g_hash_table_lookup (remembered, workspace) : NULL;

  return places != NULL ? copy (places) : NULL;
}
