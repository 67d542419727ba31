/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of the transcript in its states, to be looked at: show-transcript DIR [PART-OF-NAME], on
 * a display. "./dev screenshots" calls it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "show-cards.h"
#include "show-code.h"
#include "show-markdown.h"
#include "show-remote.h"

#include "common/gadget-clock.h"
#include "ui/code/gadget-code-block.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/ask/gadget-ask-body.h"
#include "ui/transcript/rows/diff/gadget-diff-view.h"

#include <adwaita.h>

#define N_CONTRAST 2

static GadgetTurn *
add_turn (GadgetSession *session, const char *prompt, gint64 started_ago)
{
  g_autofree char *id = g_strdup_printf ("turn-%u", gadget_session_get_n_turns (session));
  GadgetTurn *turn = gadget_turn_new (id, prompt);
  const GadgetTurnRecord record = {
    .status = GADGET_TURN_PROCESSING,
    .started_at = gadget_clock_wall_ms () - started_ago,
  };

  gadget_turn_restore (turn, &record);
  gadget_turn_set_model (turn, "ollama", "qwen3:14b");
  gadget_session_append (session, turn);
  g_object_unref (turn);
  return turn;
}

static GadgetItem *
add_text (GadgetTurn *turn, GadgetItemKind kind, const char *text, GadgetItemStatus status)
{
  GadgetItem *item = gadget_item_new (kind);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_started_at (item, 1000);
  gadget_item_set_ended_at (item, 9500);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *name, const char *summary, GadgetItemStatus status,
          const char *output)
{
  GadgetItem *item = gadget_item_new_tool_call (name, name);
  const char *arguments = g_str_equal (name, "shell")  ? "{\"command\": \"meson test stream\"}"
                          : g_str_equal (name, "task") ? "{\"prompt\": \"Read all of it.\"}"
                                                       : "{\"path\": \"tests/test-abort.c\"}";

  /* Each in a step of its own, unless a state says otherwise. */
  gadget_item_set_step (item, gadget_turn_get_n_items (turn));
  gadget_item_append_arguments (item, arguments);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL));
  gadget_item_set_started_at (item, gadget_clock_wall_ms () - 6300);
  if (output != NULL)
    gadget_item_append_text (item, output, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static void
end (GadgetTurn *turn, GadgetTurnStatus status, GadgetStopReason reason, gint64 tokens,
     gint64 seconds)
{
  const gint64 started = gadget_turn_get_started_at (turn);
  GadgetTurnRecord record = {
    .status = status,
    .stop_reason = reason,
    .started_at = started,
    .ended_at = started + seconds * 1000,
    .usage = { .output_tokens = tokens },
  };

  if (status == GADGET_TURN_ERROR)
    {
      record.error_code = "provider/unreachable";
      record.error_detail = "connect 127.0.0.1:11434: Connection refused\n3 attempts in 4.1 s";
    }
  gadget_turn_restore (turn, &record);
}

static GadgetSession *
make_conversation (void)
{
  GadgetSession *session = gadget_session_new ("conversation");
  GadgetTurn *turn = add_turn (
      session, "Cancelling a reply leaves the connection open. Find out why and fix it.", 60000);

  add_call (turn, "read_file", "Read \u2068src/provider/stream.c\u2069 · 214 lines",
            GADGET_ITEM_FINISHED, "static void\n");
  add_call (turn, "shell", "Ran \u2068meson test stream\u2069 · 3.2 s", GADGET_ITEM_FINISHED,
            "1/1 stream  OK  3.01s\n\nOk: 1\nFail: 0\n");
  add_call (turn, "edit_file", "Changed \u2068src/provider/stream.c\u2069", GADGET_ITEM_FINISHED,
            NULL);
  add_text (turn, GADGET_ITEM_TEXT,
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
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);

  turn = add_turn (session, "Now add a test that fails if the socket stays open.", 6500);
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  add_text (turn, GADGET_ITEM_REASONING, "The test needs a server.\nIt must count connections.",
            GADGET_ITEM_FINISHED);
  add_call (turn, "shell", "Running \u2068meson test --suite abort\u2069", GADGET_ITEM_RUNNING,
            "ninja: Entering directory\n");
  add_text (turn, GADGET_ITEM_TEXT,
            "The test starts a server that counts open connections, cancels after the first token "
            "and expects the count to reach zero within 100 ms. It listens on a free port, so it "
            "can",
            GADGET_ITEM_STREAMING);
  return session;
}

static GadgetSession *
make_aborted (void)
{
  GadgetSession *session = gadget_session_new ("aborted");
  GadgetTurn *turn =
      add_turn (session, "Now add a test that fails if the socket stays open.", 9000);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "meson test");

  add_call (turn, "edit_file", "Changed \u2068tests/test-abort.c\u2069", GADGET_ITEM_FINISHED,
            NULL);
  add_call (turn, "shell", "Ran \u2068meson test --suite abort\u2069 · interrupted after 6 s",
            GADGET_ITEM_ABORTED, "ninja: Entering directory\n1/3 abort  RUNNING\n");
  gadget_item_set_result (gadget_turn_get_item (turn, 1), "Interrupted by user");
  add_text (turn, GADGET_ITEM_TEXT,
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
  end (turn, GADGET_TURN_ABORTED, GADGET_STOP_USER, 640, 9);
  return session;
}

/* What comes between prompt and answer: a summary, words of the user, limits. */
static GadgetSession *
make_between (gboolean asks)
{
  GadgetSession *session = gadget_session_new ("between");
  GadgetTurn *turn =
      add_turn (session, "Now add a test that fails if the socket stays open.", 9000);
  const char *choices[] = { "Continue Without This Limit", "Raise the Limit by 20 Steps", "Stop",
                            NULL };
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_question ("This turn has reached its limit: 20 steps.", choices, FALSE);
  GadgetItem *note;

  add_text (turn, GADGET_ITEM_SUMMARY, "The user wants streams to be closed at once.",
            GADGET_ITEM_FINISHED);
  add_call (turn, "shell", "Ran \u2068meson test --suite abort\u2069 · 3.2 s", GADGET_ITEM_FINISHED,
            NULL);
  add_text (turn, GADGET_ITEM_STEER, "Leave the other tests alone.", GADGET_ITEM_FINISHED);
  add_text (turn, GADGET_ITEM_TEXT, "Then I add it in a file of its own.", GADGET_ITEM_FINISHED);
  if (asks)
    {
      note = add_text (turn, GADGET_ITEM_NOTE, "This turn has reached its limit: 20 steps.",
                       GADGET_ITEM_FINISHED);
      gadget_item_set_prompt (note, prompt);
      gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
      return session;
    }
  gadget_turn_set_limit (turn, "limit/steps", "20");
  gadget_turn_abort (turn, GADGET_STOP_BUDGET);
  return session;
}

static GadgetSession *
make_limited (void)
{
  return make_between (FALSE);
}

static GadgetSession *
make_limit_asking (void)
{
  return make_between (TRUE);
}

static GadgetSession *
make_failed (void)
{
  GadgetSession *session = gadget_session_new ("failed");
  GadgetTurn *turn = add_turn (session, "Go on.", 4000);

  end (turn, GADGET_TURN_ERROR, GADGET_STOP_NONE, 0, 4);
  turn = add_turn (session, "And then it was closed.", 4000);
  add_text (turn, GADGET_ITEM_TEXT, "The half of an ans", GADGET_ITEM_ABORTED);
  end (turn, GADGET_TURN_ABORTED, GADGET_STOP_INTERRUPTED, 0, 4);
  turn = add_turn (session, "What if the disk is full?", 4000);
  add_text (turn, GADGET_ITEM_TEXT, "Then it says so.", GADGET_ITEM_FINISHED);
  add_text (turn, GADGET_ITEM_NOTE, "The model was changed to llama3:8b.", GADGET_ITEM_FINISHED);
  gadget_turn_set_saved (turn, FALSE);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 12, 4);
  return session;
}

static GadgetSession *
make_cards (const char *id, const char *prompt, GadgetPrompt *(*const *cards) (void), guint n)
{
  GadgetSession *session = gadget_session_new (id);
  GadgetTurn *turn = add_turn (session, prompt, 12000);

  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetPrompt) card = cards[i]();
      const char *tool = gadget_prompt_get_tool (card);

      gadget_item_set_prompt (
          add_call (turn, tool != NULL ? tool : "ask_user", "Asking", GADGET_ITEM_PENDING, NULL),
          card);
    }
  return session;
}

static GadgetSession *
make_asking (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_model, show_card_command,
                                                   show_card_server };

  return make_cards ("asking", "Now add a test that fails if the socket stays open.", cards,
                     G_N_ELEMENTS (cards));
}

static GadgetSession *
make_stubborn (void)
{
  GadgetSession *session = gadget_session_new ("stubborn");
  GadgetTurn *turn = add_turn (session, "Search everything.", 8000);
  GadgetItem *item;

  add_text (turn, GADGET_ITEM_REASONING,
            "First I look at the folder.\nThen at each file, one after the other, which takes",
            GADGET_ITEM_STREAMING);
  item = add_call (turn, "search", "Searching \u2068src\u2069", GADGET_ITEM_RUNNING, NULL);
  gadget_item_set_unresponsive (item, TRUE);
  gadget_turn_set_phase (turn, GADGET_PHASE_ABORTING);
  return session;
}

/* A call of the tool "task", with what its subagent did: @path is the file that it read. */
static GadgetTurn *
add_subagent (GadgetTurn *turn, const char *title, const char *path, GadgetItemStatus status)
{
  g_autoptr (GadgetSession) child = gadget_session_new (title);
  GadgetTurn *work = add_turn (child, title, 8000);
  GadgetItem *item = add_call (turn, "task", title, status, NULL);
  g_autofree char *summary = g_strdup_printf ("Read \u2068%s\u2069 · 214 lines", path);

  gadget_turn_set_phase (work, GADGET_PHASE_TOOLS);
  gadget_item_set_child_ids (item, title, gadget_turn_get_id (work));
  gadget_item_set_child (item, child);
  add_text (work, GADGET_ITEM_REASONING, "First the sources.", GADGET_ITEM_FINISHED);
  add_call (work, "read_file", summary, GADGET_ITEM_FINISHED, "static void\n");
  return work;
}

static GadgetSession *
make_subagents (void)
{
  GadgetSession *session = gadget_session_new ("subagents");
  GadgetTurn *turn = add_turn (session, "Look into both folders, and tell me what differs.", 12000);
  GadgetTurn *first, *second;

  gadget_turn_set_phase (turn, GADGET_PHASE_TOOLS);
  add_text (turn, GADGET_ITEM_TEXT, "I let two subagents look at the same time.",
            GADGET_ITEM_FINISHED);
  first = add_subagent (turn, "Read the sources", "src/provider/stream.c", GADGET_ITEM_RUNNING);
  second = add_subagent (first, "Count the tests", "tests/meson.build", GADGET_ITEM_RUNNING);
  add_call (second, "shell", "Running \u2068meson test --list\u2069", GADGET_ITEM_RUNNING,
            "abort\nstream\n");
  second = add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_RUNNING);
  add_text (second, GADGET_ITEM_TEXT,
            "There are three folders of tests. The largest of them is about streams that are cut",
            GADGET_ITEM_STREAMING);
  return session;
}

static GadgetSession *
make_subagents_stopped (void)
{
  GadgetSession *session = gadget_session_new ("subagents-stopped");
  GadgetTurn *turn = add_turn (session, "Look into both folders, and tell me what differs.", 12000);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  guint first = gadget_receipt_begin (receipt, GADGET_RECEIPT_SUBAGENT, "Read the sources");
  guint second = gadget_receipt_begin (receipt, GADGET_RECEIPT_SUBAGENT, "Read the tests");
  GadgetTurn *work;

  add_text (turn, GADGET_ITEM_TEXT, "I let two subagents look at the same time.",
            GADGET_ITEM_FINISHED);
  work = add_subagent (turn, "Read the sources", "src/provider/stream.c", GADGET_ITEM_FINISHED);
  add_text (work, GADGET_ITEM_TEXT, "The stream is closed in two steps.", GADGET_ITEM_FINISHED);
  end (work, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 310, 3);
  gadget_item_set_ended_at (gadget_turn_get_item (turn, 1),
                            gadget_item_get_started_at (gadget_turn_get_item (turn, 1)) + 3100);
  work = add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_ABORTED);
  add_call (work, "shell", "Ran \u2068meson test --list\u2069 · interrupted after 6 s",
            GADGET_ITEM_ABORTED, "abort\nstream\n");
  gadget_item_set_result (gadget_turn_get_item (work, 2), "Interrupted by user");
  add_text (work, GADGET_ITEM_TEXT, "There are three folders of te", GADGET_ITEM_ABORTED);
  end (work, GADGET_TURN_ABORTED, GADGET_STOP_USER, 95, 8);
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, first, "ended", 0);
  g_usleep (4000);
  gadget_receipt_end (receipt, second, "ended", 0);
  gadget_receipt_mark_settled (receipt);
  end (turn, GADGET_TURN_ABORTED, GADGET_STOP_USER, 640, 9);
  return session;
}

/* A subagent's question stands in the open, whatever is folded. */
static GadgetSession *
make_subagent_asking (void)
{
  GadgetSession *session = gadget_session_new ("subagent-asking");
  GadgetTurn *turn = add_turn (session, "Look into both folders, and tell me what differs.", 12000);
  g_autoptr (GadgetPrompt) permission = show_card_command ();
  GadgetTurn *work =
      add_subagent (turn, "Read the tests", "tests/test-abort.c", GADGET_ITEM_RUNNING);

  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  gadget_item_set_prompt (add_call (work, "shell", "Run", GADGET_ITEM_PENDING, NULL), permission);
  gadget_item_set_asking (gadget_turn_get_item (turn, 0), TRUE);
  return session;
}

static char *
make_long_diff (void)
{
  GString *text = g_string_new ("--- tests/words.txt\n+++ tests/words.txt\n@@ -1,2 +1,60 @@\n");

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "+word %u\n", i);
  g_string_append (text, "-the only word\n");
  return g_string_free_and_steal (text);
}

/* The summary is the one of the tool: its file can be opened. */
static void
add_change (GadgetTurn *turn, const char *name, GadgetCallSummaryKind kind, const char *path,
            guint n_added, guint n_removed, const char *diff)
{
  GadgetItem *item = add_call (turn, name, path, GADGET_ITEM_FINISHED, diff);

  gadget_item_take_call_summary (
      item,
      gadget_call_summary_with_path (
          gadget_call_summary_new_with_numbers (kind, path, n_added, n_removed), "/home/u/file"));
}

/* Files that were changed: a few lines of one, among them a long one, and a new file. */
static GadgetSession *
make_changes (void)
{
  GadgetSession *session = gadget_session_new ("changes");
  GadgetTurn *turn =
      add_turn (session, "Close the socket, and say in the log that it was closed.", 60000);

  gadget_session_set_workspace (session, "/home/u/Projects/gadget");
  add_change (
      turn, "edit_file", GADGET_CALL_SUMMARY_EDITED, "src/provider/stream.c", 4, 1,
      "--- src/provider/stream.c\n+++ src/provider/stream.c\n"
      "@@ -96,7 +96,10 @@\n on_read_cancelled (GObject *source, GAsyncResult *result)\n {\n"
      "   GInputStream *stream = G_INPUT_STREAM (source);\n-  g_object_unref (stream);\n"
      "+  /* The read has returned; only now may the stream be closed. */\n"
      "+  g_input_stream_close_async (stream, G_PRIORITY_DEFAULT, NULL, on_closed, NULL);\n"
      "+  g_debug (\"closed after %u reads, of which %u were cancelled before a byte came\", "
      "n_reads, n_cancelled);\n+\n }\n \n");
  add_change (turn, "write_file", GADGET_CALL_SUMMARY_CREATED, "data/notes.txt", 2, 0,
              "--- /dev/null\n+++ data/notes.txt\n@@ -0,0 +1,2 @@\n+# Notes\n+naïve 函数\n"
              "\\ No newline at end of file\n");
  add_text (turn, GADGET_ITEM_TEXT, "The stream is closed when the read has returned.",
            GADGET_ITEM_FINISHED);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);
  return session;
}

static GadgetSession *
make_many_lines (void)
{
  GadgetSession *session = gadget_session_new ("many-lines");
  GadgetTurn *turn = add_turn (session, "Make a list of words.", 60000);
  g_autofree char *diff = make_long_diff ();

  gadget_session_set_workspace (session, "/home/u/Projects/gadget");
  add_change (turn, "write_file", GADGET_CALL_SUMMARY_WROTE, "tests/words.txt", 60, 1, diff);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);
  return session;
}

/* A picture that was drawn: a bright one, with edges that show how it was made smaller. */
static GadgetPicture *
draw_picture (const char *name, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) pixels = NULL;
  g_autoptr (GBytes) data = NULL;

  cairo_set_source_rgb (cr, 0.2, 0.5, 0.9);
  cairo_paint (cr);
  for (int i = 0; i < 12; i++)
    {
      cairo_set_source_rgb (cr, 1, 0.9 - i * 0.05, 0.3 + i * 0.04);
      cairo_arc (cr, width * (0.1 + i * 0.07), height * (0.8 - i * 0.05), height * 0.08, 0, 7);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = g_bytes_new (cairo_image_surface_get_data (surface),
                        (gsize) cairo_image_surface_get_stride (surface) * (gsize) height);
  texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, pixels,
                                    (gsize) cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  data = gdk_texture_save_to_png_bytes (texture);
  return gadget_picture_new (name, data, NULL);
}

static void
add_pictures (GadgetTurn *turn, const char *name, const char *summary, GadgetPicture *first,
              GadgetPicture *second)
{
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  GadgetItem *item = add_call (turn, name, summary, GADGET_ITEM_FINISHED, NULL);

  g_ptr_array_add (pictures, first);
  if (second != NULL)
    g_ptr_array_add (pictures, second);
  gadget_item_set_pictures (item, pictures);
}

/* Pictures of tools: large and small, and such as cannot be shown. */
static GadgetSession *
make_pictures (void)
{
  GadgetSession *session = gadget_session_new ("pictures");
  GadgetTurn *turn = add_turn (session, "What does the window look like now?", 60000);
  GadgetPicture *cut = gadget_picture_new_stored ("cut", "cut.png", "image/png", 300, 60, 100);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("\x89PNG\r\n\x1a\n", 8);

  gadget_picture_set_data (cut, nothing);
  add_pictures (turn, "read_file", "Read \u2068window.png\u2069 · 1600 × 700",
                draw_picture ("window.png", 1600, 700), NULL);
  add_pictures (turn, "render", "Used \u2068render\u2069", draw_picture (NULL, 48, 48), cut);
  add_pictures (turn, "read_file", "Read \u2068map.png\u2069 · 30000 × 30000",
                gadget_picture_new_stored ("map", "map.png", "image/png", 30000, 30000, 100), NULL);
  add_text (turn, GADGET_ITEM_TEXT, "It is blue, with a row of circles that rises to the right.",
            GADGET_ITEM_FINISHED);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 140, 4);
  return session;
}

static GadgetSession *
make_permissions (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_network, show_card_change,
                                                   show_card_new_file, show_card_mcp };

  return make_cards ("permissions", "Which libsoup release changed this? File what you find.",
                     cards, G_N_ELEMENTS (cards));
}

static GadgetSession *
make_permissions_rare (void)
{
  static GadgetPrompt *(*const cards[]) (void) = { show_card_secret, show_card_owner,
                                                   show_card_long };

  return make_cards ("permissions-rare", "Look at my key.", cards, G_N_ELEMENTS (cards));
}

/* Calls of one step: some that go on, and some that are done. */
static GadgetSession *
make_groups (void)
{
  GadgetSession *session = gadget_session_new ("groups");
  GadgetTurn *turn = add_turn (session, "Look at everything that has to do with streams.", 60000);

  add_call (turn, "search", "Searched \u2068stream_close\u2069 · 12 lines", GADGET_ITEM_FINISHED,
            NULL);
  add_call (turn, "read_file", "Read \u2068src/provider/stream.c\u2069 · 214 lines",
            GADGET_ITEM_FINISHED, NULL);
  add_call (turn, "edit_file", "Edited \u2068src/provider/stream.c\u2069 · +4 −1",
            GADGET_ITEM_FINISHED, NULL);
  add_call (turn, "shell", "Ran \u2068meson test stream\u2069 · failed, exit status 1",
            GADGET_ITEM_FAILED, "1/1 stream  FAIL\n");
  for (guint i = 0; i < 4; i++)
    gadget_item_set_step (gadget_turn_get_item (turn, i), 0);
  add_text (turn, GADGET_ITEM_TEXT, "One test fails. I look at the others.", GADGET_ITEM_FINISHED);
  add_call (turn, "read_file", "Read \u2068tests/test-stream.c\u2069 · 90 lines",
            GADGET_ITEM_FINISHED, NULL);
  add_call (turn, "shell", "Running \u2068meson test abort\u2069", GADGET_ITEM_RUNNING,
            "1/3 RUNNING\n");
  add_call (turn, "shell", "Running \u2068meson test store\u2069", GADGET_ITEM_RUNNING,
            "1/9 RUNNING\n");
  for (guint i = 5; i < 8; i++)
    gadget_item_set_step (gadget_turn_get_item (turn, i), 5);
  gadget_turn_set_phase (turn, GADGET_PHASE_TOOLS);
  return session;
}

/* What a program writes for a terminal. */
static GadgetSession *
make_colours (void)
{
  GadgetSession *session = gadget_session_new ("colours");
  GadgetTurn *turn = add_turn (session, "Run the tests once more.", 60000);
  GString *text =
      g_string_new ("ninja: 10 %\rninja: 100 %\n\033[1m1/3 abort  \033[32mOK\033[0m  0.31s\n"
                    "\033[1m2/3 stream \033[31mFAIL\033[0m  3.01s\n"
                    "\033[2mtests/test-stream.c:96\033[0m: \033[33mwarning:\033[0m "
                    "\033[4mthe socket\033[0m is \033[3mstill\033[0m open\n"
                    "\033[7m inverse \033[0m \033[30;43m black on yellow \033[0m "
                    "\033[37;44m white on blue \033[0m \033[9mgone\033[0m\n");

  for (guint i = 0; i < 16; i++)
    g_string_append_printf (text, "\033[%um%02u ", i < 8 ? 30 + i : 82 + i, i);
  g_string_append (text, "\033[0m\n");
  for (guint i = 0; i < 36; i++)
    g_string_append_printf (text, "\033[38;5;%um▮", 16 + i * 6);
  g_string_append (text, "\033[0m\n");
  for (guint i = 0; i < 48; i++)
    g_string_append_printf (text, "\033[38;2;%u;%u;%um▮", 255 - i * 5, i * 5, 128);
  g_string_append (text, "\033[0m\n");
  add_call (turn, "shell", "Ran \u2068meson test\u2069 · failed, exit status 1", GADGET_ITEM_FAILED,
            text->str);
  g_string_free (text, TRUE);
  add_text (turn, GADGET_ITEM_TEXT, "One of three fails.", GADGET_ITEM_FINISHED);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 140, 4);
  return session;
}

static void
nothing_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
}

/* What the window offers, so that the buttons can be pressed. */
static void
add_actions (GtkWidget *window)
{
  static const GActionEntry session_entries[] = {
    { .name = "branch", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "continue", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "copy-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "delete-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "edit-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "regenerate", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "edit-prompt", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "retry", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "stop-tool", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "stop-waiting", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "save-again", .activate = nothing_cb, .parameter_type = "s" }
  };
  static const GActionEntry window_entries[] = { { .name = "choose-model", .activate = nothing_cb },
                                                 { .name = "preferences",
                                                   .activate = nothing_cb } };
  g_autoptr (GSimpleActionGroup) session = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) win = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (session), session_entries,
                                   G_N_ELEMENTS (session_entries), NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (win), window_entries,
                                   G_N_ELEMENTS (window_entries), NULL);
  gtk_widget_insert_action_group (window, "session", G_ACTION_GROUP (session));
  gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (win));
}

static void
unfold_all (GadgetTranscript *transcript)
{
  GadgetTranscriptModel *model = transcript->model;

  /* What was unfolded stands below. */
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind != GADGET_ROW_KIND_FOOTER
        && gadget_transcript_model_get_row (model, i)->kind != GADGET_ROW_KIND_DIFF)
      gadget_transcript_model_set_expanded (model, i, TRUE);
}

static gboolean
stop_waiting_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* They are decoded one after the other. */
static void
wait_for_pictures (GadgetPictureLoader *loader)
{
  gboolean late = FALSE;

  g_timeout_add (5000, stop_waiting_cb, &late);
  while (gadget_picture_loader_is_busy (loader) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove_by_user_data (&late);
}

static gboolean
find_code (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (GADGET_IS_CODE_BLOCK (widget) || GADGET_IS_DIFF_VIEW (widget) || GADGET_IS_ASK_BODY (widget))
    return TRUE;
  while (child != NULL && !find_code (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL;
}

/* The rules of languages are read in a thread, the colours found out when there is time. */
static void
wait_for_colors (void)
{
  gboolean late = FALSE;

  g_timeout_add (700, stop_waiting_cb, &late);
  while (!late)
    g_main_context_iteration (NULL, TRUE);
}

typedef struct
{
  const char *name;
  gboolean dark;
  gboolean mirrored;
  int width;
  const char *font;
} Variant;

static void
show (GadgetSession *session, const Variant *variant, gboolean unfold, const char *file)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *transcript = gadget_transcript_new ();
  g_autoptr (GadgetPictureLoader) loader = gadget_picture_loader_new (NULL);
  GtkWidget *window;

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), transcript);
  gadget_transcript_set_pictures (GADGET_TRANSCRIPT (transcript), loader);
  show_remote_attach (GADGET_TRANSCRIPT (transcript));
  gadget_transcript_set_session (GADGET_TRANSCRIPT (transcript), session);
  gtk_widget_set_size_request (scrolled, variant->width, -1);
  window = gadget_test_window_new (scrolled, variant->width, 720);
  add_actions (window);
  if (unfold)
    unfold_all (GADGET_TRANSCRIPT (transcript));
  gadget_test_wait_frames (window, 4);
  show_remote_load (GADGET_TRANSCRIPT (transcript));
  gadget_test_wait_frames (window, 4);
  wait_for_pictures (loader);
  if (find_code (transcript))
    wait_for_colors ();
  gadget_test_shoot (window, file);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GadgetSession *(*make) (void);
  } states[] = { { "conversation", make_conversation },
                 { "markdown", show_markdown_new },
                 { "markdown-blocks", show_markdown_blocks_new },
                 { "markdown-words", show_markdown_words_new },
                 { "markdown-math", show_markdown_math_new },
                 { "code", show_code_new },
                 { "code-long", show_long_code_new },
                 { "changes", make_changes },
                 { "many-lines", make_many_lines },
                 { "pictures", make_pictures },
                 { "remote-pictures", show_remote_new },
                 { "permissions", make_permissions },
                 { "permissions-rare", make_permissions_rare },
                 { "groups", make_groups },
                 { "colours", make_colours },
                 { "aborted", make_aborted },
                 { "failed", make_failed },
                 { "limited", make_limited },
                 { "limit-asking", make_limit_asking },
                 { "asking", make_asking },
                 { "stubborn", make_stubborn },
                 { "subagents", make_subagents },
                 { "subagents-stopped", make_subagents_stopped },
                 { "subagent-asking", make_subagent_asking } };
  /* The first ones also in high contrast, if that is asked for; see libadwaita's debugging. */
  static const Variant variants[] = {
    { "light", FALSE, FALSE, 720, "Inter 11" },    { "dark", TRUE, FALSE, 720, "Inter 11" },
    { "narrow", FALSE, FALSE, 360, "Inter 11" },   { "rtl", FALSE, TRUE, 720, "Inter 11" },
    { "rtl-narrow", TRUE, TRUE, 360, "Inter 11" }, { "large", FALSE, FALSE, 720, "Inter 18" }
  };

  gboolean contrast;

  if (argc < 2 || !gtk_init_check ())
    return 2;
  gadget_test_ui_start ();
  contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  for (guint i = 0; i < (contrast ? N_CONTRAST : G_N_ELEMENTS (variants)); i++)
    {
      const Variant *variant = &variants[i];

      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          variant->dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                        : ADW_COLOR_SCHEME_FORCE_LIGHT);
      g_object_set (gtk_settings_get_default (), "gtk-font-name", variant->font, NULL);
      gtk_widget_set_default_direction (variant->mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      for (guint j = 0; j < G_N_ELEMENTS (states); j++)
        for (int open = 0; open < 2; open++)
          {
            g_autoptr (GadgetSession) session = states[j].make ();
            g_autofree char *file =
                g_strdup_printf ("%s/rows-%s%s-%s%s.png", argv[1], states[j].name,
                                 open ? "-open" : "", contrast ? "contrast-" : "", variant->name);

            if (argc == 2 || strstr (file, argv[2]) != NULL)
              show (session, variant, open != 0, file);
            show_remote_end ();
          }
    }
  return 0;
}
