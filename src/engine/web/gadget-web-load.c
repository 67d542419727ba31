/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One download.
 *
 *   a proxy? ─▶ resolve ─▶ check every address ─▶ connect to just these ─▶ response ─▶ done
 *      ▲                                                                      │ 3xx
 *      └────────── the same server, and not from https to http ◀──────────────┘
 *
 * The connection goes to the addresses that were checked: the name is not looked up a second time.
 * Nothing is downloaded when the system wants a proxy to be used, since the proxy would look the
 * name up itself. No cookies, keys or referrers are sent. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-web"

#include "config.h"

#include "gadget-web-load.h"

#include "gadget-web-decoder.h"
#include "common/gadget-stop-source.h"
#include "http/gadget-http-stream.h"
#include "http/gadget-proxy-resolver.h"

#include <string.h>

#define MAX_CONNECT_MS 10000
#define RESOLVE_MS 10000
#define MAX_REFUSAL (8 * 1024)

/* The state of one download, owned by its task. */
typedef struct
{
  GadgetWebSetup setup;
  GUri *uri;
  gboolean local;
  gint64 end_us;
  guint end_timer;
  GSource *stop;         /* (nullable) */
  GCancellable *lookups; /* of proxies and addresses: cancelled by a stop, and at end_us */
  guint n_redirects;
  GadgetWebPage *page;
  GadgetWebDecoder *decoder; /* (nullable): for a compressed body */
  char *location;            /* (nullable): the target of a redirect */
} Load;

static void ask_for_proxy (GTask *task); /* called again for each redirect */

void
gadget_web_page_free (GadgetWebPage *self)
{
  if (self == NULL)
    return;
  g_free (self->url);
  g_free (self->type);
  g_free (self->charset);
  g_clear_pointer (&self->body, g_byte_array_unref);
  g_free (self->elsewhere);
  g_free (self);
}

const char *
gadget_web_cut_describe (GadgetWebCut cut)
{
  switch (cut)
    {
    case GADGET_WEB_CUT_TOO_LARGE:
      return "it is larger than what is read";
    case GADGET_WEB_CUT_TOO_SLOW:
      return "the rest did not come in time";
    case GADGET_WEB_CUT_BROKEN_OFF:
      return "the connection broke off";
    case GADGET_WEB_CUT_PACKED_BADLY:
      return "the server sent it packed, and the rest cannot be unpacked";
    case GADGET_WEB_WHOLE:
    default:
      return "";
    }
}

void
gadget_web_setup_init (GadgetWebSetup *self, GadgetClock *clock)
{
  /* A resolver of the same type as the system's, because a time limit set on the default one would
   * apply to the whole program. */
  g_autoptr (GResolver) system = g_resolver_get_default ();

  *self = (GadgetWebSetup) {
    .clock = g_object_ref (clock),
    .resolver = g_object_new (G_OBJECT_TYPE (system), "timeout", RESOLVE_MS, NULL),
    .proxies = gadget_proxy_resolver_new (),
    .classify = gadget_address_classify,
  };
}

/* gadget_web_setup_clear: drops the references that gadget_web_setup_init () took. The struct
 * itself is the caller's. */
void
gadget_web_setup_clear (GadgetWebSetup *self)
{
  g_clear_object (&self->clock);
  g_clear_object (&self->resolver);
  g_clear_object (&self->proxies);
}

static void
load_free (gpointer data)
{
  Load *self = data;

  if (self->end_timer != 0)
    gadget_clock_remove (self->setup.clock, self->end_timer);
  gadget_stop_source_end (&self->stop);
  g_object_unref (self->lookups);
  gadget_web_setup_clear (&self->setup);
  g_uri_unref (self->uri);
  g_clear_pointer (&self->page, gadget_web_page_free);
  g_clear_pointer (&self->decoder, gadget_web_decoder_free);
  g_free (self->location);
  g_free (self);
}

/* --- Kinds of content ------------------------------------------------------------------------- */

static gboolean
looks_like_html (const GadgetWebPage *self)
{
  const char *bytes = (const char *) self->body->data;
  gsize i = 0;

  while (i < self->body->len && g_ascii_isspace (bytes[i]))
    i++;
  return self->body->len - i > 5
         && (g_ascii_strncasecmp (bytes + i, "<!doc", 5) == 0
             || g_ascii_strncasecmp (bytes + i, "<html", 5) == 0);
}

gboolean
gadget_web_page_is_html (const GadgetWebPage *self)
{
  return g_str_equal (self->type, "text/html") || g_str_equal (self->type, "application/xhtml+xml")
         || (*self->type == '\0' && looks_like_html (self));
}

/**
 * gadget_web_page_is_text:
 *
 * Returns: whether the type of the page is that of a text; without a type, whether there is no byte
 *   0 in the body
 */
gboolean
gadget_web_page_is_text (const GadgetWebPage *self)
{
  static const char *const types[] = {
    "application/json",       "application/xml",   "application/javascript",
    "application/ecmascript", "application/yaml",  "application/x-yaml",
    "application/toml",       "application/x-sh",  "application/x-ndjson",
    "application/sql",        "application/x-tex", "application/graphql",
    "message/rfc822",         "image/svg+xml",     "application/x-httpd-php",
  };

  if (*self->type == '\0')
    return self->body->len == 0 || memchr (self->body->data, '\0', self->body->len) == NULL;
  if (g_str_has_prefix (self->type, "text/") || g_str_has_suffix (self->type, "+json")
      || g_str_has_suffix (self->type, "+xml"))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (self->type, types[i]))
      return TRUE;
  return FALSE;
}

/* --- The response ----------------------------------------------------------------------------- */

static void
set_response (Load *self, const GadgetHttpResponse *response)
{
  self->page->status = response->status;
  g_set_str (&self->page->type, response->content_type);
  g_set_str (&self->page->charset, response->charset);
  /* The announced length of a compressed body is not the length of its content. */
  self->page->length = response->coding == NULL ? response->length : -1;
  g_byte_array_set_size (self->page->body, 0);
}

static gboolean
set_coding (Load *self, const char *coding, GError **error)
{
  g_clear_pointer (&self->decoder, gadget_web_decoder_free);
  if (coding == NULL)
    return TRUE;
  self->decoder = gadget_web_decoder_new (coding);
  if (self->decoder != NULL)
    return TRUE;
  g_set_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_BAD_ANSWER,
               "The server sent the page packed in a way that was not asked for and cannot be read "
               "(Content-Encoding: %.50s).",
               coding);
  return FALSE;
}

static gboolean
is_readable (const GadgetWebPage *page)
{
  return *page->type == '\0' || gadget_web_page_is_html (page) || gadget_web_page_is_text (page);
}

static gboolean
head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  Load *self = user_data;

  set_response (self, response);
  /* The body is not read when its content cannot be shown. */
  if (self->setup.accepts != NULL ? self->setup.accepts (self->page) : is_readable (self->page))
    return set_coding (self, response->coding, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "");
  return FALSE;
}

/* Returns FALSE with an error for data that cannot be decompressed. */
static gboolean
append_bytes (Load *self, const char *bytes, gsize length, gboolean *full, GError **error)
{
  const gsize room = self->setup.max_bytes - self->page->body->len;

  if (self->decoder == NULL)
    {
      g_byte_array_append (self->page->body, (const guint8 *) bytes, (guint) MIN (length, room));
      *full = length > room;
      return TRUE;
    }
  if (gadget_web_decoder_feed (self->decoder, bytes, length, self->page->body,
                               self->setup.max_bytes, full, NULL))
    return TRUE;
  if (self->page->body->len > 0)
    self->page->cut = GADGET_WEB_CUT_PACKED_BADLY;
  g_set_error_literal (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_BAD_ANSWER,
                       "The server sent the page packed, and it cannot be unpacked.");
  return FALSE;
}

static GadgetHttpVerdict
data_cb (const char *bytes, gsize length, gpointer user_data, GError **error)
{
  Load *self = user_data;
  gboolean full = FALSE;

  if (!append_bytes (self, bytes, length, &full, error))
    return GADGET_HTTP_FAILED;
  if (!full)
    return GADGET_HTTP_MORE;
  self->page->cut = GADGET_WEB_CUT_TOO_LARGE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "It is too large.");
  return GADGET_HTTP_FAILED;
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  Load *self = user_data;

  set_response (self, response);
  g_byte_array_append (self->page->body, (const guint8 *) body, (guint) length);
  if (response->status >= 300 && response->status < 400)
    g_set_str (&self->location, response->location);
  return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "The server answered with the status %u.",
                      response->status);
}

static const GadgetHttpHandler handler = { head_cb, data_cb, NULL, refusal_cb };

/* --- Redirects -------------------------------------------------------------------------------- */

static GUri *
parse_location (Load *self, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse_relative (
      self->uri, self->location, G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD, NULL);
  g_autofree char *text = uri != NULL ? g_uri_to_string (uri) : NULL;
  g_autoptr (GUri) target = text != NULL ? gadget_web_address_parse (text, NULL) : NULL;

  if (target == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 "%s redirects to “%.500s”, which is no address that can be read.", self->page->url,
                 self->location);
  return g_steal_pointer (&target);
}

/* A redirect to another server is not followed, because nobody asked for that server: the caller
 * decides, and with it the user. */
static gboolean
may_follow (Load *self, GUri *target, GError **error)
{
  g_autofree char *from = gadget_web_address_dup_server (self->uri);
  g_autofree char *to = gadget_web_address_dup_server (target);
  g_autofree char *url = g_uri_to_string (target);
  const gboolean unsafe = g_str_equal (g_uri_get_scheme (self->uri), "https")
                          && g_str_equal (g_uri_get_scheme (target), "http");

  if (unsafe || !g_str_equal (from, to))
    g_set_str (&self->page->elsewhere, url);
  if (unsafe)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s redirects from https to http, which is not safe: %s was not read.",
                 self->page->url, url);
  else if (!g_str_equal (from, to))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s redirects to another server, %s, which was not asked for. To read it, call "
                 "this with \"url\": \"%s\".",
                 self->page->url, to, url);
  else if (self->n_redirects >= GADGET_WEB_MAX_REDIRECTS)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 "%s was redirected more than %d times; the last one was to %s.", from,
                 GADGET_WEB_MAX_REDIRECTS, url);
  else
    return TRUE;
  return FALSE;
}

/* --- One request ------------------------------------------------------------------------------ */

/* Returns TRUE if an incomplete page is to be returned all the same. */
static gboolean
is_good_enough (Load *self, const GError *error)
{
  GadgetWebPage *page = self->page;

  if (page->cut != GADGET_WEB_WHOLE
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return TRUE;
  if (page->status < 200 || page->status >= 300 || page->body->len == 0
      || error->domain != GADGET_HTTP_ERROR)
    return FALSE;
  page->cut = error->code == GADGET_HTTP_ERROR_TIMEOUT ? GADGET_WEB_CUT_TOO_SLOW
                                                       : GADGET_WEB_CUT_BROKEN_OFF;
  return TRUE;
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GUri) target = NULL;

  gadget_http_stream_finish (GADGET_HTTP (source), result, NULL, &error);
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
      return;
    }
  if (self->location != NULL)
    {
      g_clear_error (&error);
      target = parse_location (self, &error);
      if (target == NULL || !may_follow (self, target, &error))
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }
      self->n_redirects++;
      g_uri_unref (self->uri);
      self->uri = g_steal_pointer (&target);
      ask_for_proxy (task);
      return;
    }
  /* libsoup does not report an error when a body ends before its announced length. */
  if (error == NULL
      && ((gint64) self->page->body->len < self->page->length
          || (self->decoder != NULL && !gadget_web_decoder_is_done (self->decoder))))
    self->page->cut = GADGET_WEB_CUT_BROKEN_OFF;
  if (error == NULL || is_good_enough (self, error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static gint64
get_left_ms (Load *self)
{
  return (self->end_us - gadget_clock_now (self->setup.clock)) / 1000;
}

static void
send_request (GTask *task, GList *addresses)
{
  Load *self = g_task_get_task_data (task);
  g_autoptr (GSocketConnectable) remote = gadget_pinned_address_new (
      g_uri_get_host (self->uri), gadget_web_address_get_port (self->uri), addresses);
  g_autoptr (GadgetHttp) http = gadget_http_new_pinned (self->setup.clock, remote);
  g_autoptr (GadgetHttpRequest) request = NULL;
  const guint left_ms = (guint) MAX (1, get_left_ms (self));

  g_free (self->page->url);
  self->page->url = g_uri_to_string (self->uri);
  g_clear_pointer (&self->location, g_free);
  gadget_http_set_limits (http, &(GadgetHttpLimits) {
                                    .connect_ms = MIN (left_ms, MAX_CONNECT_MS),
                                    .first_byte_ms = left_ms,
                                    .idle_ms = left_ms,
                                    .refusal_ms = MIN (left_ms, 2000),
                                    .max_refusal = MAX_REFUSAL,
                                    .total_ms = left_ms,
                                });
  request = gadget_http_request_new (g_uri_get_host (self->uri), "GET", self->page->url);
  request->takes_codings = TRUE;
  request->accept = g_strdup (self->setup.accept != NULL
                                  ? self->setup.accept
                                  : "text/html,application/xhtml+xml,text/markdown,text/plain,"
                                    "application/json,*/*;q=0.5");
  gadget_http_stream_async (http, request, &handler, self, NULL, g_task_get_cancellable (task),
                            streamed_cb, g_object_ref (task));
}

/* An exchange has a time limit of its own, a lookup is cancelled at the end. */
static void
return_lookup_error (GTask *task, GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_error_free (error);
      error = g_error_new_literal (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT,
                                   "The address of the server was not found in time");
    }
  g_task_return_error (task, error);
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GList *addresses = gadget_web_address_resolve_finish (result, &error);

  if (addresses == NULL)
    {
      return_lookup_error (task, error);
      return;
    }
  send_request (task, addresses);
  g_list_free_full (addresses, g_object_unref);
}

static void
proxies_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_auto (GStrv) proxies =
      g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, &error);

  if (proxies == NULL)
    return_lookup_error (task, error);
  else if (*proxies != NULL && !g_str_has_prefix (*proxies, "direct:"))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             "This computer reaches %s through a proxy, and this tool cannot use "
                             "one: it could not tell where an address leads to.",
                             g_uri_get_host (self->uri));
  else
    gadget_web_address_resolve_async (self->uri, self->setup.resolver, self->setup.classify,
                                      self->local, self->lookups, resolved_cb, g_object_ref (task));
}

static void
ask_for_proxy (GTask *task)
{
  Load *self = g_task_get_task_data (task);
  g_autofree char *url = g_uri_to_string (self->uri);

  g_proxy_resolver_lookup_async (self->setup.proxies, url, self->lookups, proxies_cb,
                                 g_object_ref (task));
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  Load *self = user_data;

  g_cancellable_cancel (self->lookups);
  return G_SOURCE_REMOVE;
}

static void
end_cb (gpointer user_data)
{
  Load *self = user_data;

  self->end_timer = 0;
  g_cancellable_cancel (self->lookups);
}

/**
 * gadget_web_load_async:
 * @setup: copied
 * @uri: from gadget_web_address_parse ()
 * @local: %TRUE if the user allowed the address to lead into the local network or to this computer
 *
 * Downloads a page.
 */
void
gadget_web_load_async (const GadgetWebSetup *setup, GUri *uri, gboolean local,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Load *self = g_new0 (Load, 1);

  g_task_set_source_tag (task, gadget_web_load_async);
  /* A stop does not discard what was received before it. */
  g_task_set_check_cancellable (task, FALSE);
  self->setup = *setup;
  g_object_ref (self->setup.clock);
  g_object_ref (self->setup.resolver);
  g_object_ref (self->setup.proxies);
  self->uri = g_uri_ref (uri);
  self->local = local;
  self->end_us = gadget_clock_now (setup->clock) + (gint64) setup->total_ms * 1000;
  self->end_timer = gadget_clock_add_timeout (self->setup.clock, setup->total_ms,
                                              "end of a download", end_cb, self);
  self->lookups = g_cancellable_new ();
  self->stop =
      gadget_stop_source_new (cancellable, "[gadget] stop of a download", stopped_cb, self);
  self->page = g_new0 (GadgetWebPage, 1);
  self->page->type = g_strdup ("");
  self->page->url = g_uri_to_string (uri);
  self->page->length = -1;
  self->page->body = g_byte_array_new ();
  g_task_set_task_data (task, self, load_free);
  if (!g_task_return_error_if_cancelled (task))
    ask_for_proxy (task);
}

/**
 * gadget_web_load_finish:
 * @page: (out) (transfer full): what was received, also after a failure or a stop
 *
 * Returns: %TRUE for a successful response, which may be incomplete; otherwise %FALSE with an error
 *   whose message is for the model, or with %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_web_load_finish (GAsyncResult *result, GadgetWebPage **page, GError **error)
{
  Load *self;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  self = g_task_get_task_data (G_TASK (result));
  *page = g_steal_pointer (&self->page);
  return g_task_propagate_boolean (G_TASK (result), error);
}
