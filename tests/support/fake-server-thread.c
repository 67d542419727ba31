/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The server's thread. It polls the listening socket and all connections, which are only its own.
 */

#include "config.h"

#include "fake-server-private.h"
#include "fake-tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Waits of a reply that end when something else happens. */
#define UNTIL_WRITTEN (G_MAXINT64 - 1)
#define UNTIL_ENDED G_MAXINT64
#define MAX_QUEUED (256 * 1024)
#define SLOW_READ 4096 /* at a time, with a limited intake */
/* What is not a request yet is kept for the test up to this size. */
#define MAX_REST (64 * 1024)

typedef struct
{
  int fd;
  guint id;
  FakeTls *tls; /* NULL for plain HTTP */
  gboolean greeted;
  gboolean notified; /* a close_notify came */
  GByteArray *in;
  GByteArray *out;
  const FakeReply *reply;
  guint step;
  guint done_of_step; /* pieces of a repeat that were queued */
  gint64 step_since_us;
  gint64 next_read_us; /* of a server with a limited intake */
  gboolean ended;
} Connection;

static void
note (FakeServer *self, FakeEventType type, guint connection, const FakeRequest *request)
{
  FakeEvent event = { type, g_get_monotonic_time (), connection };

  g_mutex_lock (&self->mutex);
  g_array_append_val (self->events, event);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  if (self->listen_func != NULL)
    self->listen_func (&event, request, self->listen_data);
}

void
_fake_server_free_connection (gpointer data)
{
  Connection *connection = data;

  _fake_tls_free (connection->tls);
  if (connection->fd >= 0)
    close (connection->fd);
  g_byte_array_unref (connection->in);
  g_byte_array_unref (connection->out);
  g_free (connection);
}

/* --- Requests -------------------------------------------------------------------------------- */

static gsize
find_length (const char *head)
{
  g_autofree char *lower = g_ascii_strdown (head, -1);
  const char *found = strstr (lower, "\r\ncontent-length:");

  return found != NULL ? (gsize) g_ascii_strtoull (found + 17, NULL, 10) : 0;
}

static FakeRequest *
take_request (Connection *connection)
{
  const char *bytes = (const char *) connection->in->data;
  const char *end =
      connection->in->len > 0 ? g_strstr_len (bytes, connection->in->len, "\r\n\r\n") : NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *head = NULL;
  gsize head_length;
  gsize length;
  FakeRequest *request;

  if (end == NULL)
    return NULL;
  head_length = (gsize) (end - bytes) + 4;
  head = g_strndup (bytes, head_length);
  length = find_length (head);
  if (connection->in->len < head_length + length)
    return NULL;

  words = g_strsplit (head, " ", 3);
  request = g_new0 (FakeRequest, 1);
  request->connection = connection->id;
  request->method = g_strdup (words[0]);
  request->path = g_strdup (words[0] != NULL && words[1] != NULL ? words[1] : "");
  request->body = g_strndup (bytes + head_length, length);
  request->head = g_steal_pointer (&head);
  request->time_us = g_get_monotonic_time ();
  g_byte_array_remove_range (connection->in, 0, (guint) (head_length + length));
  return request;
}

static const FakeReply *
choose_reply (FakeServer *self, const FakeRequest *request)
{
  const gboolean is_get = strcmp (request->method, "GET") == 0;
  const FakeReply *last = NULL;
  guint nth = 0;

  for (guint i = 0; i < self->replies->len; i++)
    {
      const FakeReply *reply = g_ptr_array_index (self->replies, i);

      if (reply->when != NULL
          && strstr (is_get ? request->path : request->body, reply->when) != NULL)
        return reply;
    }
  if (is_get)
    return self->get_reply;
  for (guint i = 0; i < self->replies->len; i++)
    {
      const FakeReply *reply = g_ptr_array_index (self->replies, i);

      if (reply->when != NULL)
        continue;
      last = reply;
      if (nth++ == self->next_reply)
        {
          self->next_reply++;
          return reply;
        }
    }
  return last;
}

static void
begin_reply (FakeServer *self, Connection *connection)
{
  FakeRequest *request = take_request (connection);

  if (request == NULL)
    return;
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->requests, request);
  connection->reply = choose_reply (self, request);
  g_mutex_unlock (&self->mutex);
  connection->step = 0;
  connection->done_of_step = 0;
  connection->step_since_us = g_get_monotonic_time ();
  note (self, FAKE_EVENT_REQUEST, connection->id, request);
}

/* --- Replies --------------------------------------------------------------------------------- */

static void
next_step (Connection *connection)
{
  connection->step++;
  connection->done_of_step = 0;
  connection->step_since_us = g_get_monotonic_time ();
}

static void
queue_bytes (Connection *connection, GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  g_byte_array_append (connection->out, data, (guint) size);
}

/* Queues the pieces that are due. Returns how long until the next one, in microseconds. */
static gint64
flow (Connection *connection, const Step *step, gint64 now_us)
{
  while (connection->done_of_step < step->n)
    {
      gint64 due_us = connection->step_since_us;

      if (step->per_second > 0)
        due_us += (gint64) (connection->done_of_step * 1e6 / step->per_second);
      else if (connection->out->len > MAX_QUEUED)
        return UNTIL_WRITTEN;
      if (due_us > now_us)
        return due_us - now_us;
      queue_bytes (connection, step->bytes);
      connection->done_of_step++;
    }
  next_step (connection);
  return 0;
}

static void
end_connection (Connection *connection, gboolean reset)
{
  if (reset)
    {
      struct linger linger = { 1, 0 };

      setsockopt (connection->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    }
  g_clear_pointer (&connection->tls, _fake_tls_free);
  close (connection->fd);
  connection->fd = -1;
  connection->ended = TRUE;
}

/* Does one step, or as much of it as is due. Returns the microseconds to wait, 0 to go on. */
static gint64
do_step (FakeServer *self, Connection *connection, gint64 now_us)
{
  const Step *step;
  gint64 left_us;

  if (connection->step >= connection->reply->steps->len)
    {
      connection->reply = NULL;
      note (self, FAKE_EVENT_REPLIED, connection->id, NULL);
      begin_reply (self, connection);
      return connection->reply != NULL ? 0 : UNTIL_ENDED;
    }
  step = &g_array_index (connection->reply->steps, Step, connection->step);
  switch (step->kind)
    {
    case STEP_SEND:
      queue_bytes (connection, step->bytes);
      next_step (connection);
      if (step->is_head)
        note (self, FAKE_EVENT_HEAD, connection->id, NULL);
      return 0;
    case STEP_REPEAT:
      return flow (connection, step, now_us);
    case STEP_DELAY:
      left_us = connection->step_since_us + (gint64) step->ms * 1000 - now_us;
      if (left_us > 0)
        return left_us;
      next_step (connection);
      return 0;
    case STEP_CLOSE:
    case STEP_RST:
      if (connection->out->len > 0)
        return UNTIL_WRITTEN;
      end_connection (connection, step->kind == STEP_RST);
      note (self, FAKE_EVENT_REPLIED, connection->id, NULL);
      return UNTIL_ENDED;
    case STEP_STALL:
    default:
      if (connection->out->len > 0)
        return UNTIL_WRITTEN;
      if (connection->done_of_step++ == 0)
        note (self, FAKE_EVENT_STALL, connection->id, NULL);
      return UNTIL_ENDED;
    }
}

/* --- Sockets --------------------------------------------------------------------------------- */

static void
see_end (FakeServer *self, Connection *connection, gboolean reset)
{
  note (self, reset ? FAKE_EVENT_RST : FAKE_EVENT_FIN, connection->id, NULL);
  end_connection (connection, FALSE);
}

static gssize
receive (Connection *connection, void *buffer, gsize size)
{
  if (connection->tls != NULL && !connection->notified)
    return _fake_tls_recv (connection->tls, buffer, size);
  return recv (connection->fd, buffer, size, MSG_DONTWAIT);
}

static gssize
transmit (Connection *connection, const void *bytes, gsize size)
{
  if (connection->tls != NULL)
    return _fake_tls_send (connection->tls, bytes, size);
  return send (connection->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static gboolean
is_shaking_hands (const Connection *connection)
{
  return connection->tls != NULL && !_fake_tls_is_over (connection->tls);
}

static void
take_bytes (FakeServer *self, Connection *connection, const guint8 *bytes, gsize n)
{
  g_byte_array_append (connection->in, bytes, (guint) n);
  if (self->kind == FAKE_SERVER_TLS_HALF && !connection->greeted)
    {
      g_autoptr (GBytes) hello = _fake_tls_dup_hello ();

      connection->greeted = TRUE;
      queue_bytes (connection, hello);
    }
  if (connection->reply == NULL)
    begin_reply (self, connection);
  g_mutex_lock (&self->mutex);
  g_byte_array_set_size (self->rest, 0);
  g_byte_array_append (self->rest, connection->in->data, MIN (connection->in->len, MAX_REST));
  self->n_received += n;
  g_mutex_unlock (&self->mutex);
}

/* TRUE if there may be more to read at once. */
static gboolean
read_some (FakeServer *self, Connection *connection)
{
  guint8 buffer[16384];
  /* TLS is read by whole records, since no poll tells of what is left of one. */
  const gboolean slow = self->intake > 0 && connection->tls == NULL;
  gssize n = receive (connection, buffer, slow ? SLOW_READ : sizeof buffer);

  if (n > 0 && self->intake > 0)
    connection->next_read_us = g_get_monotonic_time () + n * G_USEC_PER_SEC / self->intake;
  if (n > 0 && !connection->notified)
    take_bytes (self, connection, buffer, (gsize) n);
  else if (n == 0 && connection->tls != NULL && !connection->notified)
    {
      connection->notified = TRUE;
      note (self, FAKE_EVENT_CLOSE_NOTIFY, connection->id, NULL);
    }
  else if (n == 0)
    see_end (self, connection, FALSE);
  else if (n < 0 && errno != EAGAIN && errno != EINTR)
    see_end (self, connection, errno != ECONNABORTED);
  return n >= 0;
}

/* While hands are shaken the bytes are for the thread that does it, but the end is looked at. */
static void
look_at_end (FakeServer *self, Connection *connection, short events)
{
  char byte;

  if (events & (POLLRDHUP | POLLHUP | POLLERR))
    see_end (self, connection,
             recv (connection->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == ECONNRESET);
}

/* What TLS has deciphered already does not make the socket ready: all of it is read. */
static void
read_in (FakeServer *self, Connection *connection, short events)
{
  if (is_shaking_hands (connection))
    look_at_end (self, connection, events);
  else if (events & (POLLIN | POLLRDHUP | POLLHUP | POLLERR))
    while (read_some (self, connection) && !connection->ended && connection->tls != NULL
           && self->intake == 0)
      ;
}

static void
write_out (FakeServer *self, Connection *connection)
{
  gssize n = transmit (connection, connection->out->data, connection->out->len);

  if (n > 0)
    {
      g_byte_array_remove_range (connection->out, 0, (guint) n);
      g_mutex_lock (&self->mutex);
      self->n_sent += (gsize) n;
      g_mutex_unlock (&self->mutex);
    }
  else if (n < 0 && errno != EAGAIN && errno != EINTR)
    see_end (self, connection, TRUE);
}

static void
accept_one (FakeServer *self)
{
  int fd = accept4 (self->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  int one = 1;
  Connection *connection;

  if (fd < 0)
    return;
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  connection = g_new0 (Connection, 1);
  connection->fd = fd;
  connection->id = self->n_connections++;
  connection->in = g_byte_array_new ();
  connection->out = g_byte_array_new ();
  if (self->kind == FAKE_SERVER_TLS)
    connection->tls = _fake_tls_new (fd, self->wake);
  g_ptr_array_add (self->connections, connection);
  note (self, FAKE_EVENT_ACCEPT, connection->id, NULL);
}

/* Does everything that is due. Returns the microseconds until more will be. */
static gint64
do_due (FakeServer *self)
{
  gint64 shortest_us = UNTIL_ENDED;

  for (guint i = 0; i < self->connections->len; i++)
    {
      Connection *connection = g_ptr_array_index (self->connections, i);
      gint64 wait_us = 0;

      while (connection->reply != NULL && !connection->ended && wait_us == 0)
        {
          wait_us = do_step (self, connection, g_get_monotonic_time ());
          if (!connection->ended && connection->out->len > 0)
            write_out (self, connection);
          if (wait_us == UNTIL_WRITTEN && !connection->ended && connection->out->len == 0)
            wait_us = 0;
        }
      if (connection->reply != NULL && !connection->ended)
        shortest_us = MIN (shortest_us, wait_us);
    }
  for (guint i = self->connections->len; i > 0; i--)
    {
      Connection *connection = g_ptr_array_index (self->connections, i - 1);

      if (connection->ended)
        g_ptr_array_remove_index (self->connections, i - 1);
    }
  return shortest_us;
}

/* Somebody woke the thread up: the end of the server, or of a handshake. */
static void
see_handshakes (FakeServer *self)
{
  eventfd_t count;

  eventfd_read (self->wake, &count);
  for (guint i = 0; i < self->connections->len; i++)
    {
      Connection *connection = g_ptr_array_index (self->connections, i);

      if (connection->ended || connection->greeted || connection->tls == NULL
          || is_shaking_hands (connection))
        continue;
      connection->greeted = TRUE;
      if (_fake_tls_is_good (connection->tls))
        note (self, FAKE_EVENT_HANDSHAKE, connection->id, NULL);
      else
        see_end (self, connection, FALSE);
    }
}

/* Whether more is read of it now; else @wait_us is at most the time until then. */
static gboolean
takes_more (const Connection *connection, gint64 *wait_us)
{
  const gint64 left_us = connection->next_read_us - g_get_monotonic_time ();

  if (is_shaking_hands (connection))
    return FALSE;
  if (left_us > 0)
    *wait_us = MIN (*wait_us, left_us);
  return left_us <= 0;
}

static void
wait_and_serve (FakeServer *self, gint64 wait_us)
{
  guint n = self->connections->len;
  g_autofree struct pollfd *fds = g_new0 (struct pollfd, n + 2);
  struct timespec timeout;

  for (guint i = 0; i < n; i++)
    {
      const Connection *connection = g_ptr_array_index (self->connections, i);

      fds[i].fd = connection->fd;
      fds[i].events = (short) (POLLRDHUP | (takes_more (connection, &wait_us) ? POLLIN : 0)
                               | (connection->out->len > 0 ? POLLOUT : 0));
    }
  fds[n].fd = self->wake;
  fds[n].events = POLLIN;
  fds[n + 1].fd = self->listener;
  fds[n + 1].events = POLLIN;
  timeout = (struct timespec) { wait_us / G_USEC_PER_SEC, (wait_us % G_USEC_PER_SEC) * 1000 };

  if (ppoll (fds, n + 2, wait_us >= UNTIL_WRITTEN ? NULL : &timeout, NULL) <= 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      Connection *connection = g_ptr_array_index (self->connections, i);

      read_in (self, connection, fds[i].revents);
      if (!connection->ended && (fds[i].revents & POLLOUT))
        write_out (self, connection);
    }
  if (fds[n].revents & POLLIN)
    see_handshakes (self);
  if (fds[n + 1].revents & POLLIN)
    accept_one (self);
}

static gboolean
is_quitting (FakeServer *self)
{
  gboolean quit;

  g_mutex_lock (&self->mutex);
  quit = self->quit;
  g_mutex_unlock (&self->mutex);
  return quit;
}

gpointer
_fake_server_serve (gpointer data)
{
  FakeServer *self = data;

  while (!is_quitting (self))
    wait_and_serve (self, do_due (self));
  return NULL;
}
