/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a query could mean, the best first:
 *
 *   1. the file's name, whole         5. within the path
 *   2. the name's beginning           6. beginnings of words of the name, in their order: "gfl" is
 *   3. a word's beginning in it          gadget-file-list.c
 *   4. within the name                7. the same in the path: "wfl" is workspace/file-list.c
 *
 * and among these the one with fewer folders, then the shorter, then by name. Case means nothing. A
 * query with "/" is of the path alone. Nothing at all means the files at the top. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-file-list.h"

#include "common/gadget-blocking.h"
#include "gadget-place.h"
#include "gadget-walk.h"

#include <glib/gstdio.h>
#include <string.h>

/* Further files are not found. */
#define MAX_FILES 200000
/* A longer query is no name. */
#define MAX_QUERY 200
/* So many tries are made with the beginnings of words, for each file. */
#define MAX_TRIES 200
#define STOP_EVERY 1000

struct _GadgetFileList
{
  gatomicrefcount ref_count;
  GStringChunk *chunk;
  GPtrArray *paths;  /* (unowned): in the chunk */
  GPtrArray *folded; /* (unowned): the same without case */
};

typedef struct
{
  GadgetFileList *list;
  char *query; /* without case */
  guint max;
} Question;

typedef struct
{
  guint kind; /* as above; 0 for none */
  guint n_folders;
  guint length;
  const char *path;
} Fit;

GadgetFileList *
gadget_file_list_ref (GadgetFileList *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_file_list_unref (GadgetFileList *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->folded);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

guint
gadget_file_list_get_n (GadgetFileList *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->paths->len;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Names that no text can hold are left out. */
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

static gboolean
file_cb (int folder, const char *name, const char *path, gpointer data)
{
  GadgetFileList *self = data;
  g_autofree char *folded = NULL;

  if (!is_writable (path))
    return TRUE;
  folded = g_utf8_strdown (path, -1);
  g_ptr_array_add (self->paths, g_string_chunk_insert (self->chunk, path));
  g_ptr_array_add (self->folded, g_str_equal (folded, path)
                                     ? self->paths->pdata[self->paths->len - 1]
                                     : g_string_chunk_insert (self->chunk, folded));
  return self->paths->len < MAX_FILES;
}

static gpointer
read_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const char *root = data;
  g_autoptr (GadgetFileList) self = g_new0 (GadgetFileList, 1);
  g_autofree char *real = NULL;
  g_autofd int folder = gadget_place_open_folder (root, root, &real, error);
  guint n_unreadable;

  g_atomic_ref_count_init (&self->ref_count);
  self->chunk = g_string_chunk_new (64 * 1024);
  self->paths = g_ptr_array_new ();
  self->folded = g_ptr_array_new ();
  if (folder < 0
      || !gadget_walk (root, folder, real, FALSE, file_cb, self, cancellable, &n_unreadable, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * gadget_file_list_read_async:
 * @root: a workspace
 */
void
gadget_file_list_read_async (const char *root, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (root != NULL);
  gadget_blocking_run_async (cancellable, read_in_thread, g_strdup (root), g_free,
                             (GDestroyNotify) gadget_file_list_unref, callback, user_data);
}

/**
 * gadget_file_list_read_finish:
 *
 * Returns: (transfer full): or %NULL with an error, %G_IO_ERROR_CANCELLED among them
 */
GadgetFileList *
gadget_file_list_read_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}

/* --- Matching --------------------------------------------------------------------------------- */

static gboolean
begins_word (const char *text, const char *at)
{
  return at == text || (g_ascii_ispunct (at[-1]) && !g_ascii_ispunct (*at)) || at[-1] == ' ';
}

/* Whether the characters of the query are in the text, each at the beginning of a word or right
 * behind the one before. */
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
compare (const Fit *one, const Fit *other)
{
  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->n_folders != other->n_folders)
    return one->n_folders < other->n_folders ? -1 : 1;
  if (one->length != other->length && one->kind > 0)
    return one->length < other->length ? -1 : 1;
  return strcmp (one->path, other->path);
}

/* Into its place among the best. */
static void
take (GArray *best, guint max, const Fit *fit)
{
  guint place = best->len;

  while (place > 0 && compare (fit, &g_array_index (best, Fit, place - 1)) < 0)
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
  const Question *question = data;
  const GadgetFileList *list = question->list;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (Fit));
  g_autoptr (GStrvBuilder) answer = g_strv_builder_new ();

  for (guint i = 0; i < list->paths->len; i++)
    {
      const char *folded = list->folded->pdata[i];
      Fit fit = { .path = list->paths->pdata[i] };

      if (i % STOP_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (*question->query != '\0')
        fit.kind = find_kind (question->query, folded);
      if (*question->query != '\0' && fit.kind == 0)
        continue;
      fit.n_folders = count_folders (fit.path);
      fit.length = (guint) strlen (fit.path);
      take (best, question->max, &fit);
    }
  for (guint i = 0; i < best->len; i++)
    g_strv_builder_add (answer, g_array_index (best, Fit, i).path);
  return g_strv_builder_end (answer);
}

static void
question_free (gpointer data)
{
  Question *question = data;

  gadget_file_list_unref (question->list);
  g_free (question->query);
  g_free (question);
}

/**
 * gadget_file_list_match_async:
 * @query: a part of a name or path, "" for any
 * @max: how many names are wanted at most
 */
void
gadget_file_list_match_async (GadgetFileList *self, const char *query, guint max,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autofree char *cut = NULL;
  Question *question;

  g_return_if_fail (self != NULL && query != NULL && max > 0);

  question = g_new0 (Question, 1);
  question->list = gadget_file_list_ref (self);
  cut = g_utf8_substring (query, 0, MIN (g_utf8_strlen (query, -1), MAX_QUERY));
  question->query = g_utf8_strdown (cut, -1);
  question->max = max;
  gadget_blocking_run_async (cancellable, match_in_thread, question, question_free,
                             (GDestroyNotify) g_strfreev, callback, user_data);
}

/**
 * gadget_file_list_match_finish:
 *
 * Returns: (transfer full): paths below the folder; or %NULL with %G_IO_ERROR_CANCELLED
 */
GStrv
gadget_file_list_match_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
