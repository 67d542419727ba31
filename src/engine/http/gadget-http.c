/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session of libsoup that requests share, with its limits. gadget-http-stream.c sends the
 * requests. All functions are called on the main context. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-http-private.h"

#include "gadget-proxy-resolver.h"

/* libsoup silently queues requests beyond its limits, but the request of a subagent must never wait
 * for another one's stream to end. */
#define MAX_CONNECTIONS 512
/* How long an unused connection is kept for the next request. */
#define KEEP_UNUSED_S 30

enum
{
  CONNECTIONS_SUSPECTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

struct _GadgetHttp
{
  GObject parent_instance;

  SoupSession *session;
  GadgetHttpSockets *sockets;
  GadgetClock *clock;
  GadgetHttpLimits limits;
  gint64 suspect_until; /* by @clock: until then unused connections may be dead */
};

G_DEFINE_FINAL_TYPE (GadgetHttp, gadget_http, G_TYPE_OBJECT)
G_DEFINE_QUARK (gadget-http-error-quark, gadget_http_error)

static void
gadget_http_dispose (GObject *object)
{
  GadgetHttp *self = GADGET_HTTP (object);

  g_clear_object (&self->session);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_http_parent_class)->dispose (object);
}

static void
gadget_http_finalize (GObject *object)
{
  GadgetHttp *self = GADGET_HTTP (object);

  _gadget_http_sockets_free (self->sockets);

  G_OBJECT_CLASS (gadget_http_parent_class)->finalize (object);
}

static void
gadget_http_class_init (GadgetHttpClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_http_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_http_finalize;

  signals[CONNECTIONS_SUSPECTED] =
      g_signal_new ("connections-suspected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_http_init (GadgetHttp *self)
{
  self->sockets = _gadget_http_sockets_new ();
  self->limits = (GadgetHttpLimits) {
    .connect_ms = 30 * 1000,
    .first_byte_ms = 10 * 60 * 1000,
    .idle_ms = 5 * 60 * 1000,
    .drain_ms = 500,
    .refusal_ms = 5 * 1000,
    .max_refusal = 64 * 1024,
    .quiet_ms = 20 * 1000,
    .suspected_ms = 10 * 1000,
  };
}

/* With @remote every connection goes there, whatever the URL of the request, and no proxy is
 * used. */
static GadgetHttp *
make (GadgetClock *clock, GProxyResolver *proxies, GSocketConnectable *remote)
{
  GadgetHttp *self = g_object_new (GADGET_TYPE_HTTP, NULL);

  self->clock = g_object_ref (clock != NULL ? clock : gadget_clock_get_default ());
  /* The session's own timeout would count the wait for a slow model as a failure; the limits of
   * GadgetHttpLimits are used instead. */
  self->session = soup_session_new_with_options (
      "max-conns", MAX_CONNECTIONS, "max-conns-per-host", MAX_CONNECTIONS, "timeout", 0,
      "idle-timeout", KEEP_UNUSED_S, "user-agent", "Gadget/" GADGET_VERSION, "proxy-resolver",
      proxies, "remote-connectable", remote, NULL);
  /* Compression would delay parts of a stream. */
  soup_session_remove_feature_by_type (self->session, SOUP_TYPE_CONTENT_DECODER);
  return self;
}

/**
 * gadget_http_new:
 * @clock: (nullable): the source of time; %NULL for the system's clock
 *
 * Returns: (transfer full)
 */
GadgetHttp *
gadget_http_new (GadgetClock *clock)
{
  g_autoptr (GProxyResolver) proxies = gadget_proxy_resolver_new ();

  return make (clock, proxies, NULL);
}

/**
 * gadget_http_new_pinned:
 * @clock: (nullable): the source of time; %NULL for the system's clock
 * @remote: where every connection goes, see gadget_pinned_address_new ()
 *
 * Makes an object for requests to one server whose addresses were checked before. No proxy is used.
 *
 * Returns: (transfer full)
 */
GadgetHttp *
gadget_http_new_pinned (GadgetClock *clock, GSocketConnectable *remote)
{
  g_return_val_if_fail (G_IS_SOCKET_CONNECTABLE (remote), NULL);

  return make (clock, NULL, remote);
}

/* gadget_http_get_clock: returns the clock that all requests use; it belongs to the object.
 * (transfer none) */
GadgetClock *
gadget_http_get_clock (GadgetHttp *self)
{
  g_return_val_if_fail (GADGET_IS_HTTP (self), NULL);
  return self->clock;
}

/* gadget_http_get_limits: returns the limits, in milliseconds and bytes, as #GadgetHttpLimits
 * describes them. They belong to the object, and change with gadget_http_set_limits ().
 * (transfer none) */
const GadgetHttpLimits *
gadget_http_get_limits (GadgetHttp *self)
{
  g_return_val_if_fail (GADGET_IS_HTTP (self), NULL);
  return &self->limits;
}

/* gadget_http_set_limits: copies @limits. */
void
gadget_http_set_limits (GadgetHttp *self, const GadgetHttpLimits *limits)
{
  g_return_if_fail (GADGET_IS_HTTP (self) && limits != NULL);
  self->limits = *limits;
}

/**
 * gadget_http_suspect_connections:
 *
 * To be called when connections may have died unnoticed, because the computer slept or the network
 * changed. A connection on which nothing is received soon is then marked as quiet in its receipt,
 * and requests use new connections until those that were kept have been dropped.
 */
void
gadget_http_suspect_connections (GadgetHttp *self)
{
  g_return_if_fail (GADGET_IS_HTTP (self));
  self->suspect_until = gadget_clock_now (self->clock) + KEEP_UNUSED_S * G_TIME_SPAN_SECOND;
  g_signal_emit (self, signals[CONNECTIONS_SUSPECTED], 0);
}

gboolean
_gadget_http_is_suspect (GadgetHttp *self)
{
  g_return_val_if_fail (GADGET_IS_HTTP (self), FALSE);
  return gadget_clock_now (self->clock) < self->suspect_until;
}

SoupSession *
_gadget_http_get_session (GadgetHttp *self)
{
  g_return_val_if_fail (GADGET_IS_HTTP (self), NULL);
  return self->session;
}

GadgetHttpSockets *
_gadget_http_get_sockets (GadgetHttp *self)
{
  g_return_val_if_fail (GADGET_IS_HTTP (self), NULL);
  return self->sockets;
}

/**
 * gadget_http_parse_retry_after:
 * @value: (nullable): the value of a Retry-After header, seconds or a date (RFC 9110, section
 *   10.2.3)
 * @now_ms: the calendar time, in milliseconds since 1970
 *
 * Returns: milliseconds to wait, 0 or more; -1 if @value is not valid
 */
gint64
gadget_http_parse_retry_after (const char *value, gint64 now_ms)
{
  guint64 seconds;
  g_autoptr (GDateTime) date = NULL;

  if (value == NULL)
    return -1;
  if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT32, &seconds, NULL))
    return (gint64) seconds * 1000;
  date = soup_date_time_new_from_http_string (value);
  if (date == NULL)
    return -1;
  return MAX (0, g_date_time_to_unix (date) * 1000 - now_ms);
}
