/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fetch-fixture.h"

#include "test-wait.h"
#include "wait.h"

#include <string.h>

/* --- A resolver --------------------------------------------------------------------------------
 */

G_DEFINE_FINAL_TYPE (FetchResolver, fetch_resolver, G_TYPE_RESOLVER)

static void
free_addresses (gpointer list)
{
  g_resolver_free_addresses (list);
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;

  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void
lookup_by_name_async (GResolver *resolver, const gchar *host, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  FetchResolver *self = FETCH_RESOLVER (resolver);
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);
  const char *answer = self->answers[MIN (self->n_lookups, G_N_ELEMENTS (self->answers) - 1)];
  g_auto (GStrv) numbers = NULL;
  GList *addresses = NULL;

  self->n_lookups++;
  if (answer == NULL)
    {
      g_autoptr (GSource) source = g_cancellable_source_new (cancellable);

      g_source_set_callback (source, G_SOURCE_FUNC (stopped_cb), g_object_ref (task),
                             g_object_unref);
      g_source_attach (source, NULL);
      return;
    }
  numbers = g_strsplit (answer, " ", -1);
  for (guint i = 0; numbers[i] != NULL; i++)
    addresses = g_list_append (addresses, g_inet_address_new_from_string (numbers[i]));
  g_task_return_pointer (task, addresses, free_addresses);
}

static GList *
lookup_by_name_finish (GResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
fetch_resolver_class_init (FetchResolverClass *klass)
{
  G_RESOLVER_CLASS (klass)->lookup_by_name_async = lookup_by_name_async;
  G_RESOLVER_CLASS (klass)->lookup_by_name_finish = lookup_by_name_finish;
}

static void
fetch_resolver_init (FetchResolver *self)
{
}

/* Only this one is taken for another: all else of loopback is what it is. */
GadgetAddressKind
fetch_classify (GInetAddress *address)
{
  g_autofree char *number = g_inet_address_to_string (address);

  return g_str_equal (number, "127.0.0.1") ? GADGET_ADDRESS_PUBLIC
                                           : gadget_address_classify (address);
}

/* --- The fixture -------------------------------------------------------------------------------
 */

void
fetch_set_up (FetchFixture *f, gconstpointer data)
{
  f->server = fake_server_new ();
  f->resolver = g_object_new (FETCH_TYPE_RESOLVER, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (f->resolver->answers); i++)
    f->resolver->answers[i] = "127.0.0.1";
  f->setup = (GadgetWebSetup) {
    .clock = gadget_clock_get_default (),
    .resolver = G_RESOLVER (f->resolver),
    .proxies = g_simple_proxy_resolver_new ("direct://", NULL),
    .classify = fetch_classify,
    .max_bytes = 5 * 1024 * 1024,
    .total_ms = 30000,
  };
}

static void
fetch_clear (FetchFixture *f)
{
  g_clear_pointer (&f->result, gadget_tool_result_free);
  g_clear_error (&f->error);
  g_clear_object (&f->cancellable);
  g_clear_object (&f->tool);
  f->done = FALSE;
}

void
fetch_tear_down (FetchFixture *f, gconstpointer data)
{
  fetch_clear (f);
  fake_server_free (f->server);
  g_object_unref (f->setup.proxies);
  g_assert_finalize_object (f->resolver);
}

FakeReply *
fetch_add_page (FetchFixture *f, const char *path)
{
  FakeReply *reply = fake_server_add_reply (f->server);

  fake_reply_when (reply, path);
  return reply;
}

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FetchFixture *f = user_data;

  f->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &f->error);
  f->done = TRUE;
}

void
fetch_start_url (FetchFixture *f, const char *url, const char *more)
{
  g_autofree char *text = g_strdup_printf ("{\"url\":\"%s\"%s}", url, more);
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "fetch");
  const GadgetToolContext context = { .item = item, .interactive = TRUE };

  fetch_clear (f);
  f->tool = gadget_tool_fetch_new_with_setup (&f->setup);
  f->cancellable = g_cancellable_new ();
  gadget_tool_execute_async (f->tool, json_node_get_object (node), &context, f->cancellable,
                             executed_cb, f);
}

void
fetch_get_url (FetchFixture *f, const char *url, const char *more)
{
  fetch_start_url (f, url, more);
  wait_until (f->done);
}

char *
fetch_dup_url (FetchFixture *f, const char *host, const char *path)
{
  return g_strdup_printf ("http://%s:%u%s", host, fake_server_get_port (f->server), path);
}

void
fetch_start (FetchFixture *f, const char *path)
{
  g_autofree char *url = fetch_dup_url (f, FETCH_NAME, path);

  fetch_start_url (f, url, "");
}

void
fetch_get (FetchFixture *f, const char *path)
{
  fetch_start (f, path);
  wait_until (f->done);
}

void
fetch_assert_text (FetchFixture *f, const char *part)
{
  g_assert_no_error (f->error);
  if (strstr (f->result->text, part) == NULL)
    g_error ("“%s” is not in: %.2000s", part, f->result->text);
}

void
fetch_assert_failed (FetchFixture *f, const char *part)
{
  g_assert_nonnull (f->error);
  if (strstr (f->error->message, part) == NULL)
    g_error ("“%s” is not in: %s", part, f->error->message);
}

void
fetch_assert_not_contacted (FetchFixture *f)
{
  test_run_for (30);
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

void
fetch_add_redirect (FetchFixture *f, const char *path, guint status, const char *location)
{
  g_autofree char *header = g_strdup_printf ("Location: %s\r\n", location);

  fake_reply_body (fetch_add_page (f, path), status, "text/html", "over there", header);
}
