/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting in the transcript by the keyboard alone: keys really pressed. */

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "transcript-fixture.h"

/* Longer than it takes until what was scrolled has come to rest. */
#define REST_MS 500

static guint n_caret_moves;

/* Instead of GTK's own, which tells a screen reader. */
void
gtk_accessible_text_update_caret_position (GtkAccessibleText *self)
{
  n_caret_moves++;
}

static void
key (TranscriptFixture *fixture, const char *keys)
{
  g_autofree char *command = g_strdup_printf ("key --delay 0 %s", keys);

  transcript_fixture_xdotool (fixture, command);
}

static void
repeat (TranscriptFixture *fixture, guint n, const char *keys)
{
  g_autofree char *command = g_strdup_printf ("key --delay 0 --repeat %u %s", n, keys);

  transcript_fixture_xdotool (fixture, command);
}

/* The answer "alpha beta gamma\ndelta epsilon" is row 1, "zeta eta theta" row 2. */
static void
begin (TranscriptFixture *fixture, guint n_turns, guint row, guint offset)
{
  transcript_fixture_set_up (fixture, n_turns);
  transcript_fixture_move_to (fixture, row, offset, "click 1");
}

static void
test_characters_and_words (void)
{
  TranscriptFixture fixture;

  begin (&fixture, 1, 1, 6);
  repeat (&fixture, 4, "shift+Right");
  transcript_fixture_check (&fixture, "beta");
  key (&fixture, "shift+Left");
  transcript_fixture_check (&fixture, "bet");
  key (&fixture, "ctrl+shift+Right");
  transcript_fixture_check (&fixture, "beta");
  key (&fixture, "ctrl+shift+Right");
  transcript_fixture_check (&fixture, "beta gamma");

  /* Over the place where it began, to the other side. */
  repeat (&fixture, 3, "ctrl+shift+Left");
  transcript_fixture_check (&fixture, "alpha ");
  key (&fixture, "ctrl+shift+Right");
  transcript_fixture_check (&fixture, " ");
  transcript_fixture_tear_down (&fixture);
}

static void
test_lines (void)
{
  TranscriptFixture fixture;

  begin (&fixture, 1, 1, 6);
  key (&fixture, "shift+End");
  transcript_fixture_check (&fixture, "beta gamma");
  key (&fixture, "shift+Home");
  transcript_fixture_check (&fixture, "alpha ");
  key (&fixture, "shift+Down");
  transcript_fixture_check (&fixture, "beta gamma\n");
  /* Into the next row. */
  repeat (&fixture, 1, "shift+Down");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\n");
  key (&fixture, "shift+Up");
  transcript_fixture_check (&fixture, "beta gamma\n");
  transcript_fixture_tear_down (&fixture);
}

static void
test_paragraphs_and_all (void)
{
  TranscriptFixture fixture;
  g_autofree char *all = NULL;

  begin (&fixture, 60, 4 * 59 + 1, 6);
  key (&fixture, "ctrl+shift+Down");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon");
  key (&fixture, "ctrl+shift+Down");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta");
  key (&fixture, "ctrl+shift+Home");
  all = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_prefix (all, "What is this?\n\nalpha"));
  g_assert_true (g_str_has_suffix (all, "\n\nWhat is this?\n\nalpha "));
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.transcript->vadjustment), ==, 0);
  /* And back, over rows that are not there as widgets. */
  key (&fixture, "ctrl+shift+End");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta");
  transcript_fixture_tear_down (&fixture);
}

static guint
get_head_row (TranscriptFixture *fixture)
{
  GadgetTextPosition fixed, head;

  g_assert_true (
      gadget_transcript_selection_get_ends (fixture->transcript->selection, &fixed, &head));
  return head.row;
}

/* Where the end that moves is, from the top left corner of the viewport. */
static graphene_rect_t
get_head_box (TranscriptFixture *fixture)
{
  GadgetTranscript *self = fixture->transcript;
  GadgetTextPosition fixed, head;
  GadgetRealizedRow *row;
  graphene_rect_t box;

  g_assert_true (gadget_transcript_selection_get_ends (self->selection, &fixed, &head));
  row = _gadget_transcript_get_realized (self, head.row);
  g_assert_nonnull (row);
  g_assert_true (gadget_row_get_caret_box (
      row->widget, GTK_WIDGET (self), gadget_row_from_source (row->widget, head.offset), &box));
  return box;
}

static void
check_in_sight (TranscriptFixture *fixture)
{
  const graphene_rect_t box = get_head_box (fixture);

  g_assert_cmpfloat (box.origin.y, >=, 0);
  g_assert_cmpfloat (box.origin.y + box.size.height, <=, fixture->transcript->height);
}

/* What moves stays in sight; what is behind it stays selected. */
static void
test_scrolling (void)
{
  TranscriptFixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *page = NULL;
  double value;

  begin (&fixture, 60, 4 * 59 + 2, 0);
  repeat (&fixture, 60, "shift+Up");
  check_in_sight (&fixture);
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpuint (strlen (text), >, 300);
  value = gtk_adjustment_get_value (fixture.transcript->vadjustment);
  key (&fixture, "shift+Prior");
  check_in_sight (&fixture);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.transcript->vadjustment), <,
                     value - TRANSCRIPT_FIXTURE_HEIGHT / 3.0);
  page = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_suffix (page, text));
  g_assert_cmpuint (strlen (page), >, strlen (text) + 50);
  repeat (&fixture, 3, "shift+Next");
  check_in_sight (&fixture);
  transcript_fixture_tear_down (&fixture);
}

/* With nothing pressed before, it begins with what is in sight. */
static void
test_no_place (void)
{
  TranscriptFixture fixture;
  g_autofree char *text = NULL;

  transcript_fixture_set_up (&fixture, 60);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  key (&fixture, "Home");
  repeat (&fixture, 4, "shift+Right");
  transcript_fixture_check (&fixture, "What");

  /* A place that is not in sight any more is none. */
  transcript_fixture_move_to (&fixture, 1, 3, "click 1");
  transcript_fixture_check (&fixture, NULL);
  key (&fixture, "End");
  key (&fixture, "ctrl+shift+Up");
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, "zeta eta theta");
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  transcript_fixture_tear_down (&fixture);
}

/* Letters of more than one byte or character, what Markdown hides, and tables. */
static void
test_markdown (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 0);
  transcript_fixture_add_turn (&fixture, "t", "Show it.",
                               "**bo**ld `x` e\xcc\x81te\n\n| a | b |\n| - | - |\n| c | d |\n");
  gadget_test_wait_frames (fixture.window, 3);
  transcript_fixture_move_to (&fixture, 1, 0, "click 1");
  repeat (&fixture, 4, "shift+Right");
  transcript_fixture_check (&fixture, "bold");
  repeat (&fixture, 3, "shift+Right");
  transcript_fixture_check (&fixture, "bold x ");
  key (&fixture, "shift+Right");
  transcript_fixture_check (&fixture, "bold x e\xcc\x81");
  repeat (&fixture, 7, "shift+Left");
  transcript_fixture_check (&fixture, "b");
  key (&fixture, "shift+End");
  transcript_fixture_check (&fixture, "bold x e\xcc\x81te");
  /* Cell by cell, and line by line. Nothing is selected in between. */
  key (&fixture, "shift+Home shift+Down shift+Down");
  transcript_fixture_check (&fixture, "bold x e\xcc\x81te\n\na\tb");
  transcript_fixture_tear_down (&fixture);
}

static char *
repeat_text (const char *text, guint n)
{
  GString *all = g_string_new (NULL);

  while (n-- > 0)
    g_string_append (all, text);
  return g_string_free (all, FALSE);
}

static void
check_inside (TranscriptFixture *fixture)
{
  const graphene_rect_t box = get_head_box (fixture);

  g_assert_cmpfloat (box.origin.x, >=, 0);
  g_assert_cmpfloat (box.origin.x, <=, fixture->transcript->width);
}

/* What is selected begins and ends so. */
static void
check_around (TranscriptFixture *fixture, const char *prefix, const char *suffix)
{
  g_autofree char *text = gadget_transcript_dup_selection (fixture->transcript);

  g_assert_nonnull (text);
  g_assert_true (g_str_has_prefix (text, prefix));
  g_assert_true (g_str_has_suffix (text, suffix));
}

/* The last row has no text: the end is that of the one before. */
static void
test_end (void)
{
  TranscriptFixture fixture;
  double value;

  begin (&fixture, 60, 4 * 59 + 1, 6);
  key (&fixture, "ctrl+shift+End");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta");
  check_in_sight (&fixture);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  key (&fixture, "shift+Left");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta thet");
  key (&fixture, "ctrl+shift+End shift+Home");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\n");

  key (&fixture, "ctrl+shift+End");
  value = gtk_adjustment_get_value (fixture.transcript->vadjustment);
  key (&fixture, "shift+Prior");
  check_in_sight (&fixture);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.transcript->vadjustment), <,
                     value - TRANSCRIPT_FIXTURE_HEIGHT / 3.0);
  check_around (&fixture, "", "\n\nWhat is this?\n\nalpha ");
  repeat (&fixture, 4, "shift+Next");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta");
  check_in_sight (&fixture);
  transcript_fixture_tear_down (&fixture);
}

/* A row in the margin is a widget, but not in sight. */
static void
test_end_in_margin (void)
{
  TranscriptFixture fixture;
  graphene_rect_t box;

  begin (&fixture, 60, 4 * 59 + 1, 6);
  key (&fixture, "ctrl+shift+End");
  box = get_head_box (&fixture);
  _gadget_transcript_scroll_by (fixture.transcript, box.origin.y - TRANSCRIPT_FIXTURE_HEIGHT - 20);
  test_run_for (REST_MS);
  g_assert_cmpfloat (get_head_box (&fixture).origin.y, >=, fixture.transcript->height);
  key (&fixture, "ctrl+shift+End");
  check_in_sight (&fixture);
  transcript_fixture_tear_down (&fixture);
}

static void
test_after_select_all (void)
{
  static const struct
  {
    const char *keys;
    const char *suffix;
  } cases[] = {
    { "shift+Left", "\n\nzeta eta thet" },   { "ctrl+shift+Left", "\n\nzeta eta " },
    { "shift+Home", "\ndelta epsilon\n\n" }, { "shift+End", "\n\nzeta eta theta" },
    { "shift+Up", "\ndelta epsilon" },       { "shift+Right", "\n\nzeta eta theta" },
  };
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 60);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gadget_transcript_select_all (fixture.transcript);
      key (&fixture, cases[i].keys);
      check_around (&fixture, "What is this?", cases[i].suffix);
      check_in_sight (&fixture);
    }

  gadget_transcript_select_all (fixture.transcript);
  key (&fixture, "shift+Prior");
  check_in_sight (&fixture);
  g_assert_cmpuint (get_head_row (&fixture), <, 4 * 58);
  transcript_fixture_tear_down (&fixture);
}

static void
focus_link (TranscriptFixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);
  GtkWidget *link;

  g_assert_nonnull (row);
  link = gtk_widget_get_first_child (GTK_WIDGET (gadget_row_get_piece (row->widget)));
  g_assert_nonnull (link);
  g_assert_true (gtk_widget_grab_focus (link));
}

/* A row that has the focus is kept out of sight, and is not where it seems to be then. */
static void
test_focus_elsewhere (void)
{
  const GadgetTextPosition first = { 0, 0 };
  const GadgetTextPosition second = { 1, 3 };
  TranscriptFixture fixture;
  guint last;

  transcript_fixture_set_up (&fixture, 0);
  transcript_fixture_add_turn (&fixture, "first", "Where?", "[here](https://first.example) it is");
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *id = g_strdup_printf ("turn-%u", i);

      transcript_fixture_add_turn (&fixture, id, "What is this?", "alpha\n\nbeta\n\ngamma");
    }
  transcript_fixture_add_turn (&fixture, "last", "Where?", "[there](https://last.example) it was");
  gadget_test_wait_frames (fixture.window, 3);
  last = gadget_transcript_model_get_n_rows (fixture.transcript->model) - 2;

  /* Above. */
  _gadget_transcript_scroll_to (fixture.transcript, 0, 0);
  gadget_test_wait_frames (fixture.window, 3);
  focus_link (&fixture, 1);
  gadget_transcript_selection_set_ends (fixture.transcript->selection, first, second);
  _gadget_transcript_scroll_to (fixture.transcript, last / 2, 0);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (_gadget_transcript_get_realized (fixture.transcript, 1));
  key (&fixture, "shift+Right");
  check_in_sight (&fixture);
  g_assert_cmpuint (fixture.transcript->anchor, <, 3);

  /* And below. */
  _gadget_transcript_scroll_to (fixture.transcript, last, 0);
  gadget_test_wait_frames (fixture.window, 3);
  focus_link (&fixture, last);
  _gadget_transcript_scroll_to (fixture.transcript, last / 2, 0);
  gadget_test_wait_frames (fixture.window, 3);
  key (&fixture, "ctrl+shift+End");
  check_in_sight (&fixture);
  check_around (&fixture, "Where?", "it was");
  transcript_fixture_tear_down (&fixture);
}

static guint
get_caret (TranscriptFixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);
  GtkAccessibleText *piece;

  g_assert_nonnull (row);
  piece = GTK_ACCESSIBLE_TEXT (gadget_row_get_piece (row->widget));
  return GTK_ACCESSIBLE_TEXT_GET_IFACE (piece)->get_caret_position (piece);
}

/* What a screen reader follows is the end that moves, in characters. */
static void
test_screen_reader (void)
{
  const GadgetTextPosition begin = { 1, 0 };
  TranscriptFixture fixture;
  guint before;

  transcript_fixture_set_up (&fixture, 0);
  transcript_fixture_add_turn (&fixture, "t", "Show it.", "\u00e9\u00e8 alpha\n\nbeta");
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  gadget_transcript_selection_set_ends (fixture.transcript->selection, begin, begin);
  repeat (&fixture, 5, "shift+Right");
  g_assert_cmpuint (get_caret (&fixture, 1), ==, 5);

  /* With nothing selected, and backwards. */
  transcript_fixture_move_to (&fixture, 1, 3, "click 1");
  g_assert_cmpuint (get_caret (&fixture, 1), ==, 3);
  before = n_caret_moves;
  repeat (&fixture, 2, "shift+Left");
  transcript_fixture_check (&fixture, "\u00e8 ");
  g_assert_cmpuint (get_caret (&fixture, 1), ==, 1);
  g_assert_cmpuint (n_caret_moves, ==, before + 2);
  repeat (&fixture, 2, "shift+Right");
  g_assert_cmpuint (get_caret (&fixture, 1), ==, 3);

  /* Into the next row, and to where its selection begins. */
  key (&fixture, "ctrl+shift+End");
  g_assert_cmpuint (get_caret (&fixture, 2), ==, 4);
  key (&fixture, "shift+Home");
  g_assert_cmpuint (get_caret (&fixture, 2), ==, 0);
  g_assert_cmpuint (n_caret_moves, ==, before + 6);

  /* What comes at other places moves nothing. */
  transcript_fixture_add_turn (&fixture, "new", "And this?", "one two");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpuint (n_caret_moves, ==, before + 6);
  transcript_fixture_tear_down (&fixture);
}

/* Code and tables that are wider than the chat scroll along. */
static void
test_sideways (void)
{
  g_autofree char *words = g_strnfill (300, 'x');
  g_autofree char *head = repeat_text ("| abcdefgh ", 40);
  g_autofree char *rule = repeat_text ("| - ", 40);
  g_autofree char *text =
      g_strdup_printf ("```\n%s\nend\n```\n\n%s|\n%s|\n%s|\n", words, head, rule, head);
  g_autofree char *selected = NULL;
  const GadgetTextPosition code = { 1, 4 };
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 0);
  transcript_fixture_add_turn (&fixture, "t", "Show it.", text);
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  gadget_transcript_selection_set_ends (fixture.transcript->selection, code, code);
  key (&fixture, "shift+End");
  transcript_fixture_check (&fixture, words);
  check_inside (&fixture);
  key (&fixture, "shift+Home");
  transcript_fixture_check (&fixture, NULL);
  check_inside (&fixture);

  /* The last cell is far to the right, the first one of its line at the left. */
  key (&fixture, "ctrl+shift+End shift+Left");
  check_inside (&fixture);
  key (&fixture, "shift+Home");
  check_inside (&fixture);
  selected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_suffix (selected, "abcdefgh\tabcdefgh"));
  transcript_fixture_tear_down (&fixture);
}

/* Left is where such a text goes on. */
static void
test_right_to_left (void)
{
  const GadgetTextPosition begin = { 1, 0 };
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 0);
  transcript_fixture_add_turn (&fixture, "t", "Show it.",
                               "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd");
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  gadget_transcript_selection_set_ends (fixture.transcript->selection, begin, begin);
  repeat (&fixture, 4, "shift+Left");
  transcript_fixture_check (&fixture, "\u05e9\u05dc\u05d5\u05dd");
  key (&fixture, "shift+Right");
  transcript_fixture_check (&fixture, "\u05e9\u05dc\u05d5");
  key (&fixture, "shift+End");
  transcript_fixture_check (&fixture, "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd");
  transcript_fixture_tear_down (&fixture);
}

/* Rows that come while it goes on do not move what is selected. */
static void
test_while_rows_come (void)
{
  TranscriptFixture fixture;

  begin (&fixture, 2, 1, 6);
  repeat (&fixture, 4, "shift+Right");
  transcript_fixture_add_turn (&fixture, "new", "And this?", "one two");
  gadget_test_wait_frames (fixture.window, 3);
  transcript_fixture_check (&fixture, "beta");
  key (&fixture, "ctrl+shift+Right");
  transcript_fixture_check (&fixture, "beta gamma");
  transcript_fixture_tear_down (&fixture);
}

/* The rows at the end go while they are selected, one turn and then all. */
static void
test_while_rows_go (void)
{
  TranscriptFixture fixture;
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  begin (&fixture, 2, 1, 6);
  g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (fixture.session, 0)));
  gadget_transcript_select_all (fixture.transcript);
  gadget_session_set_turns (fixture.session, turns);
  transcript_fixture_check (&fixture, "What is this?\n\nalpha beta gamma\ndelta epsilon\n\n"
                                      "zeta eta theta");
  g_ptr_array_set_size (turns, 0);
  gadget_session_set_turns (fixture.session, turns);
  transcript_fixture_check (&fixture, NULL);
  gadget_test_wait_frames (fixture.window, 2);
  transcript_fixture_check (&fixture, NULL);
  transcript_fixture_tear_down (&fixture);
}

/* The last one who selects something has the PRIMARY selection; who selects nothing does not. */
static void
test_primary (void)
{
  TranscriptFixture fixture;
  GdkClipboard *clipboard;

  begin (&fixture, 1, 1, 6);
  clipboard = gtk_widget_get_primary_clipboard (GTK_WIDGET (fixture.transcript));
  transcript_fixture_check (&fixture, NULL);
  repeat (&fixture, 4, "shift+Right");
  transcript_fixture_check (&fixture, "beta");
  gdk_clipboard_set_text (clipboard, "of another one");
  key (&fixture, "shift+Left");
  transcript_fixture_check (&fixture, "bet");
  gadget_transcript_unselect (fixture.transcript);
  transcript_fixture_check (&fixture, NULL);

  key (&fixture, "ctrl+a");
  gdk_clipboard_set_text (clipboard, "of another one");
  gadget_transcript_unselect (fixture.transcript);
  g_assert_nonnull (gdk_clipboard_get_content (clipboard));
  transcript_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-caret/characters-and-words", test_characters_and_words);
  g_test_add_func ("/ui/transcript-caret/lines", test_lines);
  g_test_add_func ("/ui/transcript-caret/paragraphs-and-all", test_paragraphs_and_all);
  g_test_add_func ("/ui/transcript-caret/scrolling", test_scrolling);
  g_test_add_func ("/ui/transcript-caret/no-place", test_no_place);
  g_test_add_func ("/ui/transcript-caret/markdown", test_markdown);
  g_test_add_func ("/ui/transcript-caret/end", test_end);
  g_test_add_func ("/ui/transcript-caret/end-in-margin", test_end_in_margin);
  g_test_add_func ("/ui/transcript-caret/after-select-all", test_after_select_all);
  g_test_add_func ("/ui/transcript-caret/focus-elsewhere", test_focus_elsewhere);
  g_test_add_func ("/ui/transcript-caret/screen-reader", test_screen_reader);
  g_test_add_func ("/ui/transcript-caret/sideways", test_sideways);
  g_test_add_func ("/ui/transcript-caret/right-to-left", test_right_to_left);
  g_test_add_func ("/ui/transcript-caret/while-rows-come", test_while_rows_come);
  g_test_add_func ("/ui/transcript-caret/while-rows-go", test_while_rows_go);
  g_test_add_func ("/ui/transcript-caret/primary", test_primary);
  return g_test_run ();
}
