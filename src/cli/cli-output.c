/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The standard outputs. Writing must never block the main context, because that is where an abort
 * is noticed.
 *
 * O_NONBLOCK belongs to the open file description, which a terminal or pipe shares with the shell
 * and all other processes that use it. So it is not set on the descriptor that the program was
 * given: a pipe or terminal is opened once more for this program, a socket is sent to with
 * MSG_DONTWAIT, and a regular file is simply written. If it cannot be opened again, no more is
 * written than poll () promises space for. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <glib-unix.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-output.h"
#include "common/gadget-bidi.h"

struct _GadgetCliOutput
{
  GObject parent_instance;

  int fd;
  gboolean own_fd; /* fd was opened by open_for_ourselves () */
  gboolean terminal;
  gboolean pipe;
  gboolean socket;
  gboolean waits; /* writing could block, so poll () is asked first */
  GString *pending;
  gsize written;  /* bytes of pending that are written */
  guint writable; /* source that waits until fd is writable; 0 if nothing waits */
  guint watch;    /* source that notices the end of the reader */
  gboolean closed;
};

enum
{
  DRAINED,
  CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetCliOutput, gadget_cli_output, G_TYPE_OBJECT)

static void
close_output (GadgetCliOutput *self, int code)
{
  if (self->closed)
    return;
  self->closed = TRUE;
  g_string_truncate (self->pending, 0);
  self->written = 0;
  g_clear_handle_id (&self->writable, g_source_remove);
  g_clear_handle_id (&self->watch, g_source_remove);
  g_signal_emit (self, signals[CLOSED], 0, code);
}

/* Writes a part. Returns the number of bytes written, or -1 with errno; EAGAIN if writing would
 * block. */
static gssize
write_some (GadgetCliOutput *self, const char *data, gsize length)
{
  if (self->socket)
    return send (self->fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (self->waits)
    {
      struct pollfd ready = { self->fd, POLLOUT, 0 };

      if (poll (&ready, 1, 0) == 0)
        {
          errno = EAGAIN;
          return -1;
        }
      length = MIN (length, PIPE_BUF);
    }
  return write (self->fd, data, length);
}

/* Writes as much as possible now. Returns FALSE when something is left. */
static gboolean
flush (GadgetCliOutput *self)
{
  while (!self->closed && self->written < self->pending->len)
    {
      const gssize n =
          write_some (self, self->pending->str + self->written, self->pending->len - self->written);

      if (n >= 0)
        self->written += (gsize) n;
      else if (errno == EAGAIN)
        {
          /* The written part is removed only when it is large: moving the rest each time would take
           * longer and longer the further the reader is behind. */
          if (self->written > self->pending->len / 2)
            {
              g_string_erase (self->pending, 0, (gssize) self->written);
              self->written = 0;
            }
          return FALSE;
        }
      else if (errno != EINTR)
        close_output (self, errno);
    }
  g_string_truncate (self->pending, 0);
  self->written = 0;
  return TRUE;
}

static gboolean
writable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (GadgetCliOutput) self = g_object_ref (GADGET_CLI_OUTPUT (user_data));

  if (!flush (self))
    return G_SOURCE_CONTINUE;
  self->writable = 0;
  g_signal_emit (self, signals[DRAINED], 0);
  return G_SOURCE_REMOVE;
}

static gboolean
watch_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GadgetCliOutput *self = user_data;

  /* The reader of the pipe is gone. This is reported even if there is nothing to write at the
   * moment. */
  self->watch = 0;
  close_output (self, EPIPE);
  return G_SOURCE_REMOVE;
}

static void
gadget_cli_output_finalize (GObject *object)
{
  GadgetCliOutput *self = GADGET_CLI_OUTPUT (object);

  g_clear_handle_id (&self->writable, g_source_remove);
  g_clear_handle_id (&self->watch, g_source_remove);
  g_string_free (self->pending, TRUE);
  if (self->own_fd)
    close (self->fd);

  G_OBJECT_CLASS (gadget_cli_output_parent_class)->finalize (object);
}

static void
gadget_cli_output_class_init (GadgetCliOutputClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_cli_output_finalize;

  signals[DRAINED] = g_signal_new ("drained", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOSED] = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
gadget_cli_output_init (GadgetCliOutput *self)
{
  self->pending = g_string_new (NULL);
}

static void
open_for_ourselves (GadgetCliOutput *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
  const int own = open (path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  self->own_fd = own >= 0;
  self->waits = own < 0;
  if (own >= 0)
    self->fd = own;
}

/**
 * gadget_cli_output_new:
 * @fd: 1 or 2; must stay open
 *
 * Returns: (transfer full): an output that writes to @fd
 */
GadgetCliOutput *
gadget_cli_output_new (int fd)
{
  GadgetCliOutput *self = g_object_new (GADGET_TYPE_CLI_OUTPUT, NULL);
  struct stat status;

  self->fd = fd;
  if (fstat (fd, &status) != 0)
    return self;
  self->terminal = isatty (fd) == 1;
  self->pipe = S_ISFIFO (status.st_mode);
  self->socket = S_ISSOCK (status.st_mode);
  if (self->pipe || self->terminal)
    open_for_ourselves (self);
  if (self->pipe || self->socket)
    self->watch = g_unix_fd_add (fd, G_IO_ERR, watch_cb, self);
  return self;
}

gboolean
gadget_cli_output_is_terminal (GadgetCliOutput *self)
{
  return self->terminal;
}

gboolean
gadget_cli_output_is_same (GadgetCliOutput *self, GadgetCliOutput *other)
{
  struct stat mine;
  struct stat theirs;

  return fstat (self->fd, &mine) == 0 && fstat (other->fd, &theirs) == 0
         && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

gboolean
gadget_cli_output_is_drained (GadgetCliOutput *self)
{
  return self->pending->len == 0;
}

/* Returns the bytes that nobody has read yet: those kept here and those that the kernel keeps. A
 * pipe accepts more only when a whole page was read, so the bytes kept here alone would not show
 * that a slow reader reads. */
gsize
gadget_cli_output_get_unread (GadgetCliOutput *self)
{
  int kept = 0;

  if (ioctl (self->fd, self->pipe ? FIONREAD : TIOCOUTQ, &kept) != 0)
    kept = 0;
  return self->pending->len - self->written + (gsize) MAX (kept, 0);
}

void
gadget_cli_output_write (GadgetCliOutput *self, const char *text)
{
  g_return_if_fail (GADGET_IS_CLI_OUTPUT (self) && text != NULL);

  if (self->closed || *text == '\0')
    return;
  g_string_append (self->pending, text);
  if (self->writable == 0 && !flush (self))
    self->writable = g_unix_fd_add (self->fd, G_IO_OUT | G_IO_ERR | G_IO_HUP, writable_cb, self);
}

void
gadget_cli_output_write_foreign (GadgetCliOutput *self, const char *text)
{
  g_autofree char *printable = self->terminal ? gadget_cli_dup_printable (text) : NULL;

  gadget_cli_output_write (self, printable != NULL ? printable : text);
}

/**
 * gadget_cli_dup_printable:
 * @text: valid UTF-8
 *
 * Returns: (transfer full): @text without control characters other than tab and newline; characters
 *   that reorder text are made visible
 */
char *
gadget_cli_dup_printable (const char *text)
{
  g_autofree char *ordered = gadget_bidi_escape (text);
  GString *printable = g_string_sized_new (strlen (ordered));

  for (const char *p = ordered; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\t' || !g_unichar_iscntrl (c))
        g_string_append_unichar (printable, c);
    }
  return g_string_free (printable, FALSE);
}
