/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-states.h"

#include "show-cards.h"
#include "show-turn.h"

GadgetSession *
show_conversation_new (void)
{
  GadgetSession *session = gadget_session_new ("conversation");
  GadgetTurn *turn = show_turn_add (
      session, "Cancelling a reply leaves the connection open. Find out why and fix it.", 60000);

  show_turn_add_call (turn, "read_file", "Read \u2068src/provider/stream.c\u2069 · 214 lines",
                      GADGET_ITEM_FINISHED, "static void\n");
  show_turn_add_call (turn, "shell", "Ran \u2068meson test stream\u2069 · 3.2 s",
                      GADGET_ITEM_FINISHED, "1/1 stream  OK  3.01s\n\nOk: 1\nFail: 0\n");
  show_turn_add_call (turn, "edit_file", "Changed \u2068src/provider/stream.c\u2069",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_text (
      turn, GADGET_ITEM_TEXT,
      "## Why the connection stayed open\n\n"
      "Cancelling only ended the read. The stream itself was still referenced by "
      "`ReadState`, so the socket lived until that was freed. It is now closed in two "
      "steps:\n\n"
      "- wait until the pending read has returned;\n"
      "- close with a `NULL` cancellable, then drop the reference.\n\n"
      "```c\n"
      "static void\n"
      "on_read_cancelled (GObject *source, GAsyncResult *result, gpointer data)\n"
      "{\n"
      "  /* The read has returned; only now may the stream be closed. */\n"
      "  g_input_stream_close_async (data, 0, NULL, on_closed, NULL);\n"
      "}\n"
      "```\n",
      GADGET_ITEM_FINISHED);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);

  turn = show_turn_add (session, "Now add a test that fails if the socket stays open.", 6500);
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  show_turn_add_text (turn, GADGET_ITEM_REASONING,
                      "The test needs a server.\nIt must count connections.", GADGET_ITEM_FINISHED);
  show_turn_add_call (turn, "shell", "Running \u2068meson test --suite abort\u2069",
                      GADGET_ITEM_RUNNING, "ninja: Entering directory\n");
  show_turn_add_text (
      turn, GADGET_ITEM_TEXT,
      "The test starts a server that counts open connections, cancels after the first token "
      "and expects the count to reach zero within 100 ms. It listens on a free port, so it "
      "can",
      GADGET_ITEM_STREAMING);
  return session;
}

GadgetSession *
show_aborted_new (void)
{
  GadgetSession *session = gadget_session_new ("aborted");
  GadgetTurn *turn =
      show_turn_add (session, "Now add a test that fails if the socket stays open.", 9000);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "meson test");

  show_turn_add_call (turn, "edit_file", "Changed \u2068tests/test-abort.c\u2069",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_call (turn, "shell",
                      "Ran \u2068meson test --suite abort\u2069 · interrupted after 6 s",
                      GADGET_ITEM_ABORTED, "ninja: Entering directory\n1/3 abort  RUNNING\n");
  gadget_item_set_result (gadget_turn_get_item (turn, 1), "Interrupted by user");
  show_turn_add_text (
      turn, GADGET_ITEM_TEXT,
      "The test starts a server that counts open connections, cancels after the first token "
      "and expects the count to reach zero within 100 ms. It listens on a free port, so it "
      "can",
      GADGET_ITEM_ABORTED);
  gadget_receipt_mark_abort (receipt);
  g_usleep (3000);
  gadget_receipt_end (receipt, connection, "closed", 0);
  g_usleep (9000);
  gadget_receipt_end (receipt, process, "ended", 3);
  gadget_receipt_mark_settled (receipt);
  show_turn_end (turn, GADGET_TURN_ABORTED, GADGET_STOP_USER, 640, 9);
  return session;
}

/* What comes between prompt and answer: a summary, words of the user, limits. */
static GadgetSession *
make_between (gboolean asks)
{
  GadgetSession *session = gadget_session_new ("between");
  GadgetTurn *turn =
      show_turn_add (session, "Now add a test that fails if the socket stays open.", 9000);
  const char *choices[] = { "Continue Without This Limit", "Raise the Limit by 20 Steps", "Stop",
                            NULL };
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_question ("This turn has reached its limit: 20 steps.", choices, FALSE);
  GadgetItem *note;

  show_turn_add_text (turn, GADGET_ITEM_SUMMARY, "The user wants streams to be closed at once.",
                      GADGET_ITEM_FINISHED);
  show_turn_add_call (turn, "shell", "Ran \u2068meson test --suite abort\u2069 · 3.2 s",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_text (turn, GADGET_ITEM_STEER, "Leave the other tests alone.",
                      GADGET_ITEM_FINISHED);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "Then I add it in a file of its own.",
                      GADGET_ITEM_FINISHED);
  if (asks)
    {
      note =
          show_turn_add_text (turn, GADGET_ITEM_NOTE, "This turn has reached its limit: 20 steps.",
                              GADGET_ITEM_FINISHED);
      gadget_item_set_prompt (note, prompt);
      gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
      return session;
    }
  gadget_turn_set_limit (turn, "limit/steps", "20");
  gadget_turn_abort (turn, GADGET_STOP_BUDGET);
  return session;
}

GadgetSession *
show_limited_new (void)
{
  return make_between (FALSE);
}

GadgetSession *
show_limit_asking_new (void)
{
  return make_between (TRUE);
}

GadgetSession *
show_failed_new (void)
{
  GadgetSession *session = gadget_session_new ("failed");
  GadgetTurn *turn = show_turn_add (session, "Go on.", 4000);

  show_turn_end (turn, GADGET_TURN_ERROR, GADGET_STOP_NONE, 0, 4);
  turn = show_turn_add (session, "And then it was closed.", 4000);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "The half of an ans", GADGET_ITEM_ABORTED);
  show_turn_end (turn, GADGET_TURN_ABORTED, GADGET_STOP_INTERRUPTED, 0, 4);
  turn = show_turn_add (session, "What if the disk is full?", 4000);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "Then it says so.", GADGET_ITEM_FINISHED);
  show_turn_add_text (turn, GADGET_ITEM_NOTE, "The model was changed to llama3:8b.",
                      GADGET_ITEM_FINISHED);
  gadget_turn_set_saved (turn, FALSE);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 12, 4);
  return session;
}

static GadgetSession *
make_cards (const char *id, const char *prompt, GadgetPrompt *(*const *cards) (void), guint n)
{
  GadgetSession *session = gadget_session_new (id);
  GadgetTurn *turn = show_turn_add (session, prompt, 12000);

  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetPrompt) card = cards[i]();
      const char *tool = gadget_prompt_get_tool (card);

      gadget_item_set_prompt (show_turn_add_call (turn, tool != NULL ? tool : "ask_user", "Asking",
                                                  GADGET_ITEM_PENDING, NULL),
                              card);
    }
  return session;
}

GadgetSession *
show_asking_new (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_model, show_card_command,
                                                   show_card_server };

  return make_cards ("asking", "Now add a test that fails if the socket stays open.", cards,
                     G_N_ELEMENTS (cards));
}

GadgetSession *
show_permissions_new (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_network, show_card_change,
                                                   show_card_new_file, show_card_mcp };

  return make_cards ("permissions", "Which libsoup release changed this? File what you find.",
                     cards, G_N_ELEMENTS (cards));
}

GadgetSession *
show_permissions_rare_new (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_secret, show_card_owner,
                                                   show_card_long };

  return make_cards ("permissions-rare", "Look at my key.", cards, G_N_ELEMENTS (cards));
}

GadgetSession *
show_stubborn_new (void)
{
  GadgetSession *session = gadget_session_new ("stubborn");
  GadgetTurn *turn = show_turn_add (session, "Search everything.", 8000);
  GadgetItem *item;

  show_turn_add_text (
      turn, GADGET_ITEM_REASONING,
      "First I look at the folder.\nThen at each file, one after the other, which takes",
      GADGET_ITEM_STREAMING);
  item =
      show_turn_add_call (turn, "search", "Searching \u2068src\u2069", GADGET_ITEM_RUNNING, NULL);
  gadget_item_set_unresponsive (item, TRUE);
  gadget_turn_set_phase (turn, GADGET_PHASE_ABORTING);
  return session;
}

/* A call of the tool "task", with what its subagent did: @path is the file that it read. */
static GadgetTurn *
add_subagent (GadgetTurn *turn, const char *title, const char *path, GadgetItemStatus status)
{
  g_autoptr (GadgetSession) child = gadget_session_new (title);
  GadgetTurn *work = show_turn_add (child, title, 8000);
  GadgetItem *item = show_turn_add_call (turn, "task", title, status, NULL);
  g_autofree char *summary = g_strdup_printf ("Read \u2068%s\u2069 · 214 lines", path);

  gadget_turn_set_phase (work, GADGET_PHASE_TOOLS);
  gadget_item_set_child_ids (item, title, gadget_turn_get_id (work));
  gadget_item_set_child (item, child);
  show_turn_add_text (work, GADGET_ITEM_REASONING, "First the sources.", GADGET_ITEM_FINISHED);
  show_turn_add_call (work, "read_file", summary, GADGET_ITEM_FINISHED, "static void\n");
  return work;
}

GadgetSession *
show_subagents_new (void)
{
  GadgetSession *session = gadget_session_new ("subagents");
  GadgetTurn *turn =
      show_turn_add (session, "Look into both folders, and tell me what differs.", 12000);
  GadgetTurn *first, *second;

  gadget_turn_set_phase (turn, GADGET_PHASE_TOOLS);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "I let two subagents look at the same time.",
                      GADGET_ITEM_FINISHED);
  first = add_subagent (turn, "Read the sources", "src/provider/stream.c", GADGET_ITEM_RUNNING);
  second = add_subagent (first, "Count the tests", "tests/meson.build", GADGET_ITEM_RUNNING);
  show_turn_add_call (second, "shell", "Running \u2068meson test --list\u2069", GADGET_ITEM_RUNNING,
                      "abort\nstream\n");
  second = add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_RUNNING);
  show_turn_add_text (
      second, GADGET_ITEM_TEXT,
      "There are three folders of tests. The largest of them is about streams that are cut",
      GADGET_ITEM_STREAMING);
  return session;
}

GadgetSession *
show_subagents_stopped_new (void)
{
  GadgetSession *session = gadget_session_new ("subagents-stopped");
  GadgetTurn *turn =
      show_turn_add (session, "Look into both folders, and tell me what differs.", 12000);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  guint first = gadget_receipt_begin (receipt, GADGET_RECEIPT_SUBAGENT, "Read the sources");
  guint second = gadget_receipt_begin (receipt, GADGET_RECEIPT_SUBAGENT, "Read the tests");
  GadgetTurn *work;

  show_turn_add_text (turn, GADGET_ITEM_TEXT, "I let two subagents look at the same time.",
                      GADGET_ITEM_FINISHED);
  work = add_subagent (turn, "Read the sources", "src/provider/stream.c", GADGET_ITEM_FINISHED);
  show_turn_add_text (work, GADGET_ITEM_TEXT, "The stream is closed in two steps.",
                      GADGET_ITEM_FINISHED);
  show_turn_end (work, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 310, 3);
  gadget_item_set_ended_at (gadget_turn_get_item (turn, 1),
                            gadget_item_get_started_at (gadget_turn_get_item (turn, 1)) + 3100);
  work = add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_ABORTED);
  show_turn_add_call (work, "shell", "Ran \u2068meson test --list\u2069 · interrupted after 6 s",
                      GADGET_ITEM_ABORTED, "abort\nstream\n");
  gadget_item_set_result (gadget_turn_get_item (work, 2), "Interrupted by user");
  show_turn_add_text (work, GADGET_ITEM_TEXT, "There are three folders of te", GADGET_ITEM_ABORTED);
  show_turn_end (work, GADGET_TURN_ABORTED, GADGET_STOP_USER, 95, 8);
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, first, "ended", 0);
  g_usleep (4000);
  gadget_receipt_end (receipt, second, "ended", 0);
  gadget_receipt_mark_settled (receipt);
  show_turn_end (turn, GADGET_TURN_ABORTED, GADGET_STOP_USER, 640, 9);
  return session;
}

/* A subagent's question stands in the open, whatever is folded. */
GadgetSession *
show_subagent_asking_new (void)
{
  GadgetSession *session = gadget_session_new ("subagent-asking");
  GadgetTurn *turn =
      show_turn_add (session, "Look into both folders, and tell me what differs.", 12000);
  g_autoptr (GadgetPrompt) permission = show_card_command ();
  GadgetTurn *work =
      add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_RUNNING);

  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  gadget_item_set_prompt (show_turn_add_call (work, "shell", "Run", GADGET_ITEM_PENDING, NULL),
                          permission);
  gadget_item_set_asking (gadget_turn_get_item (turn, 0), TRUE);
  return session;
}
