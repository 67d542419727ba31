/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a model or a file says shows in the order that it has, wherever it is shown: nothing in it
 * turns what comes after it around. What is copied is what was there. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

#include "common/gadget-bidi.h"
#include "session/gadget-attachment.h"
#include "ui/pictures/gadget-attachment-chip.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-row.h"

#include <string.h>

/* The letters that come after it would be seen as "zyx", and "]" before them. */
#define TURNS "[\342\200\256xyz]"

typedef struct
{
  const char *name; /* of the text that is looked for */
  guint n;          /* how often it was seen */
} Search;

/* Where in the line the character at @index is. */
static int
get_x (PangoLayout *layout, const char *at)
{
  PangoRectangle where;

  pango_layout_index_to_pos (layout, (int) (at - pango_layout_get_text (layout)), &where);
  return MIN (where.x, where.x + where.width);
}

static void
check_layout (PangoLayout *layout, Search *search)
{
  const char *text = pango_layout_get_text (layout);
  const char *at = strstr (text, search->name);
  const char *end = at != NULL ? strstr (at, "xyz]") : NULL;

  if (end == NULL)
    return;
  search->n++;
  g_assert_cmpint (get_x (layout, at), <, get_x (layout, end));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (get_x (layout, end + i), <, get_x (layout, end + i + 1));
}

static void
check_plain (const char *text)
{
  if (text != NULL)
    g_assert_null (strstr (text, "\342\200\256"));
}

static gboolean
check_widget (GtkWidget *widget, gpointer user_data)
{
  if (GADGET_IS_SELECTABLE_TEXT (widget))
    check_layout (gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (widget)), user_data);
  else if (GTK_IS_LABEL (widget))
    check_layout (gtk_label_get_layout (GTK_LABEL (widget)), user_data);
  check_plain (gtk_widget_get_tooltip_text (widget));
  return FALSE;
}

/* All that is in sight: @n texts or more begin with @name. */
static void
check (GtkWidget *root, const char *name, guint n)
{
  Search search = { name, 0 };

  test_find (root, check_widget, &search);
  g_test_message ("%s: %u", name, search.n);
  g_assert_cmpuint (search.n, >=, n);
}

/* --- Transcript --- */

#define DIFF "--- a.c\n+++ a.c\n@@ -1 +1 @@\n-old\n+diff " TURNS "\n"

static void
append_text (GadgetTurn *turn, GadgetItemKind kind, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new (kind);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
}

static void
append_call (GadgetTurn *turn, const char *name, const char *arguments, const char *summary,
             const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (name, name);

  gadget_item_append_arguments (item, arguments);
  gadget_item_append_text (item, text, -1);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL));
  gadget_item_set_result (item, "Done.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
}

static void
open_rows (GadgetTranscript *transcript, GtkWidget *window)
{
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (transcript->model); i++)
    {
      const GadgetRowKind kind = gadget_transcript_model_get_row (transcript->model, i)->kind;
      GadgetRealizedRow *row = _gadget_transcript_get_realized (transcript, i);

      if (kind != GADGET_ROW_KIND_TOOL && kind != GADGET_ROW_KIND_REASONING)
        continue;
      gadget_row_set_expanded (row->widget, TRUE);
      gadget_test_wait_frames (window, 3);
    }
}

static void
test_transcript (void)
{
  static const char *const names[] = { "prompt", "reasoning", "answer", "code",  "edit",
                                       "diff",   "command",   "line",   "output" };
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn-1", "prompt " TURNS);
  g_autofree char *copied = NULL;
  GadgetTranscript *transcript;
  GtkWidget *window;

  append_text (turn, GADGET_ITEM_REASONING, "reasoning " TURNS);
  append_text (turn, GADGET_ITEM_TEXT, "answer " TURNS "\n\n```c\ncode " TURNS "\n```\n");
  append_call (turn, "edit_file", "{}", "Edited \u2068edit " TURNS "\u2069 · +1 −1", DIFF);
  append_text (turn, GADGET_ITEM_TEXT, "And then:");
  append_call (turn, "shell", "{\"command\":\"command " TURNS "\"}",
               "Ran \u2068line " TURNS "\u2069", "output " TURNS "\n");
  gadget_turn_finish (turn);
  gadget_session_append (session, turn);
  window = gadget_test_transcript_new (session, 720, 900, &transcript);
  gadget_test_wait_frames (window, 3);
  open_rows (transcript, window);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    check (window, names[i], 1);
  gadget_transcript_select_all (transcript);
  copied = gadget_transcript_dup_selection (transcript);
  g_assert_nonnull (strstr (copied, "prompt " TURNS));
  g_assert_nonnull (strstr (copied, "+diff " TURNS));
  g_assert_nonnull (strstr (copied, "reasoning " TURNS));

  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

/* --- Files --- */

static void
test_attachment (void)
{
  g_autoptr (GadgetAttachment) attachment =
      gadget_attachment_new_text ("name " TURNS, "preview " TURNS, 1);
  g_autofree char *preview = gadget_bidi_escape ("preview " TURNS);
  GtkWidget *chip = gadget_attachment_chip_new ("name " TURNS);
  GtkWidget *window = gadget_test_window_new (chip, 400, 100);

  check (window, "name", 1);
  gadget_attachment_chip_set_attachment (GADGET_ATTACHMENT_CHIP (chip), attachment, NULL);
  check (window, "name", 1);
  gtk_test_accessible_assert_property (chip, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, preview);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

/* --- Window --- */

#define TURNS_JSON "[\\u202exyz]"

static void
test_title (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, "hello");
  gadget_session_set_title (session, "title " TURNS);
  test_run_for (100);
  /* In the header, and in the list of chats. */
  check (GTK_WIDGET (self->window), "title", 2);
  check_plain (gtk_window_get_title (GTK_WINDOW (self->window)));
}

/* What the answer is stays what was offered. */
static void
test_question (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "call", "ask_user",
                      "{\"question\":\"question " TURNS_JSON "\",\"choices\":[\"choice " TURNS_JSON
                      "\",\"other\"]}");
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "other") != NULL);
  check (GTK_WIDGET (self->chat), "question", 1);
  check (GTK_WIDGET (self->chat), "choice", 1);
  test_key ("ctrl+j");
  test_run_for (100);
  test_key ("1");
  wait_until (fake_provider_is_waiting (self->provider)
              && fake_provider_get_n_requests (self->provider) == 2);
  g_assert_nonnull (strstr (
      gadget_item_get_result (gadget_turn_get_item (gadget_session_get_last_turn (session), 0)),
      "choice " TURNS));
}

/* The words of a command that is asked about are those that run. */
static void
test_permission (TestWindow *self, gconstpointer data)
{
  g_autofree char *folder = test_window_give_workspace (self);

  test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "call", "shell",
                      "{\"command\":\"echo command " TURNS_JSON "\"}");
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  check (GTK_WIDGET (self->chat), "echo command", 1);
  g_assert_true (gadget_session_get_active_run (gadget_window_get_session (self->window)) != NULL);
  test_dir_free (g_steal_pointer (&folder));
}

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/ui/hostile-text/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

  g_test_add_func ("/ui/hostile-text/transcript", test_transcript);
  g_test_add_func ("/ui/hostile-text/attachment", test_attachment);
  ADD ("title", test_title);
  ADD ("question", test_question);
  ADD ("permission", test_permission);

  return g_test_run ();
}
