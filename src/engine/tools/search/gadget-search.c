/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A search: its pattern, the files that it looks into, and its results. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-search.h"

#include "workspace/gadget-path-lookup.h"
#include "workspace/gadget-workspace.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* How much of a file is read to see whether it is text, in bytes. */
#define PROBE (32 * 1024)

GadgetSearch *
_gadget_search_new (const char *root, const char *resolved, guint max)
{
  GadgetSearch *self = g_atomic_rc_box_new0 (GadgetSearch);

  self->root = g_strdup (root);
  self->resolved = g_strdup (resolved);
  self->max = max;
  self->first = 1;
  self->n_shown = max;
  self->results = _gadget_search_results_new (max);
  return self;
}

GadgetSearch *
_gadget_search_ref (GadgetSearch *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetSearch *self = data;

  g_free (self->root);
  g_free (self->resolved);
  g_free (self->glob_text);
  g_free (self->pattern);
  g_clear_pointer (&self->glob, gadget_glob_free);
  _gadget_search_results_unref (self->results);
}

void
_gadget_search_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* A pattern without "/" is for the file name, at any depth. */
gboolean
_gadget_search_set_glob (GadgetSearch *self, const char *glob, GError **error)
{
  g_return_val_if_fail (glob != NULL, FALSE);

  if (g_str_has_prefix (glob, "./"))
    glob += 2;
  if (g_str_has_prefix (glob, "**/") && strchr (glob + 3, '/') == NULL)
    glob += 3;
  if (*glob == '\0')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "The pattern for files is for names of files: it does not end with "
                           "\"/\". \"*\" is for all.");
      return FALSE;
    }
  if (*glob == '/')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "The pattern for files must be relative to the folder; give the folder "
                           "as \"path\".");
      return FALSE;
    }
  self->glob = gadget_glob_new (glob, error);
  self->glob_text = g_strdup (glob);
  self->glob_is_name = strchr (glob, '/') == NULL;
  return self->glob != NULL;
}

gboolean
_gadget_search_wants (GadgetSearch *self, const char *path)
{
  const char *slash = self->glob_is_name ? strrchr (path, '/') : NULL;

  return self->glob == NULL || gadget_glob_matches (self->glob, slash != NULL ? slash + 1 : path);
}

/* The path is empty for a file that was searched alone. */
void
_gadget_search_append_path (GadgetSearch *self, GString *text, const char *path)
{
  const char *below =
      self->root != NULL ? gadget_workspace_get_relative (self->root, self->resolved) : NULL;
  const char *folder = below != NULL ? below : self->resolved;

  _gadget_search_results_append_name (text, folder);
  if (*folder != '\0' && *path != '\0' && !g_str_has_suffix (folder, "/"))
    g_string_append_c (text, '/');
  _gadget_search_results_append_name (text, path);
}

/* --- The place ---------------------------------------------------------------------------------
 */

void
_gadget_search_place_free (gpointer data)
{
  GadgetSearchPlace *self = data;

  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

/* Outside of the workspace a file is searched from its folder, and a folder from itself. */
static GadgetSearchPlace *
search_place_new (const char *root, const char *real, gboolean is_file)
{
  GadgetSearchPlace *self = g_new0 (GadgetSearchPlace, 1);
  const char *below = root != NULL ? gadget_workspace_get_relative (root, real) : NULL;

  self->is_file = is_file;
  self->in_workspace = below != NULL;
  if (below != NULL)
    {
      self->folder = g_strdup (root);
      self->path = g_strdup (below);
    }
  else
    {
      self->folder = is_file ? g_path_get_dirname (real) : g_strdup (real);
      self->path = is_file ? g_path_get_basename (real) : g_strdup ("");
    }
  return self;
}

/* ripgrep passes over files that are no text in a folder, but reads one that is named to it to its
 * end. */
static gboolean
check_text (int fd, GError **error)
{
  char beginning[PROBE];
  const ssize_t n = read (fd, beginning, sizeof beginning);

  if (n >= 0 && memchr (beginning, '\0', (gsize) n) == NULL)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "This is not a text file.");
  return FALSE;
}

/* A search for names needs a folder. */
GadgetSearchPlace *
_gadget_search_place_find (GadgetSearch *self, GError **error)
{
  g_autofree char *real = NULL;
  g_autoptr (GError) failure = NULL;
  g_autofd int fd = gadget_path_lookup_open_folder (self->root, self->resolved, &real, &failure);
  const gboolean is_file = fd < 0 && self->pattern != NULL
                           && g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);

  if (is_file)
    fd = gadget_path_lookup_open_regular (self->root, self->resolved, &real, error);
  else if (fd < 0)
    g_propagate_error (error, g_steal_pointer (&failure));
  if (fd < 0 || (is_file && !check_text (fd, error)))
    return NULL;
  return search_place_new (self->root, real, is_file);
}
