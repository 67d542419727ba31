/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transcript by keyboard alone: keys are really pressed, and what has the focus says what it is
 * and its text. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/common/gadget-announcer.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-row.h"
#include "ui/window/gadget-chat-private.h"

static GtkWidget *
get_focus (TestWindow *self)
{
  return gtk_window_get_focus (GTK_WINDOW (self->window));
}

static gboolean
is_busy (TestWindow *self)
{
  return gadget_session_get_active_run (gadget_window_get_session (self->window)) != NULL;
}

static void
ask (TestWindow *self, const char *question, const char *answer)
{
  gtk_widget_grab_focus (self->text);
  test_window_send (self, question);
  fake_provider_text (self->provider, answer);
  fake_provider_end (self->provider);
  wait_until (!is_busy (self));
  test_window_advance (self, 1000);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 4);
}

static gboolean
is_at (TestWindow *self, GadgetRowKind kind)
{
  GtkWidget *focus = get_focus (self);

  return GADGET_IS_ROW (focus)
         && gadget_row_data_get_kind (gadget_row_get_data (GADGET_ROW (focus))) == kind;
}

/* What a screen reader says of what has the focus. */
static void
assert_says (TestWindow *self, const char *name, const char *text)
{
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get_focus (self)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get_focus (self)),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
}

static void
test_rows (TestWindow *self, gconstpointer data)
{
  ask (self, "first", "One **answer**.");
  ask (self, "second", "Another answer.");

  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  assert_says (self, "Answer", "Another answer.");
  test_key ("Up");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  assert_says (self, "Your message", "second");
  test_key ("Up");
  wait_until (is_at (self, GADGET_ROW_KIND_FOOTER));
  test_key ("Up");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  assert_says (self, "Answer", "One answer.");
  test_key ("Down");
  test_key ("Down");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  test_key ("ctrl+Up");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  assert_says (self, "Your message", "first");
  test_key ("ctrl+Down");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  assert_says (self, "Your message", "second");
}

/* Both ends of a chat are gone to, also where they are far out of sight. */
static void
test_ends (TestWindow *self, gconstpointer data)
{
  ask (self, "first", "One answer.");
  for (guint i = 0; i < 8; i++)
    ask (self, "question", "A paragraph.\n\nA second one.\n\nAnd a third one.");
  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  test_key ("Home");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  assert_says (self, "Your message", "first");
  test_key ("Down");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  assert_says (self, "Answer", "One answer.");
  test_key ("End");
  wait_until (is_at (self, GADGET_ROW_KIND_FOOTER));
  test_key ("Up");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  assert_says (self, "Answer", "And a third one.");
}

static GadgetTranscript *
get_transcript (TestWindow *self)
{
  return GADGET_TRANSCRIPT (
      gtk_widget_get_ancestor (GTK_WIDGET (get_focus (self)), GADGET_TYPE_TRANSCRIPT));
}

static gboolean
is_focus_in_sight (TestWindow *self, GadgetTranscript *transcript)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (get_focus (self), GTK_WIDGET (transcript), &bounds));
  return bounds.origin.y < (float) gtk_widget_get_height (GTK_WIDGET (transcript))
         && bounds.origin.y + bounds.size.height > 0;
}

/* The row that has the focus was scrolled out of sight before, and so far that it is hidden. */
static void
test_ends_from_hidden_row (TestWindow *self, gconstpointer data)
{
  GadgetTranscript *transcript;

  ask (self, "first", "One answer.");
  for (guint i = 0; i < 16; i++)
    ask (self, "question", "A paragraph.\n\nA second one.\n\nAnd a third one.");
  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  transcript = get_transcript (self);
  for (guint i = 0; i < 2; i++)
    test_key ("Page_Up");
  wait_until (!is_focus_in_sight (self, transcript));
  test_key ("Home");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT));
  assert_says (self, "Your message", "first");
  for (guint i = 0; i < 2; i++)
    test_key ("Page_Down");
  wait_until (!is_focus_in_sight (self, transcript));
  test_key ("End");
  wait_until (is_at (self, GADGET_ROW_KIND_FOOTER));
  wait_until (is_focus_in_sight (self, transcript));
}

static gboolean
is_at_beginning (GadgetTranscript *transcript)
{
  return transcript->anchor == 0 && transcript->anchor_y >= 0;
}

/* Also a chat of one turn has a beginning: from wherever the focus is, and while it is written. */
static void
test_one_turn (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  GadgetTranscript *transcript;

  for (guint i = 0; i < 60; i++)
    g_string_append (answer, "A paragraph.\n\n");
  gtk_widget_grab_focus (self->text);
  test_window_send (self, "first");
  fake_provider_text (self->provider, answer->str);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 4);
  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  transcript = get_transcript (self);
  test_key ("ctrl+Up");
  wait_until (is_at (self, GADGET_ROW_KIND_PROMPT) && is_at_beginning (transcript));

  /* From the message that is not begun, where the key would do nothing. */
  test_key ("ctrl+l");
  wait_until (gtk_widget_is_focus (self->text));
  test_key ("ctrl+Down");
  wait_until (gadget_transcript_get_following (transcript));
  g_assert_false (is_at_beginning (transcript));
  test_key ("ctrl+Up");
  wait_until (is_at_beginning (transcript));
  g_assert_true (gtk_widget_is_focus (self->text));
  fake_provider_text (self->provider, answer->str);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 4);
  g_assert_true (is_at_beginning (transcript));
  fake_provider_end (self->provider);
  wait_until (!is_busy (self));
  test_key ("ctrl+Down");
  wait_until (gadget_transcript_get_following (transcript));

  /* In a message that was begun it goes to its beginning, as in any text. */
  test_type ("words");
  test_key ("ctrl+Up");
  test_type ("more ");
  g_assert_true (gadget_transcript_get_following (transcript));
  {
    g_autofree char *text = gadget_composer_dup_text (self->composer);

    g_assert_cmpstr (text, ==, "more words");
  }
}

/* The buttons of a row come after it. */
static void
test_buttons (TestWindow *self, gconstpointer data)
{
  ask (self, "first", "One answer.");
  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  test_key ("Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_FOOTER));
  test_key ("Tab");
  wait_until (GTK_IS_BUTTON (get_focus (self)));
  g_assert_nonnull (gtk_widget_get_ancestor (get_focus (self), GADGET_TYPE_ROW));
}

/* Rows that are far out of sight are reached, one after the other. */
static void
test_far (TestWindow *self, gconstpointer data)
{
  GtkWidget *toasts = gadget_chat_get_toasts (self->chat);
  GtkWidget *before;
  graphene_rect_t bounds;

  for (guint i = 0; i < 6; i++)
    ask (self, "question", "A paragraph.\n\nA second one.\n\nAnd a third one.");
  test_key ("shift+Tab");
  wait_until (is_at (self, GADGET_ROW_KIND_TEXT));
  for (guint i = 0; i < 16; i++)
    {
      before = get_focus (self);
      test_key ("Up");
      wait_until (get_focus (self) != before);
      g_assert_true (GADGET_IS_ROW (get_focus (self)));
    }
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_true (gtk_widget_compute_bounds (get_focus (self), toasts, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=,
                     (float) gtk_widget_get_height (toasts));
}

/* Where the focus stays outside, what is gone to is told; so is how a reply begins. */
static void
test_announced (TestWindow *self, gconstpointer data)
{
  GString *said;
  GtkWidget *before;

  ask (self, "first", "One answer.");
  said = gadget_test_listen ();
  ask (self, "second", "It *begins* like this. And goes on like that.");
  wait_until (strstr (said->str, "Reply: It begins like this.") != NULL);
  wait_until (strstr (said->str, "The reply is complete.\n") != NULL);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  gtk_widget_grab_focus (GTK_WIDGET (self->window->chat_menu));
  before = get_focus (self);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.go-to-turn", "i", -1);
  wait_until (g_str_has_suffix (said->str, "\nsecond\n")
              || g_str_has_suffix (said->str, "\nfirst\n"));
  g_assert_true (get_focus (self) == before);
  gadget_test_stop_listening (said);
}

/* The pages are those of the chat as long as all of the message is in sight. */
static void
test_pages (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *draft = NULL;
  GadgetTranscript *transcript;
  GtkAdjustment *lines;
  double top;

  for (guint i = 0; i < 60; i++)
    g_string_append (text, "A paragraph.\n\n");
  ask (self, "first", text->str);
  transcript = _gadget_chat_get_transcript (self->chat);
  wait_until (gadget_transcript_get_following (transcript));
  test_key ("ctrl+l");
  test_type ("a draft");
  test_key ("Page_Up");
  wait_until (!gadget_transcript_get_following (transcript));
  top = gtk_adjustment_get_value (transcript->vadjustment);
  test_key ("Page_Up");
  wait_until (gtk_adjustment_get_value (transcript->vadjustment) < top);
  test_key ("Page_Down");
  test_key ("Page_Down");
  wait_until (gadget_transcript_get_following (transcript));
  g_assert_true (gtk_widget_is_focus (self->text));
  g_object_get (buffer, "text", &draft, NULL);
  g_assert_cmpstr (draft, ==, "a draft");

  gtk_text_buffer_set_text (buffer, text->str, -1);
  lines = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->text));
  /* GTK measures the 120 lines a few at a time; until then the text seems to fit. */
  wait_until (gtk_adjustment_get_upper (lines) > 1200);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  test_key ("Page_Up");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_true (gadget_transcript_get_following (transcript));
}

static int
get_caret (GtkTextBuffer *buffer)
{
  GtkTextIter caret;

  gtk_text_buffer_get_iter_at_mark (buffer, &caret, gtk_text_buffer_get_insert (buffer));
  return gtk_text_iter_get_offset (&caret);
}

/* In a new chat there is nothing else to go through than the message. */
static void
test_pages_of_new_chat (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  gtk_text_buffer_set_text (buffer, "one\ntwo\nthree", -1);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_cmpint (get_caret (buffer), ==, 13);
  test_key ("Page_Up");
  wait_until (get_caret (buffer) < 4);
  test_key ("Page_Down");
  wait_until (get_caret (buffer) > 7);
}

/* A reply that does not go on says what for, once. */
static void
test_waits_announced (TestWindow *self, gconstpointer data)
{
  GString *said;
  GadgetReceipt *receipt;
  GadgetTurn *turn;
  guint line;

  said = gadget_test_listen ();
  gtk_widget_grab_focus (self->text);
  test_window_send (self, "first");
  fake_provider_text (self->provider, "It begins. And");
  wait_until (strstr (said->str, "Reply: It begins.") != NULL);
  turn = gadget_session_get_last_turn (gadget_window_get_session (self->window));
  receipt = gadget_turn_get_receipt (turn);
  line = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "provider");
  g_assert_null (strstr (said->str, "Nothing received"));

  gadget_receipt_set_quiet (receipt, line, g_get_monotonic_time ());
  wait_until (strstr (said->str, "Nothing received for some time.") != NULL);
  g_string_truncate (said, 0);
  gadget_turn_set_phase (turn, GADGET_PHASE_REASONING);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_assert_null (strstr (said->str, "Nothing received"));

  gadget_receipt_set_quiet (receipt, line, 0);
  gadget_turn_set_phase (turn, GADGET_PHASE_KEYRING);
  wait_until (strstr (said->str, "Waiting for the keyring") != NULL);
  gadget_receipt_end (receipt, line, "closed", 0);
  fake_provider_end (self->provider);
  wait_until (!is_busy (self));
  gadget_test_stop_listening (said);
}

/* A turn that another process works on is in the chat that is shown. */
static GadgetTurn *
begin_remote_turn (TestWindow *self)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("remote", "elsewhere");

  gadget_session_append (session, turn);
  gadget_session_set_remote_run (session, "run");
  return turn;
}

static void
end_remote_turn (TestWindow *self, GadgetTurn *turn)
{
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new ();
  const GadgetTurnRecord record = {
    .status = GADGET_TURN_ABORTED,
    .stop_reason = GADGET_STOP_USER,
    .started_at = gadget_turn_get_started_at (turn),
    .ended_at = gadget_turn_get_started_at (turn) + 1000,
    .receipt = receipt,
  };

  gadget_turn_restore (turn, &record);
  gadget_session_set_remote_run (gadget_window_get_session (self->window), NULL);
}

static void
append_answer (GadgetTurn *turn, const char *text, GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
}

/* What another process wrote before it was stopped may come with the stop. It is no beginning. */
static void
test_remote_stop_announced (TestWindow *self, gconstpointer data)
{
  GString *said;
  g_autoptr (GadgetReceipt) receipt = NULL;
  GadgetTurn *turn;

  said = gadget_test_listen ();
  turn = begin_remote_turn (self);
  receipt = g_object_ref (gadget_turn_get_receipt (turn));
  wait_until (strstr (said->str, "Sent: elsewhere") != NULL);
  append_answer (turn, "It begins. And", GADGET_ITEM_FINISHED);
  wait_until (strstr (said->str, "Reply: It begins.") != NULL);
  g_string_truncate (said, 0);
  append_answer (turn, "It goes on. And", GADGET_ITEM_ABORTED);
  end_remote_turn (self, turn);
  wait_until (strstr (said->str, "The turn was aborted by you.") != NULL);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_assert_null (strstr (said->str, "Reply:"));
  /* The receipt from before the stop is followed no longer. */
  gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "provider");
  gadget_test_stop_listening (said);
}

#define add(name, test)                                                                            \
  g_test_add ("/ui/transcript-focus/" name, TestWindow, NULL, test_window_set_up, test,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("rows", test_rows);
  add ("ends", test_ends);
  add ("ends-from-hidden-row", test_ends_from_hidden_row);
  add ("one-turn", test_one_turn);
  add ("buttons", test_buttons);
  add ("far", test_far);
  add ("announced", test_announced);
  add ("pages", test_pages);
  add ("pages-of-new-chat", test_pages_of_new_chat);
  add ("waits-announced", test_waits_announced);
  add ("remote-stop-announced", test_remote_stop_announced);

  return g_test_run ();
}
