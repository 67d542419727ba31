/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects the results of a search under a lock, so that a thread can add results while the main
 * context takes them. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-search-results.h"

#include "common/gadget-quoted-path.h"

#include <string.h>

/* The longest text of a result, in bytes; longer lines are cut. */
#define MAX_TEXT 400

struct _GadgetSearchResults
{
  GMutex lock;
  GPtrArray *found;
  guint n; /* results without context */
  guint max;
  gboolean full;
  gboolean ended;
};

static void
search_result_free (gpointer data)
{
  GadgetSearchResult *result = data;

  g_free (result->path);
  g_free (result->text);
  g_free (result);
}

GadgetSearchResults *
_gadget_search_results_new (guint max)
{
  GadgetSearchResults *self = g_atomic_rc_box_new0 (GadgetSearchResults);

  g_mutex_init (&self->lock);
  self->found = g_ptr_array_new_with_free_func (search_result_free);
  self->max = max;
  return self;
}

static void
clear (gpointer data)
{
  GadgetSearchResults *self = data;

  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->found);
}

void
_gadget_search_results_unref (GadgetSearchResults *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static char *
cut_text (const char *text, gsize length)
{
  g_autofree char *valid = NULL;

  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    length--;
  if (length <= MAX_TEXT)
    return g_utf8_make_valid (text, (gssize) length);
  /* Does not cut inside of a character. */
  for (length = MAX_TEXT; length > MAX_TEXT - 4 && ((guchar) text[length] & 0xc0) == 0x80;)
    length--;
  valid = g_utf8_make_valid (text, (gssize) length);
  return g_strconcat (valid, "…", NULL);
}

/* Tells whether a line follows the last one that was found. */
static gboolean
goes_on (GadgetSearchResults *self, const char *path, guint64 line)
{
  const GadgetSearchResult *last =
      self->found->len > 0 ? g_ptr_array_index (self->found, self->found->len - 1) : NULL;

  return last != NULL && g_str_equal (last->path, path) && line == last->line + 1;
}

gboolean
_gadget_search_results_add (GadgetSearchResults *self, const char *path, guint64 line,
                            const char *text, gsize length, gboolean is_context)
{
  gboolean wanted;

  g_mutex_lock (&self->lock);
  if (!self->ended && !is_context && self->n == self->max)
    self->full = TRUE;
  wanted = !self->ended && !self->full;
  /* In the context of the matches that are left out, the lines before a match arrive first. */
  if (wanted && (!is_context || self->n < self->max || goes_on (self, path, line)))
    {
      GadgetSearchResult *result = g_new0 (GadgetSearchResult, 1);

      result->path = g_strdup (path);
      result->line = line;
      result->text = text != NULL ? cut_text (text, length) : NULL;
      result->is_context = is_context;
      g_ptr_array_add (self->found, result);
      self->n += !is_context;
    }
  g_mutex_unlock (&self->lock);
  return wanted;
}

guint
_gadget_search_results_get_n (GadgetSearchResults *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n;
  g_mutex_unlock (&self->lock);
  return n;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const GadgetSearchResult *left = a;
  const GadgetSearchResult *right = b;
  const int by_path = strcmp (left->path, right->path);

  if (by_path != 0)
    return by_path;
  return left->line < right->line ? -1 : left->line > right->line;
}

GPtrArray *
_gadget_search_results_take (GadgetSearchResults *self, gboolean *full)
{
  GPtrArray *found;

  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  *full = self->full;
  found = self->found;
  self->found = g_ptr_array_new ();
  g_mutex_unlock (&self->lock);
  g_ptr_array_sort_values (found, compare);
  return found;
}

void
_gadget_search_results_append_name (GString *text, const char *name)
{
  g_autofree char *quoted = gadget_quoted_path_dup (name);

  g_string_append (text, quoted);
}
