/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order of the files that a query could mean:
 *
 *   1. the file's name, whole         5. within the path
 *   2. the name's beginning           6. beginnings of words of the name, in their order: "gfl" is
 *   3. a word's beginning in it          gadget-file-list.c
 *   4. within the name                7. the same in the path: "wfl" is workspace/file-list.c
 *
 * and among equal matches first the one with fewer folders, then the shorter one, then by name.
 * Case is ignored. A query with "/" is matched with the path only. An empty query means the files
 * at the top.
 *
 * ripgrep reads the names. Sorting them and matching run in threads. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-list.h"

#include "common/gadget-blocking.h"

#include <string.h>

/* Files beyond this number are not listed. */
#define MAX_FILES 200000
/* In characters; a longer query is cut. */
#define MAX_QUERY 200
/* For each file, how many beginnings of words are tried. */
#define MAX_TRIES 200
#define STOP_EVERY 1000

struct _GadgetFileList
{
  GStringChunk *chunk;
  GPtrArray *paths;  /* (unowned): strings of CHUNK */
  GPtrArray *folded; /* (unowned): the same paths in lower case */
};

typedef struct
{
  GadgetFileList *list;
  char *query; /* in lower case */
  guint max;
} Query;

typedef struct
{
  guint kind; /* 1 to 7 as above; 0 for no match */
  guint n_folders;
  guint length;
  const char *path;
} Match;

static void
clear (gpointer data)
{
  GadgetFileList *self = data;

  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->folded);
  g_string_chunk_free (self->chunk);
}

/* May be called on any thread; takes a gpointer because it is also used as a GDestroyNotify. */
void
gadget_file_list_unref (gpointer self)
{
  g_return_if_fail (self != NULL);
  g_atomic_rc_box_release_full (self, clear);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Leaves out names that a text cannot contain. */
static gboolean
is_writable (const char *path)
{
  if (!g_utf8_validate (path, -1, NULL))
    return FALSE;
  for (const char *at = path; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

static void
add (GadgetFileList *self, const char *path)
{
  g_autofree char *folded = NULL;

  if (!is_writable (path))
    return;
  folded = g_utf8_strdown (path, -1);
  g_ptr_array_add (self->paths, g_string_chunk_insert (self->chunk, path));
  g_ptr_array_add (self->folded, g_str_equal (folded, path)
                                     ? self->paths->pdata[self->paths->len - 1]
                                     : g_string_chunk_insert (self->chunk, folded));
}

static gpointer
list_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  GadgetSearch *search = data;
  g_autoptr (GadgetFileList) self = g_atomic_rc_box_new0 (GadgetFileList);
  gboolean full;
  g_autoptr (GPtrArray) found = _gadget_search_results_take (search->results, &full);

  self->chunk = g_string_chunk_new (64 * 1024);
  self->paths = g_ptr_array_new ();
  self->folded = g_ptr_array_new ();
  for (guint i = 0; i < found->len; i++)
    {
      const GadgetSearchResult *result = g_ptr_array_index (found, i);

      add (self, result->path);
    }
  return g_steal_pointer (&self);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GadgetFileList *self = gadget_blocking_run_finish (result, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, gadget_file_list_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!_gadget_ripgrep_run_finish (GADGET_RIPGREP (source), result, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    gadget_blocking_run_async (g_task_get_cancellable (task), list_in_thread,
                               _gadget_search_ref (g_task_get_task_data (task)),
                               _gadget_search_unref, gadget_file_list_unref, listed_cb,
                               g_object_ref (task));
}

/**
 * gadget_file_list_read_async:
 * @ripgrep: reads the names
 * @root: a workspace
 * @cancellable: (nullable): ends the listing
 * @callback: (scope async): called with the list
 * @user_data: for @callback
 *
 * Lists the files of a workspace.
 */
void
gadget_file_list_read_async (GadgetRipgrep *ripgrep, const char *root, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  GadgetSearch *search;

  g_return_if_fail (GADGET_IS_RIPGREP (ripgrep));
  g_return_if_fail (root != NULL);

  task = g_task_new (ripgrep, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_file_list_read_async);
  search = _gadget_search_new (root, root, MAX_FILES);
  g_task_set_task_data (task, search, _gadget_search_unref);
  _gadget_ripgrep_run_async (ripgrep, search, cancellable, searched_cb, task);
}

/**
 * gadget_file_list_read_finish:
 * @result: what the callback was given
 * @error: %G_IO_ERROR, including %G_IO_ERROR_CANCELLED, and %G_IO_ERROR_NOT_SUPPORTED without
 * ripgrep
 *
 * Returns: (transfer full): the list, or %NULL with @error
 */
GadgetFileList *
gadget_file_list_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Matching --------------------------------------------------------------------------------- */

static gboolean
begins_word (const char *text, const char *at)
{
  return at == text || (g_ascii_ispunct (at[-1]) && !g_ascii_ispunct (*at)) || at[-1] == ' ';
}

/* Returns whether TEXT contains the characters of QUERY, each at the beginning of a word or
 * directly after the previous one. */
static gboolean
match_words (const char *query, const char *text, const char *at, guint *tries)
{
  if (*query == '\0')
    return TRUE;
  if (at != text && *at == *query && match_words (query + 1, text, at + 1, tries))
    return TRUE;
  for (const char *next = at; (next = strchr (next, *query)) != NULL; next++)
    {
      if (++*tries > MAX_TRIES)
        return FALSE;
      if (begins_word (text, next) && match_words (query + 1, text, next + 1, tries))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_words (const char *query, const char *text)
{
  guint tries = 0;

  return match_words (query, text, text, &tries);
}

static gboolean
has_word_that_begins (const char *query, const char *text)
{
  for (const char *at = text; (at = strstr (at, query)) != NULL; at++)
    if (begins_word (text, at))
      return TRUE;
  return FALSE;
}

static guint
find_kind (const char *query, const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL && strchr (query, '/') == NULL ? slash + 1 : path;

  if (g_str_equal (name, query))
    return 1;
  if (g_str_has_prefix (name, query))
    return 2;
  if (has_word_that_begins (query, name))
    return 3;
  if (strstr (name, query) != NULL)
    return 4;
  if (strstr (path, query) != NULL)
    return 5;
  if (has_words (query, name))
    return 6;
  return has_words (query, path) ? 7 : 0;
}

static int
compare (const Match *one, const Match *other)
{
  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->n_folders != other->n_folders)
    return one->n_folders < other->n_folders ? -1 : 1;
  if (one->length != other->length && one->kind > 0)
    return one->length < other->length ? -1 : 1;
  return strcmp (one->path, other->path);
}

/* Inserts FIT at its position among the MAX best. */
static void
insert_best (GArray *best, guint max, const Match *fit)
{
  guint place = best->len;

  while (place > 0 && compare (fit, &g_array_index (best, Match, place - 1)) < 0)
    place--;
  if (place >= max)
    return;
  g_array_insert_val (best, place, *fit);
  if (best->len > max)
    g_array_set_size (best, max);
}

static guint
count_folders (const char *path)
{
  guint n = 0;

  for (; *path != '\0'; path++)
    n += *path == '/';
  return n;
}

static gpointer
match_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Query *question = data;
  const GadgetFileList *list = question->list;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (Match));
  g_autoptr (GStrvBuilder) answer = g_strv_builder_new ();

  for (guint i = 0; i < list->paths->len; i++)
    {
      const char *folded = list->folded->pdata[i];
      Match fit = { .path = list->paths->pdata[i] };

      if (i % STOP_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (*question->query != '\0')
        fit.kind = find_kind (question->query, folded);
      if (*question->query != '\0' && fit.kind == 0)
        continue;
      fit.n_folders = count_folders (fit.path);
      fit.length = (guint) strlen (fit.path);
      insert_best (best, question->max, &fit);
    }
  for (guint i = 0; i < best->len; i++)
    g_strv_builder_add (answer, g_array_index (best, Match, i).path);
  return g_strv_builder_end (answer);
}

static void
question_free (gpointer data)
{
  Query *question = data;

  gadget_file_list_unref (question->list);
  g_free (question->query);
  g_free (question);
}

/**
 * gadget_file_list_match_async:
 * @self: the list
 * @query: a part of a name or path, "" for any
 * @max: the greatest number of results, at least 1
 * @cancellable: (nullable): ends the search
 * @callback: (scope async): called with the result
 * @user_data: for @callback
 *
 * Finds the files that @query could mean, in a thread.
 */
void
gadget_file_list_match_async (GadgetFileList *self, const char *query, guint max,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autofree char *cut = NULL;
  Query *question;

  g_return_if_fail (self != NULL && query != NULL && max > 0);

  question = g_new0 (Query, 1);
  question->list = g_atomic_rc_box_acquire (self);
  cut = g_utf8_substring (query, 0, MIN (g_utf8_strlen (query, -1), MAX_QUERY));
  question->query = g_utf8_strdown (cut, -1);
  question->max = max;
  gadget_blocking_run_async (cancellable, match_in_thread, question, question_free,
                             (GDestroyNotify) g_strfreev, callback, user_data);
}

/**
 * gadget_file_list_match_finish:
 * @result: what the callback was given
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): paths below the folder, the best match first; or %NULL with @error
 */
GStrv
gadget_file_list_match_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
