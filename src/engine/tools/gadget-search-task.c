/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searches without ripgrep, in a thread. Each line is matched separately, by its first MAX_LINE
 * bytes and with a limit of steps: a pattern that would take forever is given up, and a note says
 * so. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-search-task.h"

#include "workspace/gadget-path-lookup.h"
#include "workspace/gadget-walk.h"
#include "workspace/gadget-workspace.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits: the steps of one match; the length of a pattern, a line and a file, in bytes. */
#define LIMITS "(*LIMIT_MATCH=20000)"
#define MAX_PATTERN 4000
#define MAX_LINE 4096
/* The search is given up when more lines than this take too many steps. */
#define MAX_TOO_HARD 100
#define MAX_FILE (32 * 1024 * 1024)
#define STEP (256 * 1024)

GadgetSearchTask *
_gadget_search_task_new (const char *root, const char *resolved, guint max)
{
  GadgetSearchTask *self = g_atomic_rc_box_new0 (GadgetSearchTask);

  self->root = g_strdup (root);
  self->resolved = g_strdup (resolved);
  self->max = max;
  self->first = 1;
  self->n_shown = max;
  self->results = _gadget_search_results_new (max);
  return self;
}

GadgetSearchTask *
_gadget_search_task_ref (GadgetSearchTask *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetSearchTask *self = data;

  g_free (self->root);
  g_free (self->resolved);
  g_free (self->glob_text);
  g_free (self->pattern);
  g_clear_pointer (&self->glob, gadget_glob_free);
  _gadget_search_results_unref (self->results);
}

void
_gadget_search_task_unref (GadgetSearchTask *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* A pattern without "/" is for the file name, at any depth. */
gboolean
_gadget_search_task_set_glob (GadgetSearchTask *self, const char *glob, GError **error)
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
_gadget_search_task_wants (GadgetSearchTask *self, const char *path)
{
  const char *slash = self->glob_is_name ? strrchr (path, '/') : NULL;

  return self->glob == NULL || gadget_glob_matches (self->glob, slash != NULL ? slash + 1 : path);
}

/* The path is empty for a file that was searched alone. */
void
_gadget_search_task_append_path (GadgetSearchTask *self, GString *text, const char *path)
{
  const char *below =
      self->root != NULL ? gadget_workspace_get_relative (self->root, self->resolved) : NULL;
  const char *folder = below != NULL ? below : self->resolved;

  _gadget_search_results_append_name (text, folder);
  if (*folder != '\0' && *path != '\0' && !g_str_has_suffix (folder, "/"))
    g_string_append_c (text, '/');
  _gadget_search_results_append_name (text, path);
}

/* --- One file ----------------------------------------------------------------------------------
 */

/* The data of one search in the thread. */
typedef struct
{
  GadgetSearchTask *task;
  GRegex *regex; /* (nullable) */
  GCancellable *cancellable;
  guint n_too_hard; /* lines that took too many steps */
} Search;

/* Returns the content; NULL for a file that is no text or cannot be read. */
static GString *
read_text (Search *self, int fd)
{
  g_autoptr (GString) text = g_string_new (NULL);
  struct stat info;
  ssize_t n = 1;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISREG (info.st_mode))
    return NULL;
  while (n > 0 && text->len < MAX_FILE && !g_cancellable_is_cancelled (self->cancellable))
    {
      const gsize length = text->len;

      g_string_set_size (text, length + STEP);
      n = read (fd, text->str + length, STEP);
      g_string_truncate (text, length + (n > 0 ? (gsize) n : 0));
      if (n < 0 || (n > 0 && memchr (text->str + length, '\0', (gsize) n) != NULL))
        return NULL;
    }
  if (n > 0 && !g_cancellable_is_cancelled (self->cancellable))
    _gadget_search_results_add_note (
        self->task->results, "Of files larger than 32 MiB only the beginning was searched.");
  return g_steal_pointer (&text);
}

static gboolean
matches (Search *self, const char *line, gsize length)
{
  g_autofree char *valid = NULL;
  g_autoptr (GError) error = NULL;
  gboolean found;

  if (length > MAX_LINE)
    {
      _gadget_search_results_add_note (
          self->task->results, "Of lines longer than 4096 bytes only the beginning was searched.");
      length = MAX_LINE;
    }
  if (length > 0 && line[length - 1] == '\r')
    length--;
  valid = g_utf8_make_valid (line, (gssize) length);
  found = g_regex_match_full (self->regex, valid, -1, 0, 0, NULL, &error);
  if (error != NULL)
    self->n_too_hard++;
  return found;
}

/* A line in the text of the file. */
typedef struct
{
  const char *text;
  gsize length;
} Line;

static gboolean
add_around (Search *self, const char *path, GArray *lines, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      if (!_gadget_search_results_add (self->task->results, path, i + 1, line->text, line->length,
                                       TRUE))
        return FALSE;
    }
  return TRUE;
}

/* Returns FALSE to end the search. */
static gboolean
search_text (Search *self, const char *path, const GString *text)
{
  const guint context = self->task->context;
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  const char *end = text->str + text->len;
  guint n_done = 0; /* lines that are in the results */
  guint after = 0;  /* lines of context to come */

  for (const char *at = text->str; at < end;)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *stop = newline != NULL ? newline : end;
      const Line line = { at, (gsize) (stop - at) };
      const guint i = lines->len;

      if (g_cancellable_is_cancelled (self->cancellable) || self->n_too_hard > MAX_TOO_HARD)
        return FALSE;
      g_array_append_val (lines, line);
      if (matches (self, line.text, line.length))
        {
          const guint from = MAX (n_done, i > context ? i - context : 0);

          if (!add_around (self, path, lines, from, i)
              || !_gadget_search_results_add (self->task->results, path, i + 1, line.text,
                                              line.length, FALSE))
            return FALSE;
          n_done = i + 1;
          after = context;
        }
      else if (after > 0)
        {
          if (!add_around (self, path, lines, i, i + 1))
            return FALSE;
          n_done = i + 1;
          after--;
        }
      at = stop + 1;
    }
  return TRUE;
}

static gboolean
file_cb (int folder, const char *name, const char *path, gpointer data)
{
  Search *self = data;
  g_autofd int fd = -1;
  g_autoptr (GString) text = NULL;

  if (!_gadget_search_task_wants (self->task, path))
    return TRUE;
  if (self->regex == NULL)
    return _gadget_search_results_add (self->task->results, path, 0, NULL, 0, FALSE);
  fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  text = read_text (self, fd);
  return text == NULL || search_text (self, path, text);
}

/* --- The whole search ---------------------------------------------------------------------------
 */

static GRegex *
compile (GadgetSearchTask *self, GError **error)
{
  g_autofree char *text = g_strconcat (LIMITS, self->pattern, NULL);
  const GRegexCompileFlags flags = self->ignore_case ? G_REGEX_CASELESS : G_REGEX_DEFAULT;
  g_autoptr (GRegex) alone = NULL;
  g_autoptr (GError) failure = NULL;
  GRegex *regex = NULL;

  /* The pattern is compiled alone first, so that the error message does not mention the limit. */
  if (strlen (self->pattern) <= MAX_PATTERN)
    alone = g_regex_new (self->pattern, flags, 0, &failure);
  if (alone != NULL)
    regex = g_regex_new (text, flags, 0, &failure);
  if (regex == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "\"pattern\" is not a regular expression: %s",
                 failure != NULL ? failure->message : "it is too long.");
  return regex;
}

static void
add_notes (Search *self, guint n_unreadable)
{
  g_autofree char *unreadable = NULL;

  if (self->n_too_hard > 0)
    _gadget_search_results_add_note (
        self->task->results, self->n_too_hard > MAX_TOO_HARD
                                 ? "The pattern takes too long on these lines, so the search was "
                                   "given up. Use one with less repetition."
                                 : "On some lines the pattern takes too long; they were passed "
                                   "over. Use one with less repetition.");
  if (n_unreadable == 0)
    return;
  unreadable = g_strdup_printf ("Folders that could not be read: %u.", n_unreadable);
  _gadget_search_results_add_note (self->task->results, unreadable);
}

static gboolean
run_on_file (Search *self, GError **error)
{
  g_autofd int fd =
      gadget_path_lookup_open_regular (self->task->root, self->task->resolved, NULL, error);
  g_autoptr (GString) text = NULL;

  if (fd < 0)
    return FALSE;
  text = read_text (self, fd);
  if (text == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "This is not a text file.");
      return FALSE;
    }
  search_text (self, "", text);
  add_notes (self, 0);
  return TRUE;
}

gboolean
_gadget_search_task_run (GadgetSearchTask *self, gboolean only_look, char **real,
                         gboolean *searched, GCancellable *cancellable, GError **error)
{
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GError) failure = NULL;
  g_autofd int folder = gadget_path_lookup_open_folder (self->root, self->resolved, real, &failure);
  Search search = { .task = self, .cancellable = cancellable };
  guint n_unreadable = 0;

  *searched = folder < 0 || !only_look || !gadget_workspace_contains (self->root, *real);
  if (!*searched)
    return TRUE;
  if (self->pattern != NULL)
    {
      regex = compile (self, error);
      if (regex == NULL)
        return FALSE;
    }
  search.regex = regex;
  if (folder < 0 && regex != NULL
      && g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY))
    return run_on_file (&search, error);
  if (folder < 0)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (!gadget_walk (gadget_workspace_contains (self->root, *real) ? self->root : NULL, folder,
                    *real, self->all, file_cb, &search, cancellable, &n_unreadable, error))
    return FALSE;
  add_notes (&search, n_unreadable);
  return TRUE;
}
