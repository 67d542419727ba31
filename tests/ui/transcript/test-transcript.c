/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "gadget-test-ui.h"

#include "ui/transcript/gadget-transcript-private.h"

#define WIDTH 720
#define HEIGHT 600

typedef struct
{
  GadgetSession *session;
  GtkWidget *window;
  GtkWidget *scrolled;
  GadgetTranscript *transcript;
  GtkAdjustment *adjustment;
} Fixture;

static void
set_up (Fixture *fixture, guint n_turns)
{
  fixture->session = gadget_test_session_new (n_turns, 5);
  fixture->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (fixture->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (fixture->scrolled),
                                 GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  fixture->window = gadget_test_window_new (fixture->scrolled, WIDTH, HEIGHT);
  fixture->adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (fixture->scrolled));
}

static void
tear_down (Fixture *fixture)
{
  GtkWidget *transcript = GTK_WIDGET (fixture->transcript);
  GtkWidget *window = fixture->window;

  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  g_object_add_weak_pointer (G_OBJECT (fixture->window), (gpointer *) &window);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (window);
  g_assert_null (transcript);
  g_assert_finalize_object (fixture->session);
}

static void
frames (Fixture *fixture, guint n)
{
  gadget_test_wait_frames (fixture->window, n);
}

static void
scroll_by (Fixture *fixture, double distance)
{
  gtk_adjustment_set_value (fixture->adjustment,
                            gtk_adjustment_get_value (fixture->adjustment) + distance);
}

/* Where the row is on the screen, by its widget. */
static double
get_y (Fixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);
  graphene_point_t point;

  g_assert_nonnull (row);
  g_assert_true (gtk_widget_compute_point (GTK_WIDGET (row->widget),
                                           GTK_WIDGET (fixture->transcript),
                                           &GRAPHENE_POINT_INIT (0, 0), &point));
  return point.y;
}

static GadgetItem *
start_turn (Fixture *fixture, const char *id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "And now?");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_turn_append (turn, item);
  gadget_session_append (fixture->session, turn);
  return item;
}

static guint
get_n_rows (Fixture *fixture)
{
  return gadget_transcript_model_get_n_rows (fixture->transcript->model);
}

/* Every row in the viewport is a widget where it should be, and few others are. */
static void
check_rows (Fixture *fixture)
{
  GArray *realised = fixture->transcript->realized_rows;
  int before = 0;

  g_assert_cmpuint (realised->len, >, 0);
  for (guint i = 0; i < realised->len; i++)
    {
      const GadgetRealizedRow *row = &g_array_index (realised, GadgetRealizedRow, i);

      if (i > 0)
        {
          g_assert_cmpuint (row->position, ==, (row - 1)->position + 1);
          g_assert_cmpint (row->y, ==, before);
        }
      before = row->y + row->gap + row->height;
      g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (row->widget)), ==, row->height);
    }
  g_assert_cmpint (g_array_index (realised, GadgetRealizedRow, 0).y, <=, 0);
  if (g_array_index (realised, GadgetRealizedRow, realised->len - 1).position + 1
      < get_n_rows (fixture))
    g_assert_cmpint (before, >=, HEIGHT);
  g_assert_cmpuint (realised->len, <, 60);
}

static void
test_open (void)
{
  Fixture fixture;
  GadgetRealizedRow *last;

  set_up (&fixture, 300);
  check_rows (&fixture);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  last = _gadget_transcript_get_realized (fixture.transcript, get_n_rows (&fixture) - 1);
  g_assert_nonnull (last);
  g_assert_cmpint (last->y + last->gap + last->height + 24, ==, HEIGHT);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.adjustment) + HEIGHT, ==,
                     gtk_adjustment_get_upper (fixture.adjustment));
  tear_down (&fixture);
}

static void
test_empty (void)
{
  Fixture fixture;
  GadgetItem *item;

  set_up (&fixture, 0);
  g_assert_cmpuint (fixture.transcript->realized_rows->len, ==, 0);
  item = start_turn (&fixture, "first");
  gadget_item_append_text (item, "Here.", -1);
  frames (&fixture, 2);
  /* A short chat is at the top. */
  g_assert_cmpuint (fixture.transcript->realized_rows->len, ==, 3);
  g_assert_cmpfloat (get_y (&fixture, 0), ==, 18);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.adjustment), ==, 0);
  tear_down (&fixture);
}

/* Scrolling up through rows that were never measured: each step moves by just its distance,
 * whatever the estimates were. */
static void
test_no_jump_scrolling (void)
{
  Fixture fixture;

  set_up (&fixture, 400);
  for (guint i = 0; i < 200; i++)
    {
      const double distance = i % 3 == 0 ? -HEIGHT + 40 : -90;
      const guint position = fixture.transcript->anchor;
      const double y = get_y (&fixture, position);

      scroll_by (&fixture, distance);
      frames (&fixture, 1);
      check_rows (&fixture);
      if (_gadget_transcript_get_realized (fixture.transcript, position) != NULL)
        g_assert_cmpfloat_with_epsilon (get_y (&fixture, position), y - distance, 1);
    }
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  tear_down (&fixture);
}

/* While the user scrolls, the value is the user's alone (a kinetic scroll goes on from it); when
 * the scrolling has ended it is put right, and nothing moves for that either. */
static void
test_no_jump_value (void)
{
  Fixture fixture;
  guint position;
  double y;

  set_up (&fixture, 400);
  for (guint i = 0; i < 60; i++)
    {
      const double value = gtk_adjustment_get_value (fixture.adjustment);

      scroll_by (&fixture, -200);
      frames (&fixture, 1);
      g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (fixture.adjustment), value - 200,
                                      0.01);
    }
  g_assert_cmpfloat (fixture.transcript->value_offset, !=, 0);
  position = fixture.transcript->anchor;
  y = get_y (&fixture, position);
  while (fixture.transcript->scrolling)
    g_main_context_iteration (NULL, TRUE);
  frames (&fixture, 2);
  g_assert_cmpfloat (fixture.transcript->value_offset, ==, 0);
  g_assert_cmpuint (fixture.transcript->anchor, ==, position);
  g_assert_cmpfloat (get_y (&fixture, position), ==, y);
  tear_down (&fixture);
}

/* To the top: the first row ends up there, and nothing is above it. */
static void
test_top (void)
{
  Fixture fixture;

  set_up (&fixture, 60);
  for (guint i = 0; i < 200 && gtk_adjustment_get_value (fixture.adjustment) > 0; i++)
    {
      scroll_by (&fixture, -400);
      frames (&fixture, 1);
    }
  frames (&fixture, 2);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.adjustment), ==, 0);
  g_assert_cmpfloat (get_y (&fixture, 0), ==, 18);
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 5);
  frames (&fixture, 2);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  frames (&fixture, 2);
  g_assert_cmpfloat (get_y (&fixture, 0), ==, 18);
  check_rows (&fixture);
  tear_down (&fixture);
}

/* Rows that come and grow below, and one that grows above, leave what is read where it is. */
static void
test_no_jump_growing (void)
{
  Fixture fixture;
  GadgetItem *item;
  guint position;
  double y;

  set_up (&fixture, 100);
  item = start_turn (&fixture, "live");
  frames (&fixture, 2);
  scroll_by (&fixture, -300);
  frames (&fixture, 2);
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  g_assert_false (gadget_transcript_get_has_new (fixture.transcript));

  position = fixture.transcript->anchor;
  y = get_y (&fixture, position);
  for (guint i = 0; i < 60; i++)
    {
      gadget_item_append_text (item, "More and more of it, line by line.\n", -1);
      frames (&fixture, 1);
      g_assert_cmpfloat_with_epsilon (get_y (&fixture, position), y, 1);
    }
  g_assert_true (gadget_transcript_get_has_new (fixture.transcript));
  g_assert_false (gadget_transcript_get_following (fixture.transcript));

  /* Above: a tool call that is opened. */
  for (guint i = position; i > 0; i--)
    if (gadget_transcript_model_get_row (fixture.transcript->model, i - 1)->kind
        == GADGET_ROW_KIND_TOOL)
      {
        const guint n_rows = get_n_rows (&fixture);

        gadget_transcript_model_set_expanded (fixture.transcript->model, i - 1, TRUE);
        g_assert_cmpuint (get_n_rows (&fixture), >, n_rows);
        position += get_n_rows (&fixture) - n_rows;
        break;
      }
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->anchor, ==, position);
  g_assert_cmpfloat_with_epsilon (get_y (&fixture, position), y, 1);
  tear_down (&fixture);
}

static void
test_following (void)
{
  Fixture fixture;
  GadgetItem *item;

  set_up (&fixture, 50);
  item = start_turn (&fixture, "live");
  for (guint i = 0; i < 40; i++)
    {
      gadget_item_append_text (item, "Another line of the answer.\n", -1);
      frames (&fixture, 1);
      g_assert_true (gadget_transcript_get_following (fixture.transcript));
      g_assert_cmpfloat (gtk_adjustment_get_value (fixture.adjustment) + HEIGHT, ==,
                         gtk_adjustment_get_upper (fixture.adjustment));
    }
  scroll_by (&fixture, -50);
  frames (&fixture, 1);
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  gadget_item_append_text (item, "One more.\n\nAnd more.\n", -1);
  frames (&fixture, 2);
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  g_assert_true (gadget_transcript_get_has_new (fixture.transcript));

  /* Scrolled back to the end by hand. */
  scroll_by (&fixture, 100000);
  frames (&fixture, 2);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  g_assert_false (gadget_transcript_get_has_new (fixture.transcript));

  scroll_by (&fixture, -2000);
  frames (&fixture, 2);
  gadget_transcript_follow (fixture.transcript);
  frames (&fixture, 2);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  check_rows (&fixture);
  tear_down (&fixture);
}

static void
test_width (void)
{
  Fixture fixture;
  guint position;

  set_up (&fixture, 200);
  scroll_by (&fixture, -5000);
  frames (&fixture, 2);
  position = fixture.transcript->anchor;
  gtk_widget_set_size_request (fixture.scrolled, 360, -1);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), 360, HEIGHT);
  for (guint i = 0; i < 50 && gtk_widget_get_width (GTK_WIDGET (fixture.transcript)) != 360; i++)
    frames (&fixture, 1);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture.transcript)), ==, 360);
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->anchor, ==, position);
  check_rows (&fixture);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), WIDTH, HEIGHT);
  for (guint i = 0; i < 50 && gtk_widget_get_width (GTK_WIDGET (fixture.transcript)) != WIDTH; i++)
    frames (&fixture, 1);
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->anchor, ==, position);
  check_rows (&fixture);
  tear_down (&fixture);
}

/* A window that becomes narrow is laid out once as if nothing else gave way: the buttons at a foot
 * need more room than there is then. They are one before the row is measured, or GTK would warn. */
static void
test_narrow (void)
{
  Fixture fixture;

  set_up (&fixture, 3);
  gadget_transcript_follow (fixture.transcript);
  frames (&fixture, 4);
  gtk_widget_set_size_request (fixture.scrolled, 160, -1);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), 160, HEIGHT);
  for (guint i = 0; i < 50 && gtk_widget_get_width (GTK_WIDGET (fixture.transcript)) != 160; i++)
    frames (&fixture, 1);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture.transcript)), ==, 160);
  frames (&fixture, 2);
  check_rows (&fixture);
  tear_down (&fixture);
}

/* A selection from a row that is gone as a widget to one in sight, copied from the sources. */
static void
test_selection (void)
{
  Fixture fixture;
  GadgetTranscript *self;
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *all = NULL;
  GadgetTurn *first;
  GadgetTurn *last;

  set_up (&fixture, 100);
  self = fixture.transcript;
  g_assert_null (gadget_transcript_dup_selection (self));
  gadget_transcript_select_all (self);
  all = gadget_transcript_dup_selection (self);
  first = gadget_session_get_turn (fixture.session, 0);
  last = gadget_session_get_turn (fixture.session, 99);
  g_assert_true (g_str_has_prefix (all, gadget_turn_get_prompt (first)));
  for (guint i = 0; i < 100; i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (fixture.session, i);
      GadgetItem *item = gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
      g_autofree char *answer = g_strdup (gadget_item_get_text (item));

      g_strchomp (answer);
      g_assert_nonnull (strstr (all, gadget_turn_get_prompt (turn)));
      g_assert_nonnull (strstr (all, answer));
    }

  /* From the fifth byte of the first prompt to the seventh of the last. */
  gadget_transcript_selection_set_ends (
      self->selection, (GadgetTextPosition) { 0, 5 },
      (GadgetTextPosition) { gadget_transcript_model_get_turn_row (self->model, 99), 7 });
  text = gadget_transcript_dup_selection (self);
  g_assert_true (g_str_has_prefix (text, gadget_turn_get_prompt (first) + 5));
  expected = g_strndup (gadget_turn_get_prompt (last), 7);
  g_assert_true (g_str_has_suffix (text, expected));
  g_assert_null (_gadget_transcript_get_realized (self, 0));

  /* Rows that come before the range move it. */
  gadget_transcript_unselect (self);
  g_assert_null (gadget_transcript_dup_selection (self));
  tear_down (&fixture);
}

/* A long text is several rows, and a selection across them is one text. */
static void
test_selection_in_pieces (void)
{
  Fixture fixture;
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autofree char *words = gadget_test_words (random, 1 << 20);
  g_autofree char *text = NULL;
  GadgetItem *item;

  set_up (&fixture, 1);
  item = start_turn (&fixture, "long");
  gadget_item_append_text (item, words, -1);
  frames (&fixture, 2);
  g_assert_cmpuint (get_n_rows (&fixture), >, 100);
  check_rows (&fixture);
  gadget_transcript_select_all (fixture.transcript);
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_strchomp (words);
  g_assert_nonnull (strstr (text, words));

  /* What streams after the selection was made does not change what is selected. */
  gadget_transcript_unselect (fixture.transcript);
  gadget_transcript_selection_set_ends (
      fixture.transcript->selection, (GadgetTextPosition) { get_n_rows (&fixture) - 3, 0 },
      (GadgetTextPosition) { get_n_rows (&fixture) - 2, strlen (words) });
  g_clear_pointer (&text, g_free);
  text = gadget_transcript_dup_selection (fixture.transcript);
  for (guint i = 0; i < 500; i++)
    gadget_item_append_text (item, "and so it goes on\n", -1);
  frames (&fixture, 2);
  {
    g_autofree char *after = gadget_transcript_dup_selection (fixture.transcript);

    g_assert_cmpstr (after, ==, text);
  }
  tear_down (&fixture);
}

static void
test_turns (void)
{
  Fixture fixture;
  guint row;

  set_up (&fixture, 30);
  gadget_transcript_go_to_turn (fixture.transcript, -1);
  frames (&fixture, 2);
  for (guint i = 0; i < 5; i++)
    {
      gadget_transcript_go_to_turn (fixture.transcript, -1);
      frames (&fixture, 2);
      row = fixture.transcript->anchor;
      g_assert_cmpuint (gadget_transcript_model_get_turn_row (
                            fixture.transcript->model,
                            gadget_transcript_model_get_row (fixture.transcript->model, row)->turn),
                        ==, row);
      g_assert_cmpint (_gadget_transcript_get_realized (fixture.transcript, row)->y, ==, 0);
    }
  row = fixture.transcript->anchor;
  gadget_transcript_go_to_turn (fixture.transcript, 1);
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->anchor, >, row);
  tear_down (&fixture);
}

static void
test_accessible (void)
{
  Fixture fixture;
  GadgetRealizedRow *footer;

  set_up (&fixture, 3);
  gtk_test_accessible_assert_role (fixture.transcript, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_test_accessible_assert_property (fixture.transcript, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Conversation");
  footer = _gadget_transcript_get_realized (fixture.transcript, get_n_rows (&fixture) - 1);
  gtk_test_accessible_assert_role (footer->widget, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  gtk_test_accessible_assert_property (footer->widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "Finished");
  tear_down (&fixture);
}

static void
check_numbers (Fixture *fixture)
{
  g_assert_cmpuint (fixture->transcript->realized_rows->len, >, 0);
  for (guint i = 0; i < fixture->transcript->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = _gadget_transcript_get_nth (fixture->transcript, i);

      gtk_test_accessible_assert_relation (row->widget, GTK_ACCESSIBLE_RELATION_POS_IN_SET,
                                           row->position + 1);
      gtk_test_accessible_assert_relation (row->widget, GTK_ACCESSIBLE_RELATION_SET_SIZE,
                                           get_n_rows (fixture));
    }
}

/* Screen readers are told which row of how many it is, though only those in sight are widgets. */
static void
test_numbers (void)
{
  Fixture fixture;
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("another", "And what is that?");

  set_up (&fixture, 40);
  check_numbers (&fixture);
  scroll_by (&fixture, -1000);
  frames (&fixture, 2);
  check_numbers (&fixture);
  gadget_session_append (fixture.session, turn);
  frames (&fixture, 2);
  check_numbers (&fixture);
  tear_down (&fixture);
}

/* Turns replaced, and the session itself, while the transcript is shown. */
static void
test_replace (void)
{
  Fixture fixture;
  g_autoptr (GadgetSession) other = gadget_test_session_new (40, 9);
  g_autoptr (GPtrArray) none = g_ptr_array_new_with_free_func (g_object_unref);

  set_up (&fixture, 40);
  scroll_by (&fixture, -1000);
  frames (&fixture, 1);
  gadget_session_set_turns (fixture.session, none);
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->realized_rows->len, ==, 0);
  gadget_transcript_set_session (fixture.transcript, other);
  frames (&fixture, 2);
  check_rows (&fixture);
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  gadget_transcript_set_session (fixture.transcript, NULL);
  frames (&fixture, 2);
  g_assert_cmpuint (fixture.transcript->realized_rows->len, ==, 0);
  gadget_transcript_set_session (fixture.transcript, fixture.session);
  frames (&fixture, 1);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript/open", test_open);
  g_test_add_func ("/ui/transcript/empty", test_empty);
  g_test_add_func ("/ui/transcript/no-jump/scrolling", test_no_jump_scrolling);
  g_test_add_func ("/ui/transcript/no-jump/value", test_no_jump_value);
  g_test_add_func ("/ui/transcript/no-jump/growing", test_no_jump_growing);
  g_test_add_func ("/ui/transcript/top", test_top);
  g_test_add_func ("/ui/transcript/following", test_following);
  g_test_add_func ("/ui/transcript/width", test_width);
  g_test_add_func ("/ui/transcript/narrow", test_narrow);
  g_test_add_func ("/ui/transcript/selection", test_selection);
  g_test_add_func ("/ui/transcript/selection/pieces", test_selection_in_pieces);
  g_test_add_func ("/ui/transcript/turns", test_turns);
  g_test_add_func ("/ui/transcript/accessible", test_accessible);
  g_test_add_func ("/ui/transcript/numbers", test_numbers);
  g_test_add_func ("/ui/transcript/replace", test_replace);
  return g_test_run ();
}
