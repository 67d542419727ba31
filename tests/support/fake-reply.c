/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a fake server answers, as a list of steps. */

#include "config.h"

#include "fake-server-private.h"

#include <string.h>

static void
clear_step (gpointer data)
{
  Step *step = data;

  g_clear_pointer (&step->bytes, g_bytes_unref);
}

FakeReply *
_fake_reply_new (void)
{
  FakeReply *self = g_new0 (FakeReply, 1);

  self->steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_array_set_clear_func (self->steps, clear_step);
  return self;
}

void
_fake_reply_free (FakeReply *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_free (self->when);
  g_free (self);
}

static void
add_step (FakeReply *self, Step step)
{
  g_array_append_val (self->steps, step);
}

static GBytes *
frame (FakeReply *self, const char *text)
{
  char *framed;

  if (!self->chunked)
    return g_bytes_new (text, strlen (text));
  framed = g_strdup_printf ("%zx\r\n%s\r\n", strlen (text), text);
  return g_bytes_new_take (framed, strlen (framed));
}

/* Only requests with this text in their body get the reply. */
void
fake_reply_when (FakeReply *self, const char *text)
{
  g_free (self->when);
  self->when = g_strdup (text);
}

void
fake_reply_raw (FakeReply *self, const char *text, gssize length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;

  add_step (self, (Step) { .kind = STEP_SEND, .bytes = g_bytes_new (text, size) });
}

/* The body is chunked unless @more_headers ("Name: value\r\n…") has a length or closes. */
void
fake_reply_head (FakeReply *self, guint status, const char *content_type, const char *more_headers)
{
  GString *head = g_string_new (NULL);

  if (more_headers == NULL)
    more_headers = "";
  self->chunked = strstr (more_headers, "Content-Length:") == NULL
                  && strstr (more_headers, "Connection: close") == NULL;
  g_string_printf (head, "HTTP/1.1 %u Fake\r\n%s", status, more_headers);
  if (content_type != NULL)
    g_string_append_printf (head, "Content-Type: %s\r\n", content_type);
  if (self->chunked)
    g_string_append (head, "Transfer-Encoding: chunked\r\n");
  g_string_append (head, "\r\n");
  add_step (self,
            (Step) { .kind = STEP_SEND, .bytes = g_string_free_to_bytes (head), .is_head = TRUE });
}

void
fake_reply_chunk (FakeReply *self, const char *text)
{
  add_step (self, (Step) { .kind = STEP_SEND, .bytes = frame (self, text) });
}

/* @n pieces, @per_second of them; 0 a second is as fast as the socket takes them. */
void
fake_reply_repeat (FakeReply *self, const char *text, guint n, double per_second)
{
  add_step (self, (Step) { .kind = STEP_REPEAT,
                           .bytes = frame (self, text),
                           .n = n,
                           .per_second = per_second });
}

void
fake_reply_delay (FakeReply *self, guint ms)
{
  add_step (self, (Step) { .kind = STEP_DELAY, .ms = ms });
}

/* Nothing more, until the client goes. */
void
fake_reply_stall (FakeReply *self)
{
  add_step (self, (Step) { .kind = STEP_STALL });
}

/* The end of the body; the connection stays for the next request. */
void
fake_reply_end (FakeReply *self)
{
  if (self->chunked)
    fake_reply_raw (self, "0\r\n\r\n", -1);
}

void
fake_reply_close (FakeReply *self)
{
  add_step (self, (Step) { .kind = STEP_CLOSE });
}

void
fake_reply_rst (FakeReply *self)
{
  add_step (self, (Step) { .kind = STEP_RST });
}

/* A whole answer with its length. */
void
fake_reply_body (FakeReply *self, guint status, const char *content_type, const char *body,
                 const char *more_headers)
{
  g_autofree char *headers = g_strdup_printf ("Content-Length: %zu\r\n%s", strlen (body),
                                              more_headers != NULL ? more_headers : "");

  fake_reply_head (self, status, content_type, headers);
  fake_reply_raw (self, body, -1);
}

/* --- Chat Completions ------------------------------------------------------------------------ */

static char *
quote (const char *text)
{
  GString *out = g_string_new ("\"");

  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (out, "\\%c", *c);
      else if ((guchar) *c < 0x20)
        g_string_append_printf (out, "\\u%04x", (guint) (guchar) *c);
      else
        g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

static char *
make_delta (const char *delta, const char *reason)
{
  return g_strdup_printf ("data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\","
                          "\"model\":\"fake-model\",\"choices\":[{\"index\":0,\"delta\":%s,"
                          "\"finish_reason\":%s}]}\n\n",
                          delta, reason);
}

static void
send_delta (FakeReply *self, const char *delta)
{
  g_autofree char *event = make_delta (delta, "null");

  fake_reply_chunk (self, event);
}

void
fake_reply_chat_begin (FakeReply *self)
{
  fake_reply_head (self, 200, "text/event-stream", NULL);
  send_delta (self, "{\"role\":\"assistant\"}");
}

void
fake_reply_chat_text (FakeReply *self, const char *text)
{
  g_autofree char *quoted = quote (text);
  g_autofree char *delta = g_strdup_printf ("{\"content\":%s}", quoted);

  send_delta (self, delta);
}

void
fake_reply_chat_flow (FakeReply *self, const char *text, guint n, double per_second)
{
  g_autofree char *quoted = quote (text);
  g_autofree char *delta = g_strdup_printf ("{\"content\":%s}", quoted);
  g_autofree char *event = make_delta (delta, "null");

  fake_reply_repeat (self, event, n, per_second);
}

void
fake_reply_chat_reasoning (FakeReply *self, const char *text)
{
  g_autofree char *quoted = quote (text);
  g_autofree char *delta = g_strdup_printf ("{\"reasoning_content\":%s}", quoted);

  send_delta (self, delta);
}

/* One fragment; the id and the name may be NULL in the later ones. */
void
fake_reply_chat_call (FakeReply *self, guint index, const char *id, const char *name,
                      const char *arguments)
{
  g_autofree char *quoted = quote (arguments);
  g_autofree char *id_part = id != NULL ? g_strdup_printf ("\"id\":\"%s\",", id) : g_strdup ("");
  g_autofree char *name_part =
      name != NULL ? g_strdup_printf ("\"name\":\"%s\",", name) : g_strdup ("");
  g_autofree char *delta =
      g_strdup_printf ("{\"tool_calls\":[{\"index\":%u,%s\"type\":\"function\","
                       "\"function\":{%s\"arguments\":%s}}]}",
                       index, id_part, name_part, quoted);

  send_delta (self, delta);
}

/* The finish reason, the usage and [DONE]. */
void
fake_reply_chat_finish (FakeReply *self, const char *reason)
{
  g_autofree char *quoted = quote (reason);
  g_autofree char *event = make_delta ("{}", quoted);

  fake_reply_chunk (self, event);
  fake_reply_chunk (self, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
                          "\"completion_tokens\":34,\"total_tokens\":46}}\n\n");
  fake_reply_chunk (self, "data: [DONE]\n\n");
  fake_reply_end (self);
}
