/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Misspelled words of a message: underlined, corrected from the menu, and left alone. The
 * dictionary is that of American English, which is the one for a system without a language. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-settings.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/composer/gadget-spelling-words.h"
#include "wait.h"

static GtkTextBuffer *
get_buffer (TestWindow *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
}

/* Whether the character is in a word that is marked. */
static gboolean
is_marked (TestWindow *self, int offset)
{
  GtkTextTag *tag = _gadget_spelling_get_tag (self->composer->spelling);
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_offset (get_buffer (self), &iter, offset);
  return gtk_text_iter_has_tag (&iter, tag);
}

static gboolean
is_any_marked (TestWindow *self)
{
  GtkTextTag *tag = _gadget_spelling_get_tag (self->composer->spelling);
  GtkTextIter iter;

  gtk_text_buffer_get_start_iter (get_buffer (self), &iter);
  return gtk_text_iter_has_tag (&iter, tag) || gtk_text_iter_forward_to_tag_toggle (&iter, tag);
}

static gboolean
is_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

static GtkWidget *
find_menu (TestWindow *self)
{
  return test_find (self->text, is_menu, NULL);
}

static void
point_at_character (TestWindow *self, int offset)
{
  GtkTextIter iter;
  GdkRectangle at;
  int x;
  int y;
  graphene_point_t point;
  double dx;
  double dy;
  g_autofree char *x_text = NULL;
  g_autofree char *y_text = NULL;

  gtk_text_buffer_get_iter_at_offset (get_buffer (self), &iter, offset);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self->text), &iter, &at);
  gtk_text_view_buffer_to_window_coords (GTK_TEXT_VIEW (self->text), GTK_TEXT_WINDOW_WIDGET,
                                         at.x + at.width / 2, at.y + at.height / 2, &x, &y);
  g_assert_true (gtk_widget_compute_point (self->text, GTK_WIDGET (self->window),
                                           &GRAPHENE_POINT_INIT ((float) x, (float) y), &point));
  gtk_native_get_surface_transform (GTK_NATIVE (self->window), &dx, &dy);
  x_text = g_strdup_printf ("%d", (int) (point.x + dx));
  y_text = g_strdup_printf ("%d", (int) (point.y + dy));
  test_xdo ("mousemove", x_text, y_text, NULL);
}

/* --- Tests --- */

static void
test_correct (TestWindow *self, gconstpointer data)
{
  gtk_widget_grab_focus (self->text);
  test_type ("helo world");
  wait_until (is_marked (self, 1));
  g_assert_false (is_marked (self, 6));

  /* By the pointer: the cursor was elsewhere. */
  point_at_character (self, 2);
  test_xdo ("click", "3", NULL);
  wait_until (find_menu (self) != NULL);
  wait_until (test_find_label (find_menu (self), "hello") != NULL);
  g_assert_nonnull (test_find_label (find_menu (self), "Languages"));
  test_click (test_find_label (find_menu (self), "hello"));
  wait_until (find_menu (self) == NULL);
  test_window_assert_text (self, "hello world");
  wait_until (!is_any_marked (self));

  /* From the keyboard, and undone. */
  gtk_widget_grab_focus (self->text);
  test_key ("ctrl+a");
  test_type ("wrld peace");
  wait_until (is_marked (self, 1));
  test_key ("Home");
  test_key ("shift+F10");
  wait_until (find_menu (self) != NULL && test_find_label (find_menu (self), "world") != NULL);
  test_click (test_find_label (find_menu (self), "world"));
  wait_until (find_menu (self) == NULL);
  test_window_assert_text (self, "world peace");
  test_key ("ctrl+z");
  test_window_assert_text (self, "wrld peace");
}

/* The word at which the cursor is may not be whole yet. */
static void
test_while_typing (TestWindow *self, gconstpointer data)
{
  gtk_widget_grab_focus (self->text);
  test_type ("good helo");
  test_run_for (500);
  g_assert_false (is_any_marked (self));
  test_type (" ");
  wait_until (is_marked (self, 6));
  /* Enter sends all the same. */
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_window_assert_text (self, "");
}

static void
test_switched_off (TestWindow *self, gconstpointer data)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();

  gtk_widget_grab_focus (self->text);
  test_type ("helo world");
  wait_until (is_marked (self, 1));
  g_settings_set_boolean (settings, "check-spelling", FALSE);
  wait_until (!is_any_marked (self));
  test_type (" wrld is");
  test_run_for (500);
  g_assert_false (is_any_marked (self));

  /* The menu says so, and changes it. */
  test_key ("shift+F10");
  wait_until (find_menu (self) != NULL);
  test_click (test_find_label (find_menu (self), "Check Spelling"));
  wait_until (find_menu (self) == NULL);
  g_assert_true (g_settings_get_boolean (settings, "check-spelling"));
  wait_until (is_marked (self, 1) && is_marked (self, 12));
  g_settings_reset (settings, "check-spelling");
}

/* Nothing is read that is not wanted, and the menu has it all the same. */
static void
test_begins_off (TestWindow *self, gconstpointer data)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();

  g_settings_set_boolean (settings, "check-spelling", FALSE);
  test_window_restart (self);
  gtk_widget_grab_focus (self->text);
  test_type ("helo world");
  test_run_for (500);
  g_assert_false (_gadget_spelling_is_ready (self->composer->spelling));
  test_key ("shift+F10");
  wait_until (find_menu (self) != NULL
              && test_find_label (find_menu (self), "Check Spelling") != NULL);
  test_click (test_find_label (find_menu (self), "Check Spelling"));
  wait_until (is_marked (self, 1));
  g_settings_reset (settings, "check-spelling");
}

static void
test_no_dictionary (TestWindow *self, gconstpointer data)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();

  g_settings_set_string (settings, "spelling-language", "zz_ZZ");
  test_window_restart (self);
  gtk_widget_grab_focus (self->text);
  test_type ("helo world");
  test_run_for (500);
  g_assert_false (_gadget_spelling_is_ready (self->composer->spelling));
  g_assert_false (is_any_marked (self));
  /* Another one can be chosen. */
  gtk_widget_activate_action (self->text, "spelling.language", "s", "en_US");
  wait_until (is_marked (self, 1));
  g_assert_true (gtk_widget_is_focus (self->text));
  g_settings_reset (settings, "spelling-language");
}

static void
test_long (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkTextIter start;
  GtkTextIter end;

  gtk_widget_grab_focus (self->text);
  test_type ("helo world");
  wait_until (is_marked (self, 1));
  /* All of it at once would be attached. */
  while (text->len < 30000)
    g_string_append (text, "xyzzq wrld ");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->text), text->str);
  for (int n = 10; n <= GADGET_SPELLING_MAX_CHARACTERS; n += (int) text->len)
    {
      test_key ("ctrl+v");
      wait_until (gtk_text_buffer_get_char_count (get_buffer (self)) == n + (int) text->len);
    }
  wait_until (!is_any_marked (self));
  test_run_for (500);
  g_assert_false (is_any_marked (self));
  gtk_text_buffer_get_iter_at_offset (get_buffer (self), &start, 10);
  gtk_text_buffer_get_end_iter (get_buffer (self), &end);
  gtk_text_buffer_delete (get_buffer (self), &start, &end);
  wait_until (is_marked (self, 1));
}

/* What is looked at, and where it is. */
static void
test_words (TestWindow *self, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *words;
  } cases[] = {
    { "", "" },
    { "Well, \"it's\" done: (yes).", "0Well 7it's 13done 20yes" },
    { "well-known E-Mail", "0well 5known 13Mail" },
    { "use `code here` now", "0use 16now" },
    { "it`s odd", "5odd" },
    { "see src/main.c, @src/uix.c or a@b.org", "0see 27or" },
    { "--flag $HOME .gitignore utf8 GtkWidget snake_case /tmp", "" },
    { "before\n```c\nint foobar;\n```\nafter", "0before 28after" },
    { "one\n  two\n\nthree", "0one 6two 11three" },
    { "„Grüße“ naïve’s", "1Grüße 8naïve’s" },
    { "the users' x", "0the 4users" },
    /* Names with capitals in them, and abbreviations. */
    { "GLib HTTPServer PDFs iOS GTask-like", "31like" },
    { "NULL and ENOENT, the USA's, I'm", "5and 17the 28I'm" },
    /* Names with underscores around them, but not emphasis; calls. */
    { "_init __main__ trailing_ _emphasis_", "26emphasis" },
    { "call foo() or bar(baz), then qux", "0call 11or 24then 29qux" },
    /* Code in more backticks than one, over a line's end, and in a block with another fence. */
    { "``a ` tick`` after", "13after" },
    { "`two\nlines` after", "12after" },
    { "it`s\n\nit`s odd", "11odd" },
    { "~~~\n```\nabc\n~~~\nafter", "16after" },
    { "````\n```\nabc\n````\nafter", "18after" },
    /* Code that was pasted as it is. */
    { "Look:\n  retval = fnord (str);\nint main (void) {\n}\nDone", "0Look 50Done" },
    { "Do:\n\tdef fnord\n    fnord blah\n    - itme two\nend", "0Do 36itme 41two 45end" },
    { "def fnord(blah):\nif fnord == blah\nfnord += blah\nend", "48end" },
    { "One thing; another (of two).\nWhy -> so: 2 + 2 = 4", "0One 4thing 11another 20of 23two" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) words = g_string_new (NULL);
      GadgetSpellingReader reader;
      GadgetSpellingWord word;

      gadget_spelling_reader_init (&reader, cases[i].text);
      while (gadget_spelling_reader_next (&reader, &word))
        g_string_append_printf (words, "%s%u%.*s", words->len > 0 ? " " : "", word.offset,
                                (int) word.length, word.text);
      g_assert_cmpstr (words->str, ==, cases[i].words);
    }
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/spelling/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add ("/ui/spelling/words", TestWindow, NULL, NULL, test_words, NULL);
  add ("correct", test_correct);
  add ("while-typing", test_while_typing);
  add ("switched-off", test_switched_off);
  add ("begins-off", test_begins_off);
  add ("no-dictionary", test_no_dictionary);
  add ("long", test_long);

  return g_test_run ();
}
