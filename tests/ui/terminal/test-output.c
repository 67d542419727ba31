/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tools write: colours, lines that are written over, and what only a terminal understands. */

#include "gadget-test-ui.h"

#include "ui/terminal/gadget-output-text.h"
#include "ui/terminal/gadget-sgr.h"
#include "ui/terminal/gadget-terminal-text.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-output-row.h"

#include <adwaita.h>
#include <string.h>

static void
assert_text (GadgetTerminalText *terminal, const char *expected)
{
  gsize length;
  const char *text = gadget_terminal_text_get (terminal, &length);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (length, ==, strlen (expected));
}

static const struct
{
  const char *input;
  const char *expected;
} lines[] = {
  { "plain\ttext\n", "plain\ttext\n" },
  { "dos\r\nlines\r\n", "dos\nlines\n" },
  { " 10 %\r 20 %\r100 %\n", "100 %\n" },
  { "abc\rX", "Xbc" },
  { "abc\r\033[KX", "X" },
  { "abc\033[2K\rX", "X" },
  { "abc\b\bX", "aXc" },
  { "\b\b\ra", "a" },
  { "abc\033[2Dx", "axc" },
  { "abc\033[1Gx", "xbc" },
  { "a\033[3Cb", "a   b" },
  { "abc\033[1Kd", "   d" },
  { "one\rtwo\nabc\rX", "two\nXbc" },
  { "na\303\257ve\rN", "Na\303\257ve" },
  { "e\314\201a\rx", "xa" },
  { "\033[31mred\033[0m", "red" },
  { "\033[2J\033[1;1Hhome", "home" },
  { "\033[?25lx\033[?25h", "x" },
  { "\033[>4;1mx", "x" },
  { "\033]0;title\007text", "text" },
  { "\033]8;;http://127.0.0.1/\033\\link\033]8;;\033\\", "link" },
  { "\033Pq#0;2;0;0;0\033\\end", "end" },
  { "\033]lost\nnext", "\nnext" },
  { "\033[lost\nnext", "ost\nnext" },
  { "\033[31\nnext", "\nnext" },
  { "\033(Bascii\033=\033>", "ascii" },
  { "\302\23331mred\302\2330m", "red" },
  { "bell\007 null\177 \001x", "bell null x" },
  { "a\342\200\256b\342\201\251", "a\\u202eb\\u2069" },
  { "abc\r\342\200\256", "\\u202e" },
  { "\342\200\242 \342\202\254", "\342\200\242 \342\202\254" },
  { "\033", "" },
  { "\033\033[1mx", "x" },
};

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GadgetTerminalText) terminal = gadget_terminal_text_new ();

      g_test_message ("line %u", i);
      gadget_terminal_text_feed (terminal, lines[i].input, strlen (lines[i].input));
      assert_text (terminal, lines[i].expected);
    }
  g_assert_true (gadget_terminal_text_is_needed ("a\342\200\256b", 5));
  g_assert_false (gadget_terminal_text_is_needed ("a\342\200\242b", 5));
}

/* Wherever a program's output is cut on its way, it is the same in the end. */
static void
test_cuts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GadgetTerminalText) terminal = gadget_terminal_text_new ();

      g_test_message ("line %u", i);
      for (const char *at = lines[i].input; *at != '\0'; at = g_utf8_next_char (at))
        gadget_terminal_text_feed (terminal, at, (gsize) (g_utf8_next_char (at) - at));
      assert_text (terminal, lines[i].expected);
    }
}

static void
note_cb (gsize start, gsize end, const GadgetTerminalStyle *style, gpointer user_data)
{
  g_string_append_printf (user_data, "%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT ":%x,%x,%x ", start,
                          end, style->foreground, style->background, style->flags);
}

static void
assert_styles (const char *input, const char *expected)
{
  g_autoptr (GadgetTerminalText) terminal = gadget_terminal_text_new ();
  g_autoptr (GString) found = g_string_new (NULL);
  gsize length;

  gadget_terminal_text_feed (terminal, input, strlen (input));
  gadget_terminal_text_get (terminal, &length);
  gadget_terminal_text_foreach (terminal, 0, length, note_cb, found);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_styles (void)
{
  assert_styles ("ab", "0-2:0,0,0 ");
  assert_styles ("a\033[1;31mbc\033[md", "0-1:0,0,0 1-3:1000001,0,1 3-4:0,0,0 ");
  assert_styles ("\033[92;104mx", "0-1:100000a,100000c,0 ");
  assert_styles ("\033[38;5;208mx", "0-1:10000d0,0,0 ");
  assert_styles ("\033[38;2;1;2;3mx", "0-1:2010203,0,0 ");
  assert_styles ("\033[48:2:1:2:3mx", "0-1:0,2010203,0 ");
  assert_styles ("\033[38:2::1:2:3;1mx", "0-1:2010203,0,1 ");
  assert_styles ("\033[1;2;3;4;7;9mx\033[22;23;24;27;29my", "0-1:0,0,3f 1-2:0,0,0 ");
  assert_styles ("\033[4:3mx\033[4:0my", "0-1:0,0,8 1-2:0,0,0 ");
  assert_styles ("\033[31ma\033[39mb\033[31mc", "0-1:1000001,0,0 1-2:0,0,0 2-3:1000001,0,0 ");
  assert_styles ("\033[38;5mx", "0-1:0,0,0 ");
  assert_styles ("\033[38;2;1mx", "0-1:0,0,0 ");
  assert_styles ("\033[38:1;31mx", "0-1:1000001,0,0 ");
  /* The color of the underline, which is not shown. */
  assert_styles ("\033[4;58;2;255;0;0mx", "0-1:0,0,8 ");
  assert_styles ("\033[58;5;1mx\033[58:2::1:2:3;4my\033[59mz", "0-1:0,0,0 1-3:0,0,8 ");
  assert_styles ("\033[99999999999999999999mx", "0-1:0,0,0 ");
  /* What is written over has the colour of what it is written with. */
  assert_styles ("\033[31mabc\r\033[32mX\n", "0-1:1000002,0,0 1-3:1000001,0,0 3-4:0,0,0 ");
}

/* --- Bombs --- */

static GadgetTerminalText *
feed_many (const char *piece, gsize total)
{
  GadgetTerminalText *terminal = gadget_terminal_text_new ();
  const gsize length = strlen (piece);
  const gint64 start = g_get_monotonic_time ();
  gsize left;

  for (gsize at = 0; at < total; at += length)
    gadget_terminal_text_feed (terminal, piece, length);
  gadget_terminal_text_get (terminal, &left);
  g_assert_cmpuint (left, <=, 3 * total);
  /* A second at most as a rule; many times that is left for a machine that does other things. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
  return terminal;
}

static void
test_bombs (void)
{
  static const char *const pieces[] = {
    "\033[31ma\033[32mb", "\033[", "\033]", "\033]x",     "a\r",        "\r",
    "abcdefgh\b",         "\b",    "0;",    "\033[999Cx", "\033[2K\rx", "x\033[38;2;1;2;3;4;5;6;7m",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GadgetTerminalText) terminal = NULL;

      g_test_message ("piece %u", i);
      terminal = feed_many (pieces[i], 1024 * 1024);
    }
}

static void
count_cb (gsize start, gsize end, const GadgetTerminalStyle *style, gpointer user_data)
{
  *(guint *) user_data += 1;
}

/* Styles beyond all measure are left out; the text is there. */
static void
test_many_styles (void)
{
  g_autoptr (GadgetTerminalText) terminal = feed_many ("\033[31ma\033[32mb", 2 * 1024 * 1024);
  gsize length;
  guint n = 0;

  gadget_terminal_text_get (terminal, &length);
  g_assert_cmpuint (length, >, 2 * 100000);
  gadget_terminal_text_foreach (terminal, 0, length, count_cb, &n);
  g_assert_cmpuint (n, >, 1000);
  g_assert_cmpuint (n, <=, 65537);
}

/* --- Colours --- */

static void
test_contrast (void)
{
  static const GdkRGBA views[] = { { 1, 1, 1, 1 }, { 0.114f, 0.114f, 0.125f, 1 } };
  static const GdkRGBA texts[] = { { 0.2f, 0.2f, 0.22f, 1 }, { 1, 1, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    for (guint index = 0; index < 256; index++)
      {
        GdkRGBA color = { 0, 0, 0, 1 };

        gadget_sgr_get_color (GADGET_TERMINAL_COLOR_INDEX (index), &color.red, &color.green,
                              &color.blue);
        gadget_output_row_make_readable (&color, &views[i], &texts[i]);
        g_assert_cmpfloat (gadget_output_row_get_contrast (&color, &views[i]), >=, 4.5);
      }
  /* What can be read stays what it is. */
  {
    GdkRGBA blue = { 0, 0, 0.6f, 1 };

    gadget_output_row_make_readable (&blue, &views[0], &texts[0]);
    g_assert_cmpfloat (blue.blue, ==, 0.6f);
    g_assert_cmpfloat (blue.red, ==, 0);
  }
}

/* --- In the transcript --- */

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
} Fixture;

static void
set_up (Fixture *fixture)
{
  *fixture = (Fixture) { .session = gadget_session_new ("s"),
                         .turn = gadget_turn_new ("turn-1", "Do it."),
                         .item = gadget_item_new_tool_call ("call-1", "shell") };
  gadget_session_append (fixture->session, fixture->turn);
  gadget_item_set_status (fixture->item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture->turn, fixture->item);
  fixture->window = gadget_test_transcript_new (fixture->session, 720, 600, &fixture->transcript);
  gadget_transcript_model_set_expanded (fixture->transcript->model, 1, TRUE);
}

static void
tear_down (Fixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  g_assert_finalize_object (fixture->item);
}

static GadgetSelectableText *
get_output (Fixture *fixture)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  gadget_test_wait_frames (fixture->window, 3);
  for (guint i = gadget_transcript_model_get_n_rows (model); i > 0; i--)
    if (gadget_transcript_model_get_row (model, i - 1)->kind == GADGET_ROW_KIND_TOOL_OUTPUT)
      return gadget_row_get_piece (
          _gadget_transcript_get_realized (fixture->transcript, i - 1)->widget);
  g_assert_not_reached ();
}

static void
append (Fixture *fixture, const char *text)
{
  gadget_item_append_text (fixture->item, text, -1);
}

/* Live, as it comes: a line that is written over does not grow, and what is copied is what is read.
 */
static void
test_live (void)
{
  g_autofree char *copied = NULL;
  Fixture fixture;

  set_up (&fixture);
  append (&fixture, "\033[1mBuilding\033[0m\n 10 %");
  g_assert_cmpstr (gadget_selectable_text_get_text (get_output (&fixture)), ==, "Building\n 10 %");
  append (&fixture, "\r 20 %");
  g_assert_cmpstr (gadget_selectable_text_get_text (get_output (&fixture)), ==, "Building\n 20 %");
  append (&fixture, "\r\033[Kdone");
  g_assert_cmpstr (gadget_selectable_text_get_text (get_output (&fixture)), ==, "Building\ndone");
  append (&fixture, "\nnext \033[3");
  append (&fixture, "1mred\033[0m");
  g_assert_cmpstr (gadget_selectable_text_get_text (get_output (&fixture)), ==,
                   "Building\ndone\nnext red");
  gadget_transcript_select_all (fixture.transcript);
  copied = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_suffix (copied, "Building\ndone\nnext red"));
  g_assert_null (strchr (copied, '\033'));
  gadget_transcript_unselect (fixture.transcript);
  /* All that was written is on record as it was. */
  g_assert_nonnull (strchr (gadget_item_get_text (fixture.item), '\033'));
  tear_down (&fixture);
}

/* Long lines that are written over and over, shrinking and growing, while they are looked at. */
static void
test_shrinks (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *line = g_strnfill ((gsize) g_test_rand_int_range (0, 6000), 'x');

      append (&fixture, g_test_rand_bit () ? "\r\033[K" : "\n");
      append (&fixture, line);
      get_output (&fixture);
    }
  append (&fixture, "\r\033[Kthe end");
  g_assert_true (
      g_str_has_suffix (gadget_selectable_text_get_text (get_output (&fixture)), "the end"));
  tear_down (&fixture);
}

/* Folded, nothing is kept; unfolded again, it is the same. */
static void
test_folded (void)
{
  Fixture fixture;

  set_up (&fixture);
  append (&fixture, "a\rb");
  get_output (&fixture);
  g_assert_true (gadget_output_text_has_styles (fixture.item));
  gadget_transcript_model_set_expanded (fixture.transcript->model, 1, FALSE);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_false (gadget_output_text_has_styles (fixture.item));
  append (&fixture, "c");
  gadget_transcript_model_set_expanded (fixture.transcript->model, 1, TRUE);
  g_assert_cmpstr (gadget_selectable_text_get_text (get_output (&fixture)), ==, "bc");
  tear_down (&fixture);
}

/* Output without controls is not kept a second time. */
static void
test_plain (void)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", "shell");
  gsize length;

  gadget_item_set_result (item, "the result");
  g_assert_cmpstr (gadget_output_text_get (item, &length), ==, "the result");
  gadget_item_append_text (item, "plain\ttext\n", -1);
  g_assert_true (gadget_output_text_get (item, &length) == gadget_item_get_text (item));
  g_assert_cmpuint (length, ==, 11);
  g_assert_false (gadget_output_text_has_styles (item));
}

/* The window becomes dark: what is read stays readable. */
static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  Fixture fixture;

  set_up (&fixture);
  append (&fixture, "\033[30mblack\033[37mwhite\033[33;44myellow on blue\033[7minverse");
  get_output (&fixture);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  gadget_test_wait_frames (fixture.window, 3);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  get_output (&fixture);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/output/lines", test_lines);
  g_test_add_func ("/ui/output/cuts", test_cuts);
  g_test_add_func ("/ui/output/styles", test_styles);
  g_test_add_func ("/ui/output/bombs", test_bombs);
  g_test_add_func ("/ui/output/many-styles", test_many_styles);
  g_test_add_func ("/ui/output/contrast", test_contrast);
  g_test_add_func ("/ui/output/plain", test_plain);
  g_test_add_func ("/ui/output/live", test_live);
  g_test_add_func ("/ui/output/shrinks", test_shrinks);
  g_test_add_func ("/ui/output/folded", test_folded);
  g_test_add_func ("/ui/output/dark", test_dark);
  return g_test_run ();
}
