/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "transcript-fixture.h"

#include "gadget-test-ui.h"
#include "wait.h"

void
transcript_fixture_add_turn (TranscriptFixture *fixture, const char *id, const char *prompt,
                             const char *answer)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, prompt);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_item_append_text (item, answer, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  gadget_turn_finish (turn);
  gadget_session_append (fixture->session, turn);
}

void
transcript_fixture_set_up (TranscriptFixture *fixture, guint n_turns)
{
  fixture->session = gadget_session_new ("s");
  for (guint i = 0; i < n_turns; i++)
    {
      g_autofree char *id = g_strdup_printf ("turn-%u", i);

      /* Rows: the prompt, two paragraphs, the status. */
      transcript_fixture_add_turn (fixture, id, "What is this?",
                                   "alpha beta gamma\ndelta epsilon\n\nzeta eta theta");
    }
  fixture->window = gadget_test_transcript_new (fixture->session, TRANSCRIPT_FIXTURE_WIDTH,
                                                TRANSCRIPT_FIXTURE_HEIGHT, &fixture->transcript);
}

void
transcript_fixture_tear_down (TranscriptFixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_object_unref (fixture->session);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

void
transcript_fixture_xdotool (TranscriptFixture *fixture, const char *command)
{
  g_autofree char *line = g_strconcat ("xdotool ", command, NULL);
  g_auto (GStrv) argv = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  g_assert_true (g_shell_parse_argv (line, NULL, &argv, &error));
  process = g_subprocess_newv ((const char *const *) argv, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, done_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  gadget_test_wait_frames (fixture->window, 4);
}

/* Where in a widget a byte of a row's text is. */
void
transcript_fixture_get_point (TranscriptFixture *fixture, GtkWidget *widget, guint position,
                              guint offset, int *x, int *y)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);
  GadgetSelectableText *piece;
  graphene_rect_t box;
  graphene_point_t point;

  g_assert_nonnull (row);
  piece = gadget_row_get_piece (row->widget);
  GTK_ACCESSIBLE_TEXT_GET_IFACE (piece)->get_extents (GTK_ACCESSIBLE_TEXT (piece), offset,
                                                      offset + 1, &box);
  g_assert_true (gtk_widget_compute_point (
      GTK_WIDGET (piece), widget,
      &GRAPHENE_POINT_INIT (box.origin.x + 1, box.origin.y + box.size.height / 2), &point));
  *x = (int) point.x;
  *y = (int) point.y;
}

void
transcript_fixture_move_to (TranscriptFixture *fixture, guint position, guint offset,
                            const char *then)
{
  g_autofree char *command = NULL;
  int x, y;

  transcript_fixture_get_point (fixture, fixture->window, position, offset, &x, &y);
  command = g_strdup_printf ("mousemove %d %d %s", x, y, then);
  transcript_fixture_xdotool (fixture, command);
}

/* What a middle click pastes. */
static void
check_primary (TranscriptFixture *fixture, const char *expected)
{
  GdkClipboard *clipboard = gtk_widget_get_primary_clipboard (GTK_WIDGET (fixture->transcript));
  g_autofree char *text = NULL;

  if (expected == NULL)
    {
      wait_until (gdk_clipboard_get_content (clipboard) == NULL);
      return;
    }
  g_assert_true (gdk_clipboard_is_local (clipboard));
  text = gadget_test_read_clipboard (clipboard);
  g_assert_cmpstr (text, ==, expected);
}

void
transcript_fixture_check (TranscriptFixture *fixture, const char *expected)
{
  g_autofree char *text = gadget_transcript_dup_selection (fixture->transcript);

  g_assert_cmpstr (text, ==, expected);
  check_primary (fixture, expected);
}
