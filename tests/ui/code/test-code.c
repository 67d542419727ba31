/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of code: their colours, and what can be done with them. */

#include "code-fixture.h"
#include "test-file-dialog.h"
#include "wait.h"

#include "ui/code/gadget-code-engine.h"
#include "ui/code/gadget-code-language.h"
#include "ui/code/gadget-code.h"

#include <adwaita.h>
#include <math.h>
#include <stdlib.h>

static double
get_luminance (guint color)
{
  const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    {
      const double value = (double) ((color >> (8 * i)) & 0xff) / 255;

      sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
    }
  return sum;
}

static double
get_contrast (guint a, guint b)
{
  const double first = get_luminance (a);
  const double second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

#define PYTHON                                                                                     \
  "Look:\n\n```py\nimport asyncio\n\n\nclass Server:\n    \"\"\"Says naïve things.\"\"\"\n\n"      \
  "    async def handle(self):\n        self.open += 1  # until the end\n```\n\nDone.\n"

static void
test_colors (void)
{
  CodeFixture fixture;
  GadgetSelectableText *piece;
  guint comment, dark_comment;

  code_fixture_set_up (&fixture, PYTHON, FALSE);
  piece = code_fixture_get_piece (&fixture, 2);
  code_fixture_wait_color (piece, "# until the end");
  comment = code_fixture_get_color (piece, "# until the end");
  g_assert_cmpuint (code_fixture_get_color (piece, "import"), !=, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "\"\"\"Says naïve things.\"\"\""), !=,
                    G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "class"), !=, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, ".open"), ==, G_MAXUINT);
  g_assert_cmpfloat (get_contrast (comment, 0xffffff), >=, 4.5);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  gadget_test_wait_frames (fixture.window, 3);
  dark_comment = code_fixture_get_color (piece, "# until the end");
  g_assert_cmpuint (dark_comment, !=, comment);
  g_assert_cmpuint (dark_comment, !=, G_MAXUINT);
  g_assert_cmpfloat (get_contrast (dark_comment, 0x1d1d20), >=, 4.5);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpuint (code_fixture_get_color (piece, "# until the end"), ==, comment);
  code_fixture_tear_down (&fixture);
}

/* What the first letter of each word of a growing block looks like is never taken back. */
static void
test_streaming (void)
{
  static const char text[] = "```c\n/* One comment,\n   of two lines. */\nint x = 12;\n\n"
                             "const char *s = \"a string\";\nreturn 0;\n```\n\nDone.\n";
  CodeFixture fixture;
  guint comment = G_MAXUINT;

  code_fixture_set_up (&fixture, "", TRUE);
  for (gsize i = 0; i < strlen (text); i++)
    {
      GadgetSelectableText *piece;

      gadget_item_append_text (fixture.item, text + i, 1);
      gadget_test_wait_frames (fixture.window, 1);
      if (i < 25)
        continue;
      piece = code_fixture_get_piece (&fixture, 1);
      if (comment == G_MAXUINT && i == 30)
        code_fixture_wait_color (piece, "One");
      if (i >= 30)
        {
          g_assert_cmpuint (code_fixture_get_color (piece, "One"), !=, G_MAXUINT);
          g_assert_true (comment == G_MAXUINT || comment == code_fixture_get_color (piece, "One"));
          comment = code_fixture_get_color (piece, "One");
        }
    }
  {
    GadgetSelectableText *piece = code_fixture_get_piece (&fixture, 1);

    g_assert_cmpuint (code_fixture_get_color (piece, "of two lines."), ==, comment);
    g_assert_cmpuint (code_fixture_get_color (piece, "12"), !=, comment);
    g_assert_cmpuint (code_fixture_get_color (piece, "\"a string\""), !=, G_MAXUINT);
    g_assert_cmpuint (code_fixture_get_color (piece, "return"), !=, G_MAXUINT);
  }
  code_fixture_tear_down (&fixture);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  (*(guint *) data)++;
}

/* Blocks of one language that come at once wait for the same rules. */
static void
test_prepared_once (void)
{
  static const char *const ids[] = { "vala", "go", "rust", "ruby", "lua", "java", "perl", "swift" };
  guint n = 0;

  for (guint i = 0; i < 4 * G_N_ELEMENTS (ids); i++)
    gadget_code_engine_prepare (ids[i % G_N_ELEMENTS (ids)], prepared_cb, &n);
  wait_until (n == 4 * G_N_ELEMENTS (ids));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GadgetCodeEngine) engine = gadget_code_engine_acquire (ids[i]);

      g_assert_nonnull (engine);
    }
  /* What is known already is there at once, but not before this returns. */
  gadget_code_engine_prepare (ids[0], prepared_cb, &n);
  g_assert_cmpuint (n, ==, 4 * G_N_ELEMENTS (ids));
  wait_until (n == 4 * G_N_ELEMENTS (ids) + 1);
}

/* The next block of a language comes with its colours: it is painted once. */
static void
test_at_once (void)
{
  CodeFixture fixture;
  GadgetSelectableText *piece;

  code_fixture_set_up (&fixture, "```py\nimport one\n```\n\nAnd then:\n\n", TRUE);
  code_fixture_wait_color (code_fixture_get_piece (&fixture, 1), "import");
  gadget_item_append_text (fixture.item, "```py\nimport two\nx =", -1);
  gadget_test_wait_frames (fixture.window, 1);
  piece = code_fixture_get_piece (&fixture, 3);
  g_assert_nonnull (strstr (gadget_selectable_text_get_text (piece), "two"));
  g_assert_cmpuint (code_fixture_get_color (piece, "import"), !=, G_MAXUINT);
  code_fixture_tear_down (&fixture);
}

/* In so long a block one engine takes the place of another, also between two comments. */
static void
test_long (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new ("```c\n/* A comment\n");
  GadgetSelectableText *piece;
  guint comment, n_rows;

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "int not_code_%u = %u;\n", i, i);
  g_string_append (text, "*/\n");
  for (guint i = 0; i < 4000; i++)
    g_string_append_printf (text, "/* %u */ static int code_%u = %u;\n", i, i, i);
  g_string_append (text, "/* Another\nint not_code;\n*/\nint last = 0x5f5f;\n```\n");
  code_fixture_set_up (&fixture, text->str, TRUE);
  n_rows = gadget_transcript_model_get_n_rows (fixture.transcript->model);
  piece = code_fixture_get_piece (&fixture, n_rows - 2);
  code_fixture_wait_color (piece, "int not_code;");
  comment = code_fixture_get_color (piece, "Another");
  g_assert_cmpuint (code_fixture_get_color (piece, "int not_code;"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "0x5f5f"), !=, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "0x5f5f"), !=, G_MAXUINT);
  _gadget_transcript_scroll_to (fixture.transcript, 30, 0);
  gadget_test_wait_frames (fixture.window, 2);
  code_fixture_wait_color (code_fixture_get_piece (&fixture, 30), "int not_code");
  g_assert_cmpuint (code_fixture_get_color (code_fixture_get_piece (&fixture, 30), "int not_code"),
                    ==, comment);
  code_fixture_tear_down (&fixture);
}

static void
test_names (void)
{
  static const char *const names[][3] = {
    { "c", "C", "code.c" },           { "PY", "Python", "code.py" },
    { "sh", "Shell", "code.sh" },     { "c++", "C++", "code.cpp" },
    { "yml", "YAML", "code.yaml" },   { "js", "JavaScript", "code.js" },
    { "rs", "Rust", "code.rs" },      { "dockerfile", "Dockerfile", "Dockerfile" },
    { "text", "Text", "code.txt" },   { "no-such", "no-such", "code.txt" },
    { "", "Text", "code.txt" },       { "CPP", "C++", "code.cpp" },
    { "tf", "Terraform", "code.tf" }, { "graphql", "GraphQL", "code.graphql" },
    { "wren", "Wren", "code.wren" },
  };
  /* Those that are known are found, and have rules. */
  static const char *const words[] = { "bash", "c#",  "cmd",   "cs",       "dot",   "ex",   "f#",
                                       "go",   "hcl", "json5", "protobuf", "proto", "pwsh", "sass",
                                       "sol",  "sql", "tsx",   "vue",      "wren",  "yaml", "zsh" };
  CodeFixture fixture;

  /* The last two need the list of languages, which showing code has read. */
  code_fixture_set_up (&fixture, PYTHON, FALSE);
  code_fixture_wait_color (code_fixture_get_piece (&fixture, 2), "# until the end");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = gadget_code_language_dup_file_name (names[i][0]);

      g_assert_cmpstr (gadget_code_language_get_name (names[i][0]), ==, names[i][1]);
      g_assert_cmpstr (file, ==, names[i][2]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_test_message ("%s", words[i]);
      g_assert_nonnull (gadget_code_language_find (words[i]));
    }
  /* One in no language says so, calmly. */
  g_assert_cmpstr (gadget_code_language_get_name (NULL), ==, "Text");
  code_fixture_tear_down (&fixture);
}

static char *
make_long (guint n_lines)
{
  GString *text = g_string_new ("Look:\n\n```c\n");

  for (guint i = 0; i < n_lines; i++)
    g_string_append_printf (text, "int line_%u = %u;\n", i, i);
  g_string_append (text, "```\n\nDone.\n");
  return g_string_free_and_steal (text);
}

static void
test_fold (void)
{
  CodeFixture fixture;
  g_autofree char *text = make_long (232);
  g_autofree char *selected = NULL;
  g_autofree char *source = NULL;
  g_autofree char *copied = NULL;
  GtkWidget *button;

  code_fixture_set_up (&fixture, text, FALSE);
  /* The prompt, a paragraph, the first lines, the others, a paragraph, the status. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 6);
  g_assert_nonnull (
      strstr (gadget_selectable_text_get_text (code_fixture_get_piece (&fixture, 2)), "line_19 "));
  g_assert_null (
      strstr (gadget_selectable_text_get_text (code_fixture_get_piece (&fixture, 2)), "line_20 "));
  button = code_fixture_find_button (code_fixture_get_row (&fixture, 3), "Show 212 More Lines");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_focusable (button));

  /* What is folded is copied nevertheless: it is in what is selected. */
  gadget_transcript_select_all (fixture.transcript);
  selected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_nonnull (strstr (selected, "int line_19 = 19;\nint line_20 = 20;\n"));
  g_assert_nonnull (strstr (selected, "int line_231 = 231;\n\nDone."));
  source = gadget_transcript_dup_selection_source (fixture.transcript);
  g_assert_true (g_str_has_suffix (g_strchomp (source), g_strchomp (text)));
  g_signal_emit_by_name (code_fixture_wait_button (&fixture, 2, "Copy Code"), "clicked");
  copied = code_fixture_dup_clipboard (&fixture);
  g_assert_true (g_str_has_prefix (copied, "int line_0 = 0;\n"));
  g_assert_nonnull (strstr (copied, "int line_231 = 231;"));

  g_signal_emit_by_name (button, "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), >, 7);
  g_assert_nonnull (
      strstr (gadget_selectable_text_get_text (code_fixture_get_piece (&fixture, 2)), "line_20 "));
  g_assert_null (code_fixture_find_button (GTK_WIDGET (fixture.transcript), "Show 212 More Lines"));
  code_fixture_wait_color (code_fixture_get_piece (&fixture, 3), "int");

  button = code_fixture_wait_button (&fixture, 2, "Show Fewer Lines");
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 6);
  g_assert_false (
      gtk_widget_get_visible (code_fixture_wait_button (&fixture, 2, "Show Fewer Lines")));
  code_fixture_tear_down (&fixture);
}

/* What came while it was looked at stays open when it has come. */
static void
test_fold_streaming (void)
{
  CodeFixture fixture;
  g_autofree char *text = make_long (100);
  guint n_rows;

  code_fixture_set_up (&fixture, "", TRUE);
  gadget_item_append_text (fixture.item, text, -1);
  gadget_test_wait_frames (fixture.window, 3);
  n_rows = gadget_transcript_model_get_n_rows (fixture.transcript->model);
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (fixture.turn);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, n_rows);
  code_fixture_tear_down (&fixture);
}

/* Blocks that are a little longer than what would be left of them are not folded. */
static void
test_fold_bounds (void)
{
  for (guint lines = 29; lines <= 32; lines++)
    {
      CodeFixture fixture;
      g_autofree char *text = make_long (lines);
      const GadgetRowSpec *row;

      code_fixture_set_up (&fixture, text, FALSE);
      row = gadget_transcript_model_get_row (fixture.transcript->model, 3);
      g_assert_cmpint (row->folded, ==, lines > 30);
      code_fixture_tear_down (&fixture);
    }
}

static void
test_wrap (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new ("```c\nint x; /*");
  GtkWidget *wrap;
  int flat, wrapped;

  for (guint i = 0; i < 60; i++)
    g_string_append (text, " long");
  g_string_append (text, " */\n```\n");
  code_fixture_set_up (&fixture, text->str, FALSE);
  flat = gtk_widget_get_height (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (code_fixture_get_piece (&fixture, 1))), >,
                   720);

  wrap = code_fixture_wait_button (&fixture, 1, "Wrap Lines");
  g_assert_true (gtk_widget_get_focusable (wrap));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (wrap), TRUE);
  gadget_test_wait_frames (fixture.window, 3);
  wrapped = gtk_widget_get_height (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)));
  g_assert_cmpint (wrapped, >=, 3 * flat);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (code_fixture_get_piece (&fixture, 1))), <,
                   720);

  /* Its row may go and come back. */
  gadget_transcript_set_session (fixture.transcript, NULL);
  gadget_test_wait_frames (fixture.window, 2);
  gadget_transcript_set_session (fixture.transcript, fixture.session);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (code_fixture_get_piece (&fixture, 1))), ==,
                   wrapped);
  g_assert_true (gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (code_fixture_wait_button (&fixture, 1, "Wrap Lines"))));
  code_fixture_tear_down (&fixture);
}

/* Blocks that rush by are not furnished; those that stay are. */
static void
test_rush (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new (NULL);
  const gint64 begin = g_get_monotonic_time ();
  guint n_furnished = 0;

  for (guint i = 0; i < 8; i++)
    g_string_append (text, "```c\nint x;\n```\n\n");
  code_fixture_set_up (&fixture, text->str, FALSE);
  for (guint i = 1; i <= 8; i++)
    n_furnished +=
        code_fixture_find_button (code_fixture_get_row (&fixture, i), "Copy Code") != NULL;
  /* A machine that is busy with others may take so long that it is no rush. */
  if (g_get_monotonic_time () - begin < 300 * G_TIME_SPAN_MILLISECOND)
    g_assert_cmpuint (n_furnished, <, 8);
  for (guint i = 1; i <= 8; i++)
    code_fixture_wait_button (&fixture, i, "Copy Code");
  code_fixture_tear_down (&fixture);
}

static void
test_sideways (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new ("```\n");
  GtkWidget *body;
  graphene_rect_t before, after, other;

  /* Two rows, one of which has a long line. */
  for (guint i = 0; i < 80; i++)
    g_string_append (text, i == 3 ? "a line that is long, and longer, and so long that it does not "
                                    "fit into the column at all, not even nearly\n"
                                  : "x\n");
  g_string_append (text, "```\n");
  code_fixture_set_up (&fixture, text->str, TRUE);
  body = gtk_widget_get_parent (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)));
  g_assert_true (gtk_widget_get_focusable (body));
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)), body, &before));
  g_assert_true (gtk_widget_activate_action (body, "code.scroll", "i", 2));
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)), body, &after));
  g_assert_cmpfloat (after.origin.x, <, before.origin.x);
  body = gtk_widget_get_parent (GTK_WIDGET (code_fixture_get_piece (&fixture, 2)));
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (code_fixture_get_piece (&fixture, 2)), body, &other));
  g_assert_cmpfloat (other.origin.x, ==, after.origin.x);
  code_fixture_tear_down (&fixture);
}

/* Where all fits there is nothing to scroll, also after there was more room. */
static void
test_narrower (void)
{
  CodeFixture fixture;
  GtkWidget *piece;
  GtkWidget *body;
  graphene_rect_t at;

  code_fixture_set_up (&fixture, "```\nreturn 0;\n```\n", FALSE);
  piece = GTK_WIDGET (code_fixture_get_piece (&fixture, 1));
  body = gtk_widget_get_parent (piece);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), 360, 400);
  gadget_test_wait_frames (fixture.window, 6);
  g_assert_cmpint (gtk_widget_get_width (fixture.window), ==, 360);
  g_assert_true (gtk_widget_activate_action (body, "code.scroll", "i", 2));
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_true (gtk_widget_compute_bounds (piece, body, &at));
  g_assert_cmpfloat (at.origin.x, ==, 0);
  code_fixture_tear_down (&fixture);
}

static gboolean
has_content (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && g_str_equal (text, expected);
}

static void
test_save (void)
{
  CodeFixture fixture;
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), "code.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  GtkWidget *button;
  GadgetCode *code;

  code_fixture_set_up (&fixture, PYTHON, FALSE);
  button = code_fixture_wait_button (&fixture, 2, "Save Code…");
  code = gadget_code_get (fixture.item, strlen ("Look:\n\n"));
  name = gadget_code_dup_file_name (code);
  g_assert_cmpstr (name, ==, "code.py");
  text = gadget_code_dup_text (code);
  g_assert_true (g_str_has_prefix (text, "import asyncio\n\n\nclass Server:\n"));
  g_assert_true (g_str_has_suffix (text, "# until the end"));
  test_file_dialog_choose (file);
  g_signal_emit_by_name (button, "clicked");
  wait_until (has_content (path, text));
  code_fixture_tear_down (&fixture);
}

/* The longest time that one iteration took, in milliseconds of work. */
static gint64 began;
static double longest;
static GPollFunc real_poll;

static gint64
get_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint
poll_cb (GPollFD *fds, guint n, gint timeout)
{
  gint result;

  longest = MAX (longest, (double) (get_work () - began) / 1000);
  result = real_poll (fds, n, timeout);
  began = get_work ();
  return result;
}

/* It is a figure, not an assertion; but what would take seconds in one go is one. */
static void
test_hostile (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new ("```c\n/*");

  for (guint i = 0; i < 1 << 17; i++)
    g_string_append (text, "\"('{//*");
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "\nint a%u[] = { '\\'', \"\\\"\" }; /\\* ((((((((", i);
  real_poll = g_main_context_get_poll_func (NULL);
  began = get_work ();
  longest = 0;
  g_main_context_set_poll_func (NULL, poll_cb);
  code_fixture_set_up (&fixture, text->str, TRUE);
  for (guint i = 0; i < 200; i++)
    gadget_test_wait_frames (fixture.window, 1);
  g_main_context_set_poll_func (NULL, real_poll);
  g_test_message ("the longest iteration took %.1f ms", longest);
  g_assert_cmpfloat (longest, <, 1000);
  code_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_test_add_func ("/ui/code/colors", test_colors);
  g_test_add_func ("/ui/code/streaming", test_streaming);
  g_test_add_func ("/ui/code/at-once", test_at_once);
  g_test_add_func ("/ui/code/prepared-once", test_prepared_once);
  g_test_add_func ("/ui/code/long", test_long);
  g_test_add_func ("/ui/code/names", test_names);
  g_test_add_func ("/ui/code/fold", test_fold);
  g_test_add_func ("/ui/code/fold/streaming", test_fold_streaming);
  g_test_add_func ("/ui/code/fold/bounds", test_fold_bounds);
  g_test_add_func ("/ui/code/rush", test_rush);
  g_test_add_func ("/ui/code/wrap", test_wrap);
  g_test_add_func ("/ui/code/sideways", test_sideways);
  g_test_add_func ("/ui/code/narrower", test_narrower);
  g_test_add_func ("/ui/code/save", test_save);
  g_test_add_func ("/ui/code/hostile", test_hostile);
  return g_test_run ();
}
