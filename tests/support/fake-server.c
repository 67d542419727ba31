/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-server-private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const event_names[] = { "accept", "request",      "head",      "replied", "fin",
                                           "rst",    "close-notify", "handshake", "stall" };

const char *
fake_event_type_to_string (FakeEventType type)
{
  return event_names[type];
}

static void
free_request (gpointer data)
{
  FakeRequest *request = data;

  g_free (request->method);
  g_free (request->path);
  g_free (request->head);
  g_free (request->body);
  g_free (request);
}

/* --- Making one ------------------------------------------------------------------------------ */

static int
listen_on_loopback (int backlog, guint16 *port)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  if (fd < 0 || bind (fd, (struct sockaddr *) &address, sizeof address) < 0
      || listen (fd, backlog) < 0 || getsockname (fd, (struct sockaddr *) &address, &length) < 0)
    g_error ("fake server: %s", g_strerror (errno));
  *port = ntohs (address.sin_port);
  return fd;
}

static FakeServer *
make (FakeServerKind kind, int backlog)
{
  FakeServer *self = g_new0 (FakeServer, 1);

  self->kind = kind;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->replies = g_ptr_array_new_with_free_func ((GDestroyNotify) _fake_reply_free);
  self->events = g_array_new (FALSE, FALSE, sizeof (FakeEvent));
  self->rest = g_byte_array_new ();
  self->requests = g_ptr_array_new_with_free_func (free_request);
  self->connections = g_ptr_array_new_with_free_func (_fake_server_free_connection);
  for (guint i = 0; i < FAKE_N_FILLERS; i++)
    self->fillers[i] = -1;
  fake_server_set_models (self, "{\"object\":\"list\",\"data\":[{\"id\":\"fake-model\"}]}");
  self->listener = listen_on_loopback (backlog, &self->port);
  return self;
}

FakeServer *
fake_server_new (void)
{
  return fake_server_new_of_kind (FAKE_SERVER_PLAIN);
}

FakeServer *
fake_server_new_of_kind (FakeServerKind kind)
{
  FakeServer *self;

  if (kind == FAKE_SERVER_DEAF)
    return fake_server_new_deaf ();
  self = make (kind, 64);
  self->wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->thread = g_thread_new ("fake-server", _fake_server_serve, self);
  return self;
}

/* A server that never accepts, and whose backlog is full: a connection to it hangs. */
FakeServer *
fake_server_new_deaf (void)
{
  FakeServer *self = make (FAKE_SERVER_DEAF, 0);
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (self->port) };

  self->wake = -1;
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  for (guint i = 0; i < FAKE_N_FILLERS; i++)
    {
      self->fillers[i] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      g_assert_cmpint (self->fillers[i], >=, 0);
      if (connect (self->fillers[i], (struct sockaddr *) &address, sizeof address) < 0)
        g_assert_true (errno == EINPROGRESS || errno == EAGAIN);
    }
  return self;
}

void
fake_server_free (FakeServer *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      g_mutex_lock (&self->mutex);
      self->quit = TRUE;
      g_mutex_unlock (&self->mutex);
      eventfd_write (self->wake, 1);
      g_thread_join (self->thread);
      close (self->wake);
    }
  for (guint i = 0; i < FAKE_N_FILLERS; i++)
    if (self->fillers[i] >= 0)
      close (self->fillers[i]);
  close (self->listener);
  g_ptr_array_unref (self->connections);
  g_ptr_array_unref (self->replies);
  g_ptr_array_unref (self->requests);
  g_array_unref (self->events);
  g_byte_array_unref (self->rest);
  _fake_reply_free (self->get_reply);
  g_free (self->models);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

FakeServerKind
fake_server_get_kind (FakeServer *self)
{
  return self->kind;
}

guint16
fake_server_get_port (FakeServer *self)
{
  return self->port;
}

char *
fake_server_dup_url (FakeServer *self, const char *path)
{
  const gboolean secure = self->kind != FAKE_SERVER_PLAIN && self->kind != FAKE_SERVER_DEAF;

  return g_strdup_printf ("%s://127.0.0.1:%u%s", secure ? "https" : "http", self->port, path);
}

FakeReply *
fake_server_add_reply (FakeServer *self)
{
  FakeReply *reply = _fake_reply_new ();

  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->replies, reply);
  g_mutex_unlock (&self->mutex);
  return reply;
}

FakeReply *
fake_server_set_get_reply (FakeServer *self)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->get_reply, _fake_reply_free);
  self->get_reply = _fake_reply_new ();
  g_mutex_unlock (&self->mutex);
  return self->get_reply;
}

void
fake_server_set_models (FakeServer *self, const char *json)
{
  fake_reply_body (fake_server_set_get_reply (self), 200, "application/json", json, NULL);
}

void
fake_server_set_listener (FakeServer *self, FakeEventFunc func, gpointer user_data)
{
  self->listen_func = func;
  self->listen_data = user_data;
}

/* --- What happened --------------------------------------------------------------------------- */

static guint
count_locked (FakeServer *self, FakeEventType type)
{
  guint n = 0;

  for (guint i = 0; i < self->events->len; i++)
    n += g_array_index (self->events, FakeEvent, i).type == type;
  return n;
}

guint
fake_server_count (FakeServer *self, FakeEventType type)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return count_locked (self, type);
}

/* How many connections the client ended, either way. */
guint
fake_server_count_ends (FakeServer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return count_locked (self, FAKE_EVENT_FIN) + count_locked (self, FAKE_EVENT_RST);
}

gboolean
fake_server_have_all_ended (gpointer server)
{
  return fake_server_count_ends (server) >= fake_server_count (server, FAKE_EVENT_ACCEPT);
}

/* When it happened for the nth time, counted from 0; 0 if it did not. */
gint64
fake_server_get_time (FakeServer *self, FakeEventType type, guint nth)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  for (guint i = 0; i < self->events->len; i++)
    {
      const FakeEvent *event = &g_array_index (self->events, FakeEvent, i);

      if (event->type == type && nth-- == 0)
        return event->time_us;
    }
  return 0;
}

/* When the client ended this connection, either way; 0 if it did not. */
gint64
fake_server_get_end_time (FakeServer *self, guint connection)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  for (guint i = 0; i < self->events->len; i++)
    {
      const FakeEvent *event = &g_array_index (self->events, FakeEvent, i);

      if (event->connection == connection
          && (event->type == FAKE_EVENT_FIN || event->type == FAKE_EVENT_RST))
        return event->time_us;
    }
  return 0;
}

guint
fake_server_get_n_requests (FakeServer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->requests->len;
}

/* How many of the requests were for an answer: not GET, by which some dialects ask for other things
 * first. */
guint
fake_server_count_chats (FakeServer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  guint n = 0;

  for (guint i = 0; i < self->requests->len; i++)
    n += strcmp (((FakeRequest *) g_ptr_array_index (self->requests, i))->method, "GET") != 0;
  return n;
}

const FakeRequest *
fake_server_get_request (FakeServer *self, guint nth)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return nth < self->requests->len ? g_ptr_array_index (self->requests, nth) : NULL;
}

gsize
fake_server_get_n_received (FakeServer *self)
{
  gsize n;

  g_mutex_lock (&self->mutex);
  n = self->n_received;
  g_mutex_unlock (&self->mutex);
  return n;
}

void
fake_server_set_intake (FakeServer *self, guint bytes_per_second)
{
  const int size = 4096;

  g_mutex_lock (&self->mutex);
  self->intake = bytes_per_second;
  g_mutex_unlock (&self->mutex);
  /* Connections that are accepted inherit it. */
  setsockopt (self->listener, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

gsize
fake_server_get_n_sent (FakeServer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->n_sent;
}

GBytes *
fake_server_dup_rest (FakeServer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_bytes_new (self->rest->data, self->rest->len);
}

/* Blocks the test's thread, main loop and all, until it happened that often. */
gboolean
fake_server_wait (FakeServer *self, FakeEventType type, guint count, guint timeout_ms)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (count_locked (self, type) < count)
    if (!g_cond_wait_until (&self->cond, &self->mutex, deadline))
      return FALSE;
  return TRUE;
}
