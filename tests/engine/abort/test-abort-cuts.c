/* SPDX-License-Identifier: GPL-3.0-or-later */

/* H1, from end to end: an abort wherever the answer of a real connection was cut, and then a new
 * message, whose request a reader as strict as the real server must accept. The answer has
 * thinking, text and several calls. It is cut after each of its events and one byte before, and at
 * 200 more places; with "-m slow" after every byte.
 *
 * The places are drawn from a seed, which is printed, and can be set: GADGET_CUTS_SEED=1234.
 * ../test-abort-bytes.c does the same without the engine around, after every byte. */

#include "config.h"

#include "abort-fixture.h"
#include "strict-body.h"
#include "wait.h"

#include "common/gadget-tokens.h"
#include "providers/gadget-dialects.h"

#include <string.h>

#define N_RANDOM 200

typedef struct
{
  AbortFixture f;
  const GadgetDialect *dialect;
  const StrictDialect *strict;
  GHashTable *issued; /* what the answer gave to send back */
  char *body;
  gsize length;
  guint n_cuts;
  guint n_checked; /* requests */
} Cuts;

static void
set_up (Cuts *self, gconstpointer data)
{
  g_autofree char *path = NULL;

  self->dialect = data;
  self->strict = strict_find (self->dialect->kind.id);
  self->issued = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  path =
      g_test_build_filename (G_TEST_DIST, "data", self->dialect->kind.id, "everything.body", NULL);
  g_assert_true (g_file_get_contents (path, &self->body, &self->length, NULL));
  if (self->strict->collect != NULL)
    self->strict->collect (self->body, self->length, self->issued);
  abort_set_up (&self->f, FAKE_SERVER_PLAIN, fake_dialect_find (self->dialect->kind.id));
}

static void
tear_down (Cuts *self, gconstpointer data)
{
  abort_tear_down (&self->f);
  g_hash_table_unref (self->issued);
  g_free (self->body);
}

/* --- Where --------------------------------------------------------------------------------------
 */

static guint32
choose_seed (void)
{
  const char *set = g_getenv ("GADGET_CUTS_SEED");

  return set != NULL ? (guint32) g_ascii_strtoull (set, NULL, 10) : (guint32) g_test_rand_int ();
}

/* Events end in an empty line, or, in JSON that comes by lines, in the end of one. */
static gboolean
is_boundary (const Cuts *self, gsize length)
{
  const char *end = self->body + length;

  if (strstr (self->f.dialect->content_type, "ndjson") != NULL)
    return length >= 1 && end[-1] == '\n';
  return length >= 2 && end[-1] == '\n' && end[-2] == '\n';
}

/* (transfer full): for each number of bytes whether the answer is cut after them. */
static gboolean *
choose_places (const Cuts *self)
{
  gboolean *chosen = g_new0 (gboolean, self->length + 1);
  const guint32 seed = choose_seed ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint n_events = 0;
  gsize n_left;

  chosen[0] = TRUE;
  for (gsize i = 1; i <= self->length; i++)
    if (g_test_slow ())
      chosen[i] = TRUE;
    else if (is_boundary (self, i))
      {
        chosen[i] = chosen[i - 1] = TRUE;
        n_events++;
      }
  n_left = 0;
  for (gsize i = 0; i <= self->length; i++)
    n_left += !chosen[i];
  for (gsize n = MIN (N_RANDOM, n_left); n > 0;)
    {
      const gsize place = (gsize) g_rand_int_range (random, 0, (gint32) self->length + 1);

      n -= !chosen[place];
      chosen[place] = TRUE;
    }
  g_test_message ("%u events, seed %u (GADGET_CUTS_SEED)", n_events, seed);
  return chosen;
}

/* --- What is expected ---------------------------------------------------------------------------
 */

typedef struct
{
  GString *text;
  GString *reasoning;
  guint n_calls;
  gboolean done; /* the answer said that it is complete */
} Content;

static Content
content_new (void)
{
  return (Content) { g_string_new (NULL), g_string_new (NULL), 0, FALSE };
}

static void
content_clear (Content *content)
{
  g_string_free (content->text, TRUE);
  g_string_free (content->reasoning, TRUE);
}

static void
take_cb (const GadgetChatEvent *event, gpointer user_data)
{
  Content *content = user_data;

  if (event->type == GADGET_CHAT_TEXT)
    g_string_append (content->text, event->text);
  else if (event->type == GADGET_CHAT_REASONING)
    g_string_append (content->reasoning, event->text);
  else if (event->type == GADGET_CHAT_CALL_BEGIN)
    content->n_calls++;
}

static Content
read_prefix (const Cuts *self, gsize cut)
{
  Content content = content_new ();
  GadgetResponseParser *parser =
      gadget_response_parser_new (self->dialect->parser, take_cb, &content);

  g_assert_true (gadget_response_parser_feed (parser, self->body, cut, NULL));
  content.done = gadget_response_parser_is_done (parser);
  if (content.done)
    g_assert_true (gadget_response_parser_end (parser, NULL));
  gadget_response_parser_free (parser);
  return content;
}

static Content
read_turn (GadgetTurn *turn)
{
  Content content = content_new ();

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT)
        g_string_append (content.text, gadget_item_get_text (item));
      else if (gadget_item_get_kind (item) == GADGET_ITEM_REASONING)
        g_string_append (content.reasoning, gadget_item_get_text (item));
      else if (gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL)
        content.n_calls++;
    }
  return content;
}

static gboolean
is_same (const Content *a, const Content *b)
{
  return g_string_equal (a->text, b->text) && g_string_equal (a->reasoning, b->reasoning)
         && a->n_calls == b->n_calls;
}

/* Whether all that the server sent has come to the turn, and no more. */
static gboolean
has_come (const Cuts *self, const Content *expected)
{
  Content found = read_turn (self->f.turn);
  const gboolean same = is_same (&found, expected);

  content_clear (&found);
  return same;
}

/* --- The test -----------------------------------------------------------------------------------
 */

static void
script_prefix (const Cuts *self, gsize cut)
{
  FakeReply *reply = fake_server_add_reply (self->f.server);
  g_autofree char *prefix = g_strndup (self->body, cut);

  fake_reply_head (reply, 200, self->f.dialect->content_type, NULL);
  if (cut > 0)
    fake_reply_chunk (reply, prefix);
  fake_reply_stall (reply);
}

static void
script_next (const Cuts *self)
{
  FakeReply *reply = fake_server_add_reply (self->f.server);

  fake_reply_when (reply, "and now?");
  fake_dialect_begin_text (self->f.dialect, reply);
  fake_dialect_text (self->f.dialect, reply, "Fine.");
  fake_dialect_end_text (self->f.dialect, reply);
}

static void
check_requests (Cuts *self, gsize cut)
{
  const guint n = fake_server_get_n_requests (self->f.server);

  for (; self->n_checked < n; self->n_checked++)
    {
      const FakeRequest *request = fake_server_get_request (self->f.server, self->n_checked);
      g_autofree char *reason = NULL;

      if (g_str_equal (request->method, "GET"))
        continue;
      reason = self->strict->check (request->body, strlen (request->body), self->issued);
      if (reason != NULL)
        g_error ("cut after %zu bytes: %s: %s", cut, reason, request->body);
    }
}

/* A stream begins with counts that are no more than placeholders: what was shown counts. */
static void
assert_usage (GadgetTurn *turn, const Content *content)
{
  const GadgetUsage *usage = gadget_turn_get_usage (turn);
  const gsize weight =
      gadget_tokens_weigh (content->text->str) + gadget_tokens_weigh (content->reasoning->str);

  if (content->done || weight == 0)
    return;
  g_assert_true (usage->estimated);
  g_assert_cmpint (usage->output_tokens, >=, gadget_tokens_from_weight (weight));
  g_assert_cmpint (usage->input_tokens, >, 0);
}

static void
check_cut (Cuts *self, gsize cut)
{
  AbortFixture *f = &self->f;
  Content expected = read_prefix (self, cut);

  script_prefix (self, cut);
  abort_new_session (f);
  abort_start (f, "go", GADGET_APPROVAL_AUTO);
  wait_until (fake_server_count (f->server, FAKE_EVENT_STALL) == self->n_cuts + 1);
  wait_until (has_come (self, &expected));
  wait_idle ();
  abort_press (f);
  abort_assert_settled (f);
  g_assert_cmpuint (f->n_completed, ==, 2 * self->n_cuts + 1);
  g_assert_true (has_come (self, &expected)); /* I3 */
  assert_usage (f->turn, &expected);
  content_clear (&expected);

  abort_start (f, "and now?", GADGET_APPROVAL_AUTO);
  wait_until (f->n_completed == 2 * self->n_cuts + 2);
  g_assert_cmpint (gadget_turn_get_status (f->turn), ==, GADGET_TURN_FINISHED);
  self->n_cuts++;
  g_assert_cmpuint (fake_server_count_chats (f->server), ==, 2 * self->n_cuts); /* I2 */
  check_requests (self, cut);                                                   /* I4 */
}

static void
test_cuts (Cuts *self, gconstpointer data)
{
  g_autofree gboolean *chosen = choose_places (self);

  script_next (self);
  for (gsize cut = 0; cut <= self->length; cut++)
    if (chosen[cut])
      check_cut (self, cut);
  g_test_message ("%u cuts of %zu bytes", self->n_cuts, self->length);
  g_assert_cmpuint (self->n_cuts, >=, N_RANDOM + 2 * 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < gadget_dialects_get_n (); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/abort/H1-cuts/%s", gadget_dialects_get (i)->kind.id);

      g_test_add (path, Cuts, gadget_dialects_get (i), set_up, test_cuts, tear_down);
    }
  return g_test_run ();
}
