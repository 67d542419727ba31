/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An abort after each byte of each recorded answer, for every dialect: what had come by then is
 * sealed as the turn loop does it, the user writes the next message, and a reader as strict as the
 * real server must accept the request that is made of it.
 *
 * After the bytes at which something happened the same is done where the server cut the answer
 * instead of the user, and where it is the second answer of a turn, after tools have run. */

#include "config.h"

#include "strict-body.h"

#include "agent/gadget-response-builder.h"
#include "providers/gadget-anthropic.h"
#include "providers/gadget-dialects.h"
#include "providers/gadget-gemini.h"
#include "providers/gadget-ollama.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-openai-responses.h"
#include "session/gadget-history.h"

#include <string.h>

/**
 * Row:
 * @dialect: its answers are all *.body of tests/data/KIND/
 * @first: an answer with reasoning and calls, whole, that the others follow
 */
typedef struct
{
  const GadgetDialect *dialect;
  const char *first;
} Row;

static const Row rows[] = {
  { &gadget_openai_chat_dialect, "calls-fragments" },
  { &gadget_anthropic_dialect, "thinking-text-calls" },
  { &gadget_openai_responses_dialect, "reasoning-text-calls" },
  { &gadget_ollama_dialect, "thinking-calls" },
  { &gadget_gemini_dialect, "thinking-calls" },
};

#define SOURCE "test/model"

typedef struct
{
  const Row *row;
  const StrictDialect *strict;
  char *path;  /* of the answer that is cut */
  char *first; /* (nullable): an answer before it */
  gsize first_length;
  GHashTable *issued; /* what both gave to send back */
} Case;

static void
free_case (gpointer data)
{
  Case *self = data;

  g_free (self->path);
  g_free (self->first);
  g_hash_table_unref (self->issued);
  g_free (self);
}

static void
take_cb (const GadgetChatEvent *event, gpointer user_data)
{
  _gadget_response_builder_take (user_data, event);
}

/* As GadgetHttpProvider feeds it. Returns whether the answer was whole. */
static gboolean
response (const Row *row, GadgetTurn *turn, guint step, const char *bytes, gsize length,
          gboolean aborted)
{
  g_autoptr (GadgetResponseBuilder) response =
      _gadget_response_builder_new (turn, step, SOURCE, 100);
  GadgetResponseParser *parser =
      gadget_response_parser_new (row->dialect->parser, take_cb, response);
  gboolean good = gadget_response_parser_feed (parser, bytes, length, NULL);
  GadgetUsage usage;
  gboolean used;

  if (good && (!aborted || gadget_response_parser_is_done (parser)))
    good = gadget_response_parser_end (parser, NULL);
  used = _gadget_response_builder_get_usage (response, good && !aborted, &usage);
  _gadget_response_builder_settle (response, good && !aborted, used ? &usage : NULL);
  gadget_response_parser_free (parser);
  return good;
}

/* Every second one failed. */
static void
run_calls (GadgetTurn *turn)
{
  guint n = 0;

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_kind (item) != GADGET_ITEM_TOOL_CALL)
        continue;
      gadget_item_set_result (item, "What came of it");
      gadget_item_set_status (item, n % 2 == 0 ? GADGET_ITEM_FINISHED : GADGET_ITEM_FAILED);
      n++;
    }
  g_assert_cmpuint (n, >, 1);
}

static void
add_turn (GadgetSession *session, const char *prompt)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (prompt, prompt);

  gadget_session_append (session, turn);
}

static void
check_request (const Case *self, GadgetSession *session, const char *source, guint plain, gsize cut)
{
  const GadgetModelSupport terms = { .plain = plain };
  g_autoptr (GadgetRequest) request = gadget_history_build (session, source);
  g_autoptr (GBytes) body = NULL;
  g_autofree char *reason = NULL;
  const char *text;
  gsize length;

  gadget_request_add_tool (request, "wait", "Waits.", "{\"type\":\"object\"}");
  request->system = g_strdup ("Be brief.");
  body = self->row->dialect->make_chat_body (request, "model", &terms);
  text = g_bytes_get_data (body, &length);
  reason = self->strict->check (text, length, self->issued);
  if (reason != NULL)
    g_error ("%s cut after %zu bytes: %s: %.*s", self->path, cut, reason, (int) length, text);
}

/* The abort came after @cut bytes, or (not @aborted) the server did not send more. @happened: the
 * last of them made a difference, so that it is worth a look at other requests too. */
static void
check_cut (const Case *self, const char *body, gsize cut, gboolean aborted, gboolean happened)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  GadgetTurn *turn;
  guint step = 0;
  gboolean good;

  add_turn (session, "Go");
  turn = gadget_session_get_turn (session, 0);
  if (self->first != NULL)
    {
      g_assert_true (response (self->row, turn, step++, self->first, self->first_length, FALSE));
      run_calls (turn);
      if (cut == 0)
        check_request (self, session, SOURCE, 0, cut);
    }

  good = response (self->row, turn, step, body, cut, aborted);
  gadget_turn_settle_items (turn, aborted);
  if (aborted)
    gadget_turn_abort (turn, GADGET_STOP_USER);
  else if (good)
    gadget_turn_finish (turn);
  else
    gadget_turn_fail (turn, "provider/cut", "cut");
  add_turn (session, "And now?");
  check_request (self, session, SOURCE, 0, cut);
  if (self->first != NULL || !happened)
    return;
  check_request (self, session, SOURCE, 1, cut);
  check_request (self, session, SOURCE, 2, cut);
  check_request (self, session, "other/model", 0, cut);
}

static void
count_cb (const GadgetChatEvent *event, gpointer user_data)
{
  (*(guint *) user_data)++;
}

/* (transfer full): for each number of bytes whether the last of them made a difference. */
static gboolean *
find_events (const Case *self, const char *body, gsize length)
{
  gboolean *happened = g_new0 (gboolean, length + 1);
  guint n_events = 0;
  GadgetResponseParser *parser =
      gadget_response_parser_new (self->row->dialect->parser, count_cb, &n_events);
  gboolean good = TRUE;

  happened[0] = happened[length] = TRUE;
  for (gsize i = 0; good && i < length && !gadget_response_parser_is_done (parser); i++)
    {
      const guint before = n_events;

      good = gadget_response_parser_feed (parser, body + i, 1, NULL);
      happened[i + 1] |= !good || n_events > before || gadget_response_parser_is_done (parser);
    }
  gadget_response_parser_free (parser);
  return happened;
}

static void
test_file (gconstpointer data)
{
  const Case *self = data;
  g_autofree char *body = NULL;
  g_autofree gboolean *happened = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (self->path, &body, &length, NULL));
  if (self->strict->collect != NULL)
    {
      self->strict->collect (body, length, self->issued);
      if (self->first != NULL)
        self->strict->collect (self->first, self->first_length, self->issued);
    }
  happened = find_events (self, body, length);
  for (gsize cut = 0; cut <= length; cut++)
    {
      if (self->first == NULL || happened[cut])
        check_cut (self, body, cut, TRUE, happened[cut]);
      if (happened[cut])
        check_cut (self, body, cut, FALSE, TRUE);
    }
}

static void
add_case (const Row *row, const char *folder, const char *name, gboolean second)
{
  g_autofree char *first = g_strdup_printf ("%s/%s.body", folder, row->first);
  g_autofree char *test =
      g_strdup_printf ("/engine/abort-bytes/%s/%s%.*s", row->dialect->kind.id,
                       second ? "second/" : "", (int) (strlen (name) - strlen (".body")), name);
  Case *self = g_new0 (Case, 1);

  self->row = row;
  self->strict = strict_find (row->dialect->kind.id);
  self->issued = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->path = g_build_filename (folder, name, NULL);
  if (second)
    g_assert_true (g_file_get_contents (first, &self->first, &self->first_length, NULL));
  g_test_add_data_func_full (test, self, test_file, free_case);
}

static void
add_row (const Row *row)
{
  g_autofree char *folder =
      g_test_build_filename (G_TEST_DIST, "data", row->dialect->kind.id, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".body"))
      {
        add_case (row, folder, name, FALSE);
        /* The server would not give the same reasoning twice. */
        if (!g_str_has_prefix (name, row->first))
          add_case (row, folder, name, TRUE);
        n++;
      }
  g_assert_cmpuint (n, >=, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* No dialect is left out. */
  g_assert_cmpuint (G_N_ELEMENTS (rows), ==, gadget_dialects_get_n ());
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    add_row (&rows[i]);
  return g_test_run ();
}
