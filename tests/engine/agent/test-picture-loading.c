/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loading a picture of the web as a run: in the registry, stopped like every other, settled once.
 */

#include "config.h"

#include "agent/gadget-picture-loading.h"
#include "fetch-fixture.h"
#include "hung-jobs.h"
#include "test-wait.h"
#include "wait.h"

#include <string.h>

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"
#define CHAT "chat"

typedef struct
{
  FetchFixture web;
  GadgetRegistry *registry;
  GadgetRun *run;
  GBytes *data;
  GBytes *unchecked;
  char *elsewhere;
  GError *error;
  guint n_ended;
} Fixture;

static gint n_checks;

static GBytes *
take (GBytes *data, GError **error)
{
  g_atomic_int_inc (&n_checks);
  return g_bytes_ref (data);
}

static GBytes *
refuse (GBytes *data, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "It is damaged.");
  return NULL;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  fetch_set_up (&f->web, NULL);
  f->registry = gadget_registry_new ();
  g_atomic_int_set (&n_checks, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->data, g_bytes_unref);
  g_clear_pointer (&f->unchecked, g_bytes_unref);
  g_clear_pointer (&f->elsewhere, g_free);
  g_clear_error (&f->error);
  g_assert_finalize_object (f->run);
  g_assert_finalize_object (f->registry);
  fetch_tear_down (&f->web, NULL);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *f = user_data;

  /* Whoever hears of it finds nothing left of the run. */
  g_assert_cmpint (gadget_run_get_state (f->run), ==, GADGET_RUN_ENDED);
  g_assert_null (gadget_registry_find (f->registry, gadget_run_get_id (f->run)));
  f->data = gadget_picture_loading_finish (result, &f->elsewhere, &f->unchecked, &f->error);
  f->n_ended++;
}

static void
start (Fixture *f, const char *path, GadgetPictureCheck check)
{
  g_autofree char *url = fetch_dup_url (&f->web, FETCH_NAME, path);

  f->run = gadget_picture_loading_start (f->registry, CHAT, &f->web.setup, url, check, ended_cb, f);
  g_assert_true (gadget_registry_find (f->registry, gadget_run_get_id (f->run)) == f->run);
  g_assert_cmpstr (gadget_run_get_session_id (f->run), ==, CHAT);
  g_assert_cmpint (gadget_run_get_kind (f->run), ==, GADGET_RUN_PICTURE);
}

static FakeReply *
begin_picture (Fixture *f, const char *path)
{
  FakeReply *reply = fetch_add_page (&f->web, path);

  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, PNG, sizeof PNG - 1);
  return reply;
}

static void
test_whole (Fixture *f, gconstpointer data)
{
  fake_reply_close (begin_picture (f, "/a.png"));
  start (f, "/a.png", take);
  wait_until (f->n_ended == 1);
  g_assert_no_error (f->error);
  g_assert_null (f->unchecked);
  g_assert_cmpmem (g_bytes_get_data (f->data, NULL), g_bytes_get_size (f->data), PNG,
                   sizeof PNG - 1);
  g_assert_false (gadget_run_is_aborted (f->run));
  g_assert_null (gadget_run_get_failure (f->run));
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  fake_reply_close (begin_picture (f, "/a.png"));
  start (f, "/a.png", refuse);
  wait_until (f->n_ended == 1);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_cmpstr (gadget_run_get_failure (f->run), ==, "It is damaged.");
  g_assert_null (f->unchecked);
}

/* There is no thread to look at it with: it is here all the same. */
static void
test_busy (Fixture *f, gconstpointer data)
{
  fake_reply_close (begin_picture (f, "/a.png"));
  hung_jobs_begin ();
  start (f, "/a.png", take);
  wait_until (f->n_ended == 1);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_null (f->data);
  g_assert_cmpmem (g_bytes_get_data (f->unchecked, NULL), g_bytes_get_size (f->unchecked), PNG,
                   sizeof PNG - 1);
  g_assert_cmpint (g_atomic_int_get (&n_checks), ==, 0);
  hung_jobs_end ();
}

static void
test_elsewhere (Fixture *f, gconstpointer data)
{
  fetch_add_redirect (&f->web, "/a.png", 302, "https://other.example/b.png");
  start (f, "/a.png", take);
  wait_until (f->n_ended == 1);
  g_assert_error (f->error, GADGET_WEB_PICTURE_ERROR, GADGET_WEB_PICTURE_ERROR_ELSEWHERE);
  g_assert_cmpstr (f->elsewhere, ==, "https://other.example/b.png");
  g_assert_cmpint (g_atomic_int_get (&n_checks), ==, 0);
}

typedef enum
{
  THIS_RUN,
  THE_CHAT,
  EVERYTHING,
} Way;

static void
stop (Fixture *f, Way way)
{
  g_autoptr (GadgetAbortAck) ack = NULL;

  if (way == THIS_RUN)
    ack = gadget_registry_abort (f->registry, NULL, gadget_run_get_id (f->run), GADGET_STOP_USER);
  else if (way == THE_CHAT)
    ack = gadget_registry_abort (f->registry, CHAT, NULL, GADGET_STOP_API);
  else
    ack = gadget_registry_abort_all (f->registry, GADGET_STOP_USER);
  g_assert_true (ack->aborted);
}

/* In the middle of the body: the server sees its connection end, and nothing is checked. */
static void
test_stop (Fixture *f, gconstpointer data)
{
  fake_reply_stall (begin_picture (f, "/slow.png"));
  start (f, "/slow.png", take);
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_STALL) == 1);
  test_run_for (20);
  stop (f, GPOINTER_TO_INT (data));
  wait_until (f->n_ended == 1);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->web.server, FETCH_SOON_MS));
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (gadget_run_is_aborted (f->run));
  g_assert_cmpint (g_atomic_int_get (&n_checks), ==, 0);
  test_run_for (50);
  g_assert_cmpuint (f->n_ended, ==, 1);
}

/* Before anything was connected: no request at all. */
static void
test_stop_at_once (Fixture *f, gconstpointer data)
{
  fake_reply_close (begin_picture (f, "/a.png"));
  start (f, "/a.png", take);
  stop (f, THIS_RUN);
  wait_until (f->n_ended == 1);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  fetch_assert_not_contacted (&f->web);
}

/* An answer to what the user no longer wants is none. */
static void
test_stop_too_late (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;

  fake_reply_close (begin_picture (f, "/a.png"));
  start (f, "/a.png", take);
  wait_until (f->n_ended == 1);
  ack = gadget_registry_abort_all (f->registry, GADGET_STOP_USER);
  g_assert_false (ack->aborted);
  g_assert_nonnull (f->data);
}

#define ADD(name, func, data)                                                                      \
  g_test_add ("/engine/picture-loading/" name, Fixture, data, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("whole", test_whole, NULL);
  ADD ("refused", test_refused, NULL);
  ADD ("busy", test_busy, NULL);
  ADD ("elsewhere", test_elsewhere, NULL);
  ADD ("stop-run", test_stop, GINT_TO_POINTER (THIS_RUN));
  ADD ("stop-chat", test_stop, GINT_TO_POINTER (THE_CHAT));
  ADD ("stop-everything", test_stop, GINT_TO_POINTER (EVERYTHING));
  ADD ("stop-at-once", test_stop_at_once, NULL);
  ADD ("stop-too-late", test_stop_too_late, NULL);
  return g_test_run ();
}
