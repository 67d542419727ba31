/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs ripgrep like any command: in the workspace in the sandbox, so that a command that runs at
 * the same time cannot lead ripgrep out of the workspace by putting a link in its way. In a folder
 * outside of the workspace, which the user has allowed and commands cannot change, ripgrep runs
 * with the user's own rights, since the sandbox does not show that folder. In Flatpak ripgrep
 * always runs so: Flatpak confines Gadget itself, and its sandbox for commands does not show every
 * folder that the user has chosen.
 *
 * A thread reads the output of ripgrep until it ends or there are enough results; then the pipe is
 * closed, and ripgrep ends with its next write. The search ends when ripgrep has exited and its
 * output was read. Another process that still holds the write end of the pipe does not block the
 * thread: once ripgrep has ended, only what is in the pipe is read.
 *
 * A pattern for file names is never given to ripgrep as --glob, which would also match ignored
 * files. Its last component becomes a file type, and the whole pattern is matched here.
 *
 * The format of the output is "PATH\0", or with a pattern "PATH\0LINE:TEXT\n", with "-" instead of
 * ":" for a line of context. After the lines of a file in which a NUL byte follows there is a
 * warning. */

#define G_LOG_DOMAIN "gadget-ripgrep"

#include "config.h"

#include "gadget-ripgrep.h"

#include "common/gadget-blocking.h"
#include "process/gadget-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* In bytes. One read takes what a pipe holds. ripgrep cuts lines (--max-columns), so that a longer
 * record is none of its own. A model gets the message, of which the beginning says enough. */
#define READ_SIZE (64 * 1024)
#define MAX_RECORD (1024 * 1024)
#define MAX_MESSAGE 2000
#define WARNING ": WARNING: stopped searching binary file"

struct _GadgetRipgrep
{
  GObject parent_instance;

  GadgetSandbox *sandbox; /* (nullable) */
  char *program;          /* (nullable): instead of "rg" */
};

G_DEFINE_FINAL_TYPE (GadgetRipgrep, gadget_ripgrep, G_TYPE_OBJECT)

static void
gadget_ripgrep_finalize (GObject *object)
{
  GadgetRipgrep *self = GADGET_RIPGREP (object);

  g_clear_object (&self->sandbox);
  g_free (self->program);

  G_OBJECT_CLASS (gadget_ripgrep_parent_class)->finalize (object);
}

static void
gadget_ripgrep_class_init (GadgetRipgrepClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_ripgrep_finalize;
}

static void
gadget_ripgrep_init (GadgetRipgrep *self)
{
}

GadgetRipgrep *
gadget_ripgrep_new (void)
{
  return g_object_new (GADGET_TYPE_RIPGREP, NULL);
}

void
gadget_ripgrep_set_sandbox (GadgetRipgrep *self, GadgetSandbox *sandbox)
{
  g_return_if_fail (GADGET_IS_RIPGREP (self));

  if (sandbox != NULL && gadget_sandbox_get_kind (sandbox) != GADGET_SANDBOX_BUBBLEWRAP)
    sandbox = NULL;
  g_set_object (&self->sandbox, sandbox);
}

void
gadget_ripgrep_set_program (GadgetRipgrep *self, const char *program)
{
  g_set_str (&self->program, program);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

/* The data of the thread. */
typedef struct
{
  int fd;
  int exit_pipe; /* hangs up when ripgrep has exited */
  GadgetSearch *search;
  char *prefix; /* of each path in the output */
  gboolean is_file;
} Reader;

static void
reader_free (gpointer data)
{
  Reader *self = data;

  g_clear_fd (&self->fd, NULL);
  g_clear_fd (&self->exit_pipe, NULL);
  _gadget_search_unref (self->search);
  g_free (self->prefix);
  g_free (self);
}

/* Returns the path below the folder that was searched, "" for a file that was searched alone, or
 * NULL for a file that is not wanted. */
static const char *
get_path (const Reader *self, const char *path)
{
  const char *warning = strstr (path, WARNING);

  if (warning != NULL)
    {
      path = strchr (warning, '\n');
      path = path != NULL ? path + 1 : "";
    }
  if (!g_str_has_prefix (path, self->prefix))
    return NULL;
  path += strlen (self->prefix);
  if (self->is_file)
    return path;
  /* A file type also matches hidden files. */
  if (!self->search->all && (*path == '.' || strstr (path, "/.") != NULL))
    return NULL;
  return _gadget_search_wants (self->search, path) ? path : NULL;
}

/* Returns the length of the record at the beginning of the text; 0 when it is not complete. */
static gsize
read_record (Reader *self, const char *text, gsize length, gboolean *go_on)
{
  const char *zero = memchr (text, '\0', length);
  const char *path;
  const char *newline;
  char *mark = NULL;
  guint64 line;

  if (zero == NULL)
    return 0;
  if (self->search->pattern == NULL)
    {
      path = get_path (self, text);
      *go_on = path == NULL
               || _gadget_search_results_add (self->search->results, path, 0, NULL, 0, FALSE);
      return (gsize) (zero + 1 - text);
    }
  newline = memchr (zero, '\n', length - (gsize) (zero - text));
  if (newline == NULL)
    return 0;
  path = get_path (self, text);
  line = g_ascii_strtoull (zero + 1, &mark, 10);
  if (path != NULL && mark > zero + 1 && (*mark == ':' || *mark == '-'))
    *go_on = _gadget_search_results_add (self->search->results, path, line, mark + 1,
                                         (gsize) (newline - mark - 1), *mark == '-');
  return (gsize) (newline + 1 - text);
}

/* Reads some output. Returns FALSE at its end. */
static gboolean
read_some (Reader *self, GString *text)
{
  struct pollfd fds[] = { { .fd = self->fd, .events = POLLIN }, { .fd = self->exit_pipe } };
  const gsize length = text->len;
  ssize_t n = -1;

  while (poll (fds, G_N_ELEMENTS (fds), -1) < 0 && errno == EINTR)
    continue;
  if (fds[0].revents == 0)
    return FALSE;
  g_string_set_size (text, length + READ_SIZE);
  do
    n = read (self->fd, text->str + length, READ_SIZE);
  while (n < 0 && errno == EINTR);
  g_string_truncate (text, length + (n > 0 ? (gsize) n : 0));
  return n > 0;
}

static gpointer
read_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  Reader *self = data;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean go_on = TRUE;

  while (go_on && text->len < MAX_RECORD)
    {
      const gboolean more = read_some (self, text);
      gsize done = 0;
      gsize n_record = 1;

      while (go_on && n_record > 0)
        {
          n_record = read_record (self, text->str + done, text->len - done, &go_on);
          done += n_record;
        }
      g_string_erase (text, 0, (gssize) done);
      go_on = go_on && more;
    }
  g_clear_fd (&self->fd, NULL);
  return GINT_TO_POINTER (TRUE);
}

/* --- Running -----------------------------------------------------------------------------------
 */

/* The data of the GTask. */
typedef struct
{
  GadgetSearch *search;
  GString *message;
  int exit_pipe;               /* closed when ripgrep has exited */
  guint n_unfinished;          /* of two: ripgrep and the thread */
  GadgetProcessResult *result; /* (nullable) */
  GError *run_error;
  GError *read_error;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  _gadget_search_unref (work->search);
  g_string_free (work->message, TRUE);
  g_clear_fd (&work->exit_pipe, NULL);
  g_clear_pointer (&work->result, gadget_process_result_free);
  g_clear_error (&work->run_error);
  g_clear_error (&work->read_error);
  g_free (work);
}

/* Returns (transfer full) the error that the exit status means, or NULL. The output has been read:
 * a status of 2 after results says that ripgrep could not read everything, and after enough of them
 * that its pipe was closed. */
static GError *
get_exit_error (const Work *work)
{
  const GadgetProcessResult *result = work->result;
  const guint n_found = _gadget_search_results_get_n (work->search->results);

  if (result->aborted)
    return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
  if (result->exit_status == 0 || result->exit_status == 1 || n_found >= work->search->max
      || (result->exit_status == 2 && n_found > 0))
    return NULL;
  if (result->signal != 0)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "The search was ended by signal %d.",
                        result->signal);
  if (strstr (work->message->str, "(os error ") != NULL)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED,
                        "Nothing was found, but not everything could be read: %s",
                        work->message->str);
  if (strstr (work->message->str, "regex") != NULL)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "\"pattern\" is not a regular expression: %s", work->message->str);
  return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "The search failed: %s", work->message->str);
}

static void
part_done (GTask *task)
{
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (--work->n_unfinished > 0)
    return;
  error = work->result != NULL ? get_exit_error (work) : g_steal_pointer (&work->run_error);
  /* The message of ripgrep explains more than an error of reading its output. */
  if (error == NULL)
    error = g_steal_pointer (&work->read_error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);

  gadget_blocking_run_finish (result, &work->read_error);
  part_done (task);
}

static void
exited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  g_clear_fd (&work->exit_pipe, NULL);
  work->result = gadget_process_run_finish (result, &error);
  if (g_error_matches (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_COMMAND))
    work->run_error =
        g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                     "Files are searched with ripgrep (rg), which is not installed or cannot "
                     "be run here. The user can install the package \"ripgrep\". (%s)",
                     error->message);
  else
    work->run_error = g_steal_pointer (&error);
  part_done (task);
}

static void
message_cb (const char *text, gsize length, gpointer user_data)
{
  GString *message = user_data;

  g_string_append_len (message, text, (gssize) MIN (length, MAX_MESSAGE - message->len));
}

static void
add (GPtrArray *argv, const char *argument)
{
  g_ptr_array_add (argv, g_strdup (argument));
}

/* Adds a file type for the last component of the pattern for file names, when that narrows the
 * search. A colon would end the name of the type. */
static void
add_type (GPtrArray *argv, const GadgetSearch *search)
{
  const char *slash = search->glob_text != NULL ? strrchr (search->glob_text, '/') : NULL;
  const char *name = slash != NULL ? slash + 1 : search->glob_text;

  if (name == NULL || *name == '\0' || strstr (name, "**") != NULL || strchr (name, ':') != NULL
      || (slash != NULL && strpbrk (search->glob_text, "{}[]\\") != NULL))
    return;
  add (argv, "--type-add");
  g_ptr_array_add (argv, g_strconcat ("gadgetglob:", name, NULL));
  add (argv, "--type=gadgetglob");
}

/* Folders above the workspace do not count: usually the sandbox does not show them, and they might
 * ignore the workspace itself. The ignore files between the workspace and @path are given to
 * ripgrep explicitly; their patterns with a slash do not match then, except those of the workspace
 * itself. */
static void
add_ignored (GPtrArray *argv, const char *path)
{
  const char *end = path;

  add (argv, "--no-ignore-parent");
  while (end != NULL && *end != '\0')
    {
      g_ptr_array_add (
          argv, g_strdup_printf ("--ignore-file=./%.*s.gitignore", (int) (end - path), path));
      g_ptr_array_add (argv,
                       g_strdup_printf ("--ignore-file=./%.*s.ignore", (int) (end - path), path));
      end = strchr (end, '/');
      if (end != NULL)
        end++;
    }
}

static GPtrArray *
make_argv (GadgetRipgrep *self, const GadgetSearch *search, const GadgetSearchPlace *place)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);

  add (argv, self->program != NULL ? self->program : "rg");
  for (const char *const *option =
           (const char *const[]) { "--no-config", "--color=never", "--no-ignore-messages",
                                   "--no-require-git", "--no-ignore-global", "--null", NULL };
       *option != NULL; option++)
    add (argv, *option);
  if (search->all)
    {
      add (argv, "--no-ignore");
      add (argv, "--hidden");
    }
  else
    add_ignored (argv, place->path);
  add_type (argv, search);
  if (search->pattern == NULL)
    {
      add (argv, "--files");
      add (argv, "--");
    }
  else
    {
      for (const char *const *option =
               (const char *const[]) { "--no-heading", "--with-filename", "--line-number",
                                       "--max-columns=1000", "--max-columns-preview",
                                       "--no-context-separator", NULL };
           *option != NULL; option++)
        add (argv, *option);
      g_ptr_array_add (argv, g_strdup_printf ("--max-count=%u", search->max + 1));
      g_ptr_array_add (argv, g_strdup_printf ("--context=%u", search->context));
      if (search->ignore_case)
        add (argv, "--ignore-case");
      /* A named file is text as far as it was looked at; a NUL byte further down ends nothing. */
      if (place->is_file)
        add (argv, "--text");
      add (argv, "--");
      add (argv, search->pattern);
    }
  g_ptr_array_add (argv, g_strconcat ("./", place->path, NULL));
  g_ptr_array_add (argv, NULL);
  return g_steal_pointer (&argv);
}

static void
run (GTask *task, const GadgetSearchPlace *place)
{
  GadgetRipgrep *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  Work *work = g_task_get_task_data (task);
  g_autoptr (GPtrArray) argv = make_argv (self, work->search, place);
  g_autoptr (GError) error = NULL;
  g_autofd int empty_input = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  int output[2] = { -1, -1 };
  int exit_pipe[2] = { -1, -1 };
  Reader *reader;

  if (!g_unix_open_pipe (output, O_CLOEXEC, &error)
      || !g_unix_open_pipe (exit_pipe, O_CLOEXEC, &error))
    {
      g_clear_fd (&output[0], NULL);
      g_clear_fd (&output[1], NULL);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  reader = g_new0 (Reader, 1);
  reader->fd = output[0];
  reader->exit_pipe = exit_pipe[0];
  work->exit_pipe = exit_pipe[1];
  reader->search = _gadget_search_ref (work->search);
  reader->is_file = place->is_file;
  reader->prefix =
      g_strconcat ("./", place->path, *place->path != '\0' && !place->is_file ? "/" : "", NULL);

  const int streams[2] = { empty_input, output[1] };
  const GadgetProcessSpec spec = {
    .argv = (const char *const *) argv->pdata,
    .workspace = place->folder,
    .sandbox = place->in_workspace ? self->sandbox : NULL,
    .output = message_cb,
    .output_data = work->message,
    .streams = streams,
  };

  gadget_process_run_async (&spec, cancellable, exited_cb, g_object_ref (task));
  g_clear_fd (&output[1], NULL);
  /* The thread ends when ripgrep has ended; after a stop nobody waits for it, which may still wait
   * for a free thread. */
  gadget_blocking_run_async (cancellable, read_in_thread, reader, reader_free, NULL, read_cb,
                             g_object_ref (task));
}

static gpointer
find_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  return _gadget_search_place_find (data, error);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSearchPlace) place = gadget_blocking_run_finish (result, &error);

  if (place == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    run (task, place);
}

/* A thread looks up the folder or file, since a path may hang. */
void
_gadget_ripgrep_run_async (GadgetRipgrep *self, GadgetSearch *search, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, _gadget_ripgrep_run_async);
  g_task_set_check_cancellable (task, FALSE);
  work->search = _gadget_search_ref (search);
  work->message = g_string_new (NULL);
  work->n_unfinished = 2;
  work->exit_pipe = -1;
  g_task_set_task_data (task, work, work_free);
  gadget_blocking_run_async (cancellable, find_in_thread, _gadget_search_ref (search),
                             _gadget_search_unref, _gadget_search_place_free, found_cb, task);
}

gboolean
_gadget_ripgrep_run_finish (GadgetRipgrep *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
