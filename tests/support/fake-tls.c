/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-tls.h"

#include "fake-server.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Of 127.0.0.1 and localhost, signed by itself, and good for ever. Only programs that call
 * fake_tls_set_trusted () trust it. */
static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBnjCCAUSgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDExJHYWRnZXQg\n"
    "dGVzdCBzZXJ2ZXIwIBcNMjQwMTAxMDAwMDAwWhgPOTk5OTEyMzEyMzU5NTlaMB0x\n"
    "GzAZBgNVBAMTEkdhZGdldCB0ZXN0IHNlcnZlcjBZMBMGByqGSM49AgEGCCqGSM49\n"
    "AwEHA0IABAgD9MDUqtnk8/fJeH4AxwJdjHjfr2MPIG7uieg4q1ROx4uOadsZ1j73\n"
    "zbO5vFzKf2bBeHrbMZmWG8YwQ/TSSgejczBxMA8GA1UdEwEB/wQFMAMBAf8wGgYD\n"
    "VR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMBMGA1UdJQQMMAoGCCsGAQUFBwMBMA4G\n"
    "A1UdDwEB/wQEAwIChDAdBgNVHQ4EFgQU1Syi3DJQUOYyb6JLH4SK7zW/GaEwCgYI\n"
    "KoZIzj0EAwIDSAAwRQIhAKLQwPi6WAYvw8CdMgf6CTUJloNp4+/aWod+LUeSVSdw\n"
    "AiA6MsSfV0ZBsueEnsXib5YaT/5G+dZkOaAOTFbcEEgaeA==\n"
    "-----END CERTIFICATE-----\n";
static const char key[] = "-----BEGIN EC PRIVATE KEY-----\n"
                          "MHcCAQEEIAWYwwoqFVcwFX5e7zJsWyXuJqmHzH76IWJFNDwVGMg4oAoGCCqGSM49\n"
                          "AwEHoUQDQgAECAP0wNSq2eTz98l4fgDHAl2MeN+vYw8gbu6J6DirVE7Hi45p2xnW\n"
                          "PvfNs7m8XMp/ZsF4etsxmZYbxjBD9NJKBw==\n"
                          "-----END EC PRIVATE KEY-----\n";

struct _FakeTls
{
  GTlsConnection *connection;
  GThread *thread;
  GCancellable *cancellable; /* of the handshake */
  int wake;
  gint over; /* atomic, as "good" */
  gint good;
};

/* --- The handshake ---------------------------------------------------------------------------- */

static gpointer
shake_hands (gpointer data)
{
  FakeTls *self = data;

  g_atomic_int_set (&self->good,
                    g_tls_connection_handshake (self->connection, self->cancellable, NULL));
  g_atomic_int_set (&self->over, TRUE);
  eventfd_write (self->wake, 1);
  return NULL;
}

static GTlsCertificate *
make_certificate (void)
{
  g_autofree char *pem = g_strconcat (certificate, key, NULL);
  g_autoptr (GError) error = NULL;
  GTlsCertificate *made = g_tls_certificate_new_from_pem (pem, -1, &error);

  g_assert_no_error (error);
  return made;
}

FakeTls *
_fake_tls_new (int fd, int wake)
{
  /* A server that would rather speak HTTP/2: a client that offers it gets it. */
  const char *const protocols[] = { "h2", "http/1.1", NULL };
  FakeTls *self = g_new0 (FakeTls, 1);
  g_autoptr (GTlsCertificate) made = make_certificate ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fcntl (fd, F_DUPFD_CLOEXEC, 0), &error);
  g_autoptr (GSocketConnection) below = NULL;

  g_assert_no_error (error);
  below = g_socket_connection_factory_create_connection (socket);
  self->connection =
      G_TLS_CONNECTION (g_tls_server_connection_new (G_IO_STREAM (below), made, &error));
  g_assert_no_error (error);
  g_tls_connection_set_advertised_protocols (self->connection, protocols);
  g_tls_connection_set_require_close_notify (self->connection, TRUE);
  self->cancellable = g_cancellable_new ();
  self->wake = wake;
  self->thread = g_thread_new ("fake-tls", shake_hands, self);
  return self;
}

/* Closes nothing in an orderly way: what the peer sees is what becomes of the socket. */
void
_fake_tls_free (FakeTls *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_thread_join (self->thread);
  g_object_unref (self->cancellable);
  g_object_unref (self->connection);
  g_free (self);
}

gboolean
_fake_tls_is_over (FakeTls *self)
{
  return g_atomic_int_get (&self->over);
}

gboolean
_fake_tls_is_good (FakeTls *self)
{
  return g_atomic_int_get (&self->good);
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static gssize
fail (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    errno = EAGAIN;
  else if (g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_EOF))
    errno = ECONNABORTED;
  else
    errno = ECONNRESET;
  return -1;
}

gssize
_fake_tls_recv (FakeTls *self, void *buffer, gsize size)
{
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (self->connection));
  g_autoptr (GError) error = NULL;
  gssize n = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (in), buffer, size,
                                                       NULL, &error);

  return n >= 0 ? n : fail (error);
}

gssize
_fake_tls_send (FakeTls *self, const void *bytes, gsize size)
{
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (self->connection));
  g_autoptr (GError) error = NULL;
  gssize n = g_pollable_output_stream_write_nonblocking (G_POLLABLE_OUTPUT_STREAM (out), bytes,
                                                         size, NULL, &error);

  return n >= 0 ? n : fail (error);
}

/* RFC 5246, section 7.4.1.3, in a record of section 6.2.1. */
GBytes *
_fake_tls_dup_hello (void)
{
  guint8 hello[] = {
    0x16,
    0x03,
    0x03,
    0,
    49, /* a handshake record */
    0x02,
    0,
    0,
    45, /* ServerHello */
    0x03,
    0x03,               /* TLS 1.2 */
    [11 ... 42] = 0x5a, /* "random" */
    0,                  /* no session */
    0xc0,
    0x2b, /* ECDHE, ECDSA, AES 128 GCM, SHA-256 (RFC 5289) */
    0,    /* no compression */
    0,
    5,
    0xff,
    0x01,
    0,
    1,
    0, /* renegotiation_info (RFC 5746) */
  };

  return g_bytes_new (hello, sizeof hello);
}

/* --- Trust ------------------------------------------------------------------------------------ */

/* Makes this program trust the server's certificate and no other, or the system's again. Nothing of
 * the code under test is changed: it verifies as ever, against another list. */
void
fake_tls_set_trusted (gboolean trusted)
{
  static char *path; /* the database reads it when it is first asked */
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  if (path != NULL)
    unlink (path);
  g_clear_pointer (&path, g_free);
  if (trusted)
    {
      fd = g_file_open_tmp ("gadget-ca-XXXXXX.pem", &path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (write (fd, certificate, sizeof certificate - 1), >, 0);
      close (fd);
      database = g_tls_file_database_new (path, &error);
      g_assert_no_error (error);
    }
  g_tls_backend_set_default_database (g_tls_backend_get_default (), database);
}
