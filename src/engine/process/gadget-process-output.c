/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the output of a command from a pipe, on the main context, and delivers it as UTF-8.
 *
 * The output that the command wrote before it is cancelled is delivered: the bytes in the pipe at
 * that moment. Later bytes are read, so that no process blocks on a full pipe, and dropped.
 * Otherwise, once the helper says "done", every writer of the tree is gone and the bytes in the
 * pipe are all there is: they are read without waiting for the end of file, which a process outside
 * of the tree could withhold. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define READ_SIZE 65536
#define MAX_READS_AT_END 16
#define MAX_SETUP_TEXT 2048

void
_gadget_process_output_init (GadgetProcessOutput *self, GadgetProcessOutputFunc func, gpointer data)
{
  *self = (GadgetProcessOutput) {
    .func = func,
    .data = data,
    .pipe = -1,
    .decoder = gadget_output_decoder_new (),
    .text = g_string_new (NULL),
    .setup_text = g_string_new (NULL),
  };
}

void
_gadget_process_output_clear (GadgetProcessOutput *self)
{
  _gadget_process_output_close (self);
  gadget_output_decoder_free (self->decoder);
  g_string_free (self->text, TRUE);
  g_string_free (self->setup_text, TRUE);
}

void
_gadget_process_output_take_pipe (GadgetProcessOutput *self, int pipe)
{
  _gadget_process_output_close (self);
  self->pipe = pipe;
  g_string_truncate (self->setup_text, 0);
}

void
_gadget_process_output_close (GadgetProcessOutput *self)
{
  g_clear_fd (&self->pipe, NULL);
}

void
_gadget_process_output_begin (GadgetProcessOutput *self)
{
  self->begun = TRUE;
}

static void
deliver (GadgetProcessOutput *self, const char *bytes, gsize length, gboolean last)
{
  if (!self->begun)
    {
      const gsize room = MAX_SETUP_TEXT - MIN (self->setup_text->len, MAX_SETUP_TEXT);

      g_string_append_len (self->setup_text, bytes, (gssize) MIN (length, room));
      return;
    }
  g_string_truncate (self->text, 0);
  gadget_output_decoder_push (self->decoder, bytes, length, last, self->text);
  if (self->text->len > 0 && self->func != NULL)
    self->func (self->text->str, self->text->len, self->data);
}

/* Reads once, at most LIMIT bytes. Returns FALSE at the end, and when there is nothing to read
 * now. */
static gboolean
read_once (GadgetProcessOutput *self, gsize limit, gboolean wanted, gboolean *at_end)
{
  char bytes[READ_SIZE];
  gssize n;

  do
    n = read (self->pipe, bytes, MIN (limit, sizeof bytes));
  while (n < 0 && errno == EINTR);

  *at_end = n == 0 || (n < 0 && errno != EAGAIN);
  if (n > 0 && wanted)
    deliver (self, bytes, (gsize) n, FALSE);
  return n > 0;
}

gboolean
_gadget_process_output_read (GadgetProcessOutput *self, gboolean wanted)
{
  gboolean at_end;

  read_once (self, READ_SIZE, wanted, &at_end);
  return !at_end;
}

guint
_gadget_process_output_count (GadgetProcessOutput *self)
{
  int n_bytes = 0;

  return ioctl (self->pipe, FIONREAD, &n_bytes) == 0 && n_bytes > 0 ? (guint) n_bytes : 0;
}

void
_gadget_process_output_cut (GadgetProcessOutput *self, guint n_bytes)
{
  gboolean at_end = FALSE;

  while (n_bytes > 0 && !at_end)
    {
      const guint part = MIN (n_bytes, READ_SIZE);

      if (!read_once (self, part, TRUE, &at_end))
        break;
      n_bytes -= part;
    }
  if (self->begun)
    deliver (self, "", 0, TRUE);
}

void
_gadget_process_output_end (GadgetProcessOutput *self)
{
  gboolean at_end = FALSE;

  for (guint i = 0; i < MAX_READS_AT_END && !at_end; i++)
    if (!read_once (self, READ_SIZE, TRUE, &at_end))
      break;
  deliver (self, "", 0, TRUE);
}

const char *
_gadget_process_output_get_setup_text (GadgetProcessOutput *self)
{
  g_autofree char *valid = g_utf8_make_valid (g_strchomp (self->setup_text->str), -1);

  g_string_assign (self->setup_text, valid);
  return self->setup_text->str;
}
