/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controlling terminal: asks the user one prompt after the other and reads the answers, without
 * blocking the main context. Input is read only while a prompt is completely shown. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli-output.h"
#include "cli-prompt.h"
#include "cli-terminal.h"

#define MAX_LINE 65536

struct _GadgetCliTerminal
{
  GObject parent_instance;

  int fd;          /* opened here, so that it can be non-blocking */
  guint readable;  /* source; 0 unless a prompt waits for an answer */
  guint writable;  /* source; 0 unless output waits for the terminal */
  GString *output; /* output that the terminal has not taken yet */
  GString *line;   /* input up to the next newline */
  GQueue prompts;  /* of GadgetPrompt; the user is being asked the first one */
};

G_DEFINE_FINAL_TYPE (GadgetCliTerminal, gadget_cli_terminal, G_TYPE_OBJECT)

static guint
get_columns (GadgetCliTerminal *self)
{
  struct winsize size;

  return ioctl (self->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void ask_next (GadgetCliTerminal *self);
static void show (GadgetCliTerminal *self, GadgetPrompt *prompt);

static void
done (GadgetCliTerminal *self)
{
  g_autoptr (GadgetPrompt) prompt = g_queue_pop_head (&self->prompts);

  g_string_truncate (self->line, 0);
  ask_next (self);
}

/* Returns TRUE when the prompt took the answer. */
static gboolean
answer_permission (GadgetPrompt *prompt, const char *line)
{
  const char *answer = gadget_cli_prompt_get_answer (prompt, line);

  return answer != NULL && gadget_prompt_answer (prompt, answer);
}

static gboolean
answer_question (GadgetPrompt *prompt, const char *line)
{
  const char *const *choices = gadget_prompt_get_choices (prompt);
  guint64 number;

  if (choices != NULL && choices[0] != NULL
      && g_ascii_string_to_unsigned (line, 10, 1, g_strv_length ((char **) choices), &number, NULL))
    return gadget_prompt_answer (prompt, choices[number - 1]);
  return *line != '\0' && gadget_prompt_answer (prompt, line);
}

static void
handle_line (GadgetCliTerminal *self, char *line)
{
  g_autoptr (GadgetPrompt) prompt = g_object_ref (g_queue_peek_head (&self->prompts));
  const gboolean permission = gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION;

  g_strstrip (line);
  /* Answering takes the prompt off its item, which removes it from the queue: see
   * gadget_cli_terminal_withdraw (). */
  if (g_utf8_validate (line, -1, NULL)
      && (permission ? answer_permission (prompt, line) : answer_question (prompt, line)))
    {
      if (g_queue_peek_head (&self->prompts) == prompt)
        done (self);
      return;
    }
  if (gadget_prompt_is_open (prompt))
    show (self, prompt);
}

/* Called for Ctrl+D, or when the terminal was closed: nobody answers these prompts. Permissions are
 * denied. */
static void
give_up (GadgetCliTerminal *self)
{
  self->readable = 0;
  while (!g_queue_is_empty (&self->prompts))
    {
      g_autoptr (GadgetPrompt) prompt = g_queue_pop_head (&self->prompts);

      if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION)
        gadget_prompt_answer (prompt, GADGET_PROMPT_DENY);
      else
        gadget_prompt_refuse (prompt);
    }
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (GadgetCliTerminal) self = g_object_ref (GADGET_CLI_TERMINAL (user_data));
  char buffer[4096];
  const gssize n = read (fd, buffer, sizeof buffer);
  char *end;

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  if (n <= 0)
    {
      give_up (self);
      return G_SOURCE_REMOVE;
    }
  g_string_append_len (self->line, buffer, n);
  end = memchr (self->line->str, '\n', self->line->len);
  if (end != NULL)
    {
      g_autofree char *line = g_strndup (self->line->str, (gsize) (end - self->line->str));

      /* Only one line is read per prompt: the rest was typed before the next prompt was shown. */
      g_string_truncate (self->line, 0);
      handle_line (self, line);
    }
  else if (self->line->len > MAX_LINE)
    {
      g_string_truncate (self->line, 0);
    }
  return self->readable != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* --- Output ------------------------------------------------------------------------------------
 */

/* Starts to read the answer, once the prompt is completely shown. */
static void
listen (GadgetCliTerminal *self)
{
  g_string_truncate (self->line, 0);
  if (self->readable == 0)
    self->readable = g_unix_fd_add (self->fd, G_IO_IN | G_IO_HUP | G_IO_ERR, readable_cb, self);
}

/* Writes a part: a terminal takes a few kilobytes at once, and a prompt may be long. Keys pressed
 * before the last part was written do not count as an answer. */
static gboolean
writable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GadgetCliTerminal *self = user_data;
  gssize n;

  tcflush (fd, TCIFLUSH);
  n = write (fd, self->output->str, self->output->len);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  if (n < 0)
    {
      self->writable = 0;
      g_string_truncate (self->output, 0);
      give_up (self);
      return G_SOURCE_REMOVE;
    }
  g_string_erase (self->output, 0, n);
  if (self->output->len > 0)
    return G_SOURCE_CONTINUE;
  self->writable = 0;
  listen (self);
  return G_SOURCE_REMOVE;
}

static void
show (GadgetCliTerminal *self, GadgetPrompt *prompt)
{
  g_autofree char *text = gadget_cli_prompt_dup_text (prompt, get_columns (self));
  g_autofree char *printable = gadget_cli_dup_printable (text);

  g_clear_handle_id (&self->readable, g_source_remove);
  g_string_append (self->output, printable);
  if (self->writable == 0)
    self->writable = g_unix_fd_add (self->fd, G_IO_OUT | G_IO_HUP | G_IO_ERR, writable_cb, self);
}

static void
ask_next (GadgetCliTerminal *self)
{
  GadgetPrompt *prompt = g_queue_peek_head (&self->prompts);

  /* The rest of a prompt that was withdrawn is not shown. */
  g_clear_handle_id (&self->writable, g_source_remove);
  g_string_truncate (self->output, 0);
  if (prompt == NULL)
    {
      g_clear_handle_id (&self->readable, g_source_remove);
      return;
    }
  show (self, prompt);
}

static void
gadget_cli_terminal_finalize (GObject *object)
{
  GadgetCliTerminal *self = GADGET_CLI_TERMINAL (object);

  g_clear_handle_id (&self->readable, g_source_remove);
  g_queue_clear_full (&self->prompts, g_object_unref);
  g_clear_handle_id (&self->writable, g_source_remove);
  g_string_free (self->output, TRUE);
  g_string_free (self->line, TRUE);
  close (self->fd);

  G_OBJECT_CLASS (gadget_cli_terminal_parent_class)->finalize (object);
}

static void
gadget_cli_terminal_class_init (GadgetCliTerminalClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_cli_terminal_finalize;
}

static void
gadget_cli_terminal_init (GadgetCliTerminal *self)
{
  self->output = g_string_new (NULL);
  self->line = g_string_new (NULL);
  g_queue_init (&self->prompts);
}

GadgetCliTerminal *
gadget_cli_terminal_new (void)
{
  const int fd = open ("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  GadgetCliTerminal *self;

  if (fd < 0)
    return NULL;
  /* Reading the terminal from a background process group would stop the process. */
  if (tcgetpgrp (fd) != getpgrp ())
    {
      close (fd);
      return NULL;
    }
  self = g_object_new (GADGET_TYPE_CLI_TERMINAL, NULL);
  self->fd = fd;
  return self;
}

void
gadget_cli_terminal_ask (GadgetCliTerminal *self, GadgetPrompt *prompt)
{
  g_return_if_fail (GADGET_IS_CLI_TERMINAL (self) && GADGET_IS_PROMPT (prompt));

  g_queue_push_tail (&self->prompts, g_object_ref (prompt));
  if (g_queue_get_length (&self->prompts) == 1)
    ask_next (self);
}

/**
 * gadget_cli_terminal_withdraw:
 *
 * Removes a prompt that was answered in another way or dismissed. Does nothing if it is not in the
 * queue.
 */
void
gadget_cli_terminal_withdraw (GadgetCliTerminal *self, GadgetPrompt *prompt)
{
  GList *link;

  g_return_if_fail (GADGET_IS_CLI_TERMINAL (self) && GADGET_IS_PROMPT (prompt));

  link = g_queue_find (&self->prompts, prompt);
  if (link == NULL)
    return;
  if (link == self->prompts.head)
    {
      done (self);
      return;
    }
  g_object_unref (link->data);
  g_queue_delete_link (&self->prompts, link);
}
