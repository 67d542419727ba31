/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row with several pieces is one text to the pointer and to the selection. */

#include "gadget-test-ui.h"

#include "ui/transcript/model/gadget-row-data-private.h"
#include "ui/transcript/rows/gadget-row.h"

#define TEST_TYPE_ROW (test_row_get_type ())
G_DECLARE_FINAL_TYPE (TestRow, test_row, TEST, ROW, GadgetRow)

struct _TestRow
{
  GadgetRow parent_instance;
};

G_DEFINE_FINAL_TYPE (TestRow, test_row, GADGET_TYPE_ROW)

static void
test_row_class_init (TestRowClass *klass)
{
}

/* Two pieces below each other, and between them two beside each other. */
static void
test_row_init (TestRow *self)
{
  static const struct
  {
    const char *text;
    int column, row, width;
  } parts[] = { { "alpha beta\nsecond", 0, 0, 2 },
                { "one", 0, 1, 1 },
                { "two words", 1, 1, 1 },
                { "omega", 0, 2, 2 } };
  GPtrArray *pieces = g_ptr_array_new ();
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 12);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GtkWidget *piece = gadget_selectable_text_new (GADGET_TEXT_WRAP);

      gadget_selectable_text_set_text (GADGET_SELECTABLE_TEXT (piece), parts[i].text,
                                       strlen (parts[i].text));
      gtk_grid_attach (GTK_GRID (grid), piece, parts[i].column, parts[i].row, parts[i].width, 1);
      g_ptr_array_add (pieces, piece);
    }
  gadget_row_set_child (GADGET_ROW (self), grid);
  gadget_row_take_pieces (GADGET_ROW (self), pieces);
}

/* Where the pieces begin in "alpha beta\nsecond" "one" "two words" "omega". */
static const guint begins[] = { 0, 18, 22, 32 };
#define LENGTH 37

typedef struct
{
  GadgetRow *row;
  GtkWidget *window;
  GtkWidget *pieces[4];
} Fixture;

static void
set_up (Fixture *fixture)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "Do it.");
  g_autoptr (GadgetRowData) data = gadget_row_data_new (GADGET_ROW_KIND_PROMPT, turn, NULL);
  GtkWidget *row = g_object_new (TEST_TYPE_ROW, NULL);
  GtkWidget *grid = gtk_widget_get_first_child (row);
  GtkWidget *piece = gtk_widget_get_first_child (grid);

  data->start = 100;
  data->end = 137;
  fixture->row = GADGET_ROW (row);
  gadget_row_bind (fixture->row, data);
  for (guint i = 0; i < 4; i++, piece = gtk_widget_get_next_sibling (piece))
    fixture->pieces[i] = piece;
  fixture->window = gadget_test_window_new (row, 400, 300);
}

static void
tear_down (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
}

static guint
get_offset (Fixture *fixture, guint index, double x, double y)
{
  graphene_point_t point;
  guint offset = 0;

  g_assert_true (gtk_widget_compute_point (fixture->pieces[index], fixture->window,
                                           &GRAPHENE_POINT_INIT ((float) x, (float) y), &point));
  g_assert_true (
      gadget_row_get_offset_at (fixture->row, fixture->window, point.x, point.y, &offset));
  return offset;
}

static void
test_points (void)
{
  Fixture fixture;
  const double far = 10000;

  set_up (&fixture);
  g_assert_true (gadget_row_has_text (fixture.row));
  g_assert_cmpuint (gadget_row_get_length (fixture.row), ==, LENGTH);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (get_offset (&fixture, i, 1, 8), ==, begins[i]);
  /* Beside a piece its end; between two below each other the nearer one. */
  g_assert_cmpuint (get_offset (&fixture, 1, gtk_widget_get_width (fixture.pieces[1]) - 2, 8), ==,
                    begins[1] + 3);
  g_assert_cmpuint (get_offset (&fixture, 2, far, 8), ==, begins[2] + 9);
  g_assert_cmpuint (get_offset (&fixture, 0, far, gtk_widget_get_height (fixture.pieces[0]) + 2),
                    ==, 17);
  g_assert_cmpuint (get_offset (&fixture, 3, far, -2), ==, begins[3]);
  /* Above all and below all. */
  g_assert_cmpuint (get_offset (&fixture, 0, 100, -far), ==, 0);
  g_assert_cmpuint (get_offset (&fixture, 0, 0, far), ==, LENGTH);
  tear_down (&fixture);
}

static void
check_selection (Fixture *fixture, guint index, guint start, guint end)
{
  guint from, to;

  gadget_selectable_text_get_selection (GADGET_SELECTABLE_TEXT (fixture->pieces[index]), &from,
                                        &to);
  g_assert_cmpuint (from, ==, start);
  g_assert_cmpuint (to, ==, end);
}

static void
test_selection (void)
{
  Fixture fixture;

  set_up (&fixture);
  gadget_row_set_selection (fixture.row, 6, begins[2] + 3);
  check_selection (&fixture, 0, 6, 17);
  check_selection (&fixture, 1, 0, 3);
  check_selection (&fixture, 2, 0, 3);
  check_selection (&fixture, 3, 0, 0);
  gadget_row_set_selection (fixture.row, begins[2] + 4, LENGTH);
  check_selection (&fixture, 0, 0, 0);
  check_selection (&fixture, 1, 0, 0);
  check_selection (&fixture, 2, 4, 9);
  check_selection (&fixture, 3, 0, 5);
  /* From the end of a piece to the begin of the next one nothing is seen. */
  gadget_row_set_selection (fixture.row, 17, 18);
  for (guint i = 0; i < 4; i++)
    check_selection (&fixture, i, 0, 0);
  tear_down (&fixture);
}

static void
check_range (guint start, guint end, guint expected_start, guint expected_end)
{
  g_assert_cmpuint (start, ==, expected_start);
  g_assert_cmpuint (end, ==, expected_end);
}

static void
test_words (void)
{
  Fixture fixture;
  guint start, end;

  set_up (&fixture);
  gadget_row_get_word_at (fixture.row, 7, &start, &end);
  check_range (start, end, 6, 10);
  gadget_row_get_word_at (fixture.row, begins[2] + 5, &start, &end);
  check_range (start, end, begins[2] + 4, begins[2] + 9);
  gadget_row_get_line_at (fixture.row, 3, &start, &end);
  check_range (start, end, 0, 11);
  gadget_row_get_line_at (fixture.row, begins[1] + 2, &start, &end);
  check_range (start, end, begins[1], begins[1] + 3);
  gadget_row_get_line_at (fixture.row, LENGTH, &start, &end);
  check_range (start, end, begins[3], LENGTH);

  g_assert_cmpuint (gadget_row_to_source (fixture.row, 7), ==, 107);
  g_assert_cmpuint (gadget_row_from_source (fixture.row, 107), ==, 7);
  g_assert_cmpuint (gadget_row_from_source (fixture.row, 3), ==, 0);
  g_assert_cmpuint (gadget_row_from_source (fixture.row, 5000), ==, LENGTH);
  tear_down (&fixture);
}

/* The texts of an earlier child are no longer those of the row. */
static void
test_other_child (void)
{
  g_autoptr (GtkWidget) row = g_object_ref_sink (g_object_new (TEST_TYPE_ROW, NULL));

  g_assert_true (gadget_row_has_text (GADGET_ROW (row)));
  gadget_row_set_child (GADGET_ROW (row), gtk_label_new ("Other"));
  g_assert_false (gadget_row_has_text (GADGET_ROW (row)));
  g_assert_null (gadget_row_get_piece (GADGET_ROW (row)));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/row-text/points", test_points);
  g_test_add_func ("/ui/row-text/selection", test_selection);
  g_test_add_func ("/ui/row-text/words", test_words);
  g_test_add_func ("/ui/row-text/other-child", test_other_child);
  return g_test_run ();
}
