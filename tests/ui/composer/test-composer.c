/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How high the composer is, and what it says that Cancel would stop. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

static gboolean
says (TestWindow *self, const char *hint)
{
  g_autofree char *difference = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, hint);

  return difference == NULL;
}

static void
test_hint (TestWindow *self, gconstpointer data)
{
  GadgetReceipt *receipt;
  guint command;
  g_autofree char *narrow = NULL;

  g_assert_true (says (self, ""));
  receipt = gadget_turn_get_receipt (test_window_send (self, "hello"));
  /* The provider's. */
  g_assert_true (says (self, "Stops 1 connection"));
  command = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "make");
  g_assert_true (says (self, "Stops 1 connection, 1 command"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (self->button), ==, "Stops 1 connection, 1 command");
  gadget_receipt_end (receipt, command, "ended", 0);
  g_assert_true (says (self, "Stops 1 connection"));
  /* Its name is not seen then. */
  g_object_set (self->composer, "narrow", TRUE, NULL);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (self->button), ==, "Cancel\nStops 1 connection");
  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (g_str_equal (test_window_get_face (self), "Send"));
  g_assert_true (says (self, ""));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (self->button), ==, "Send");
}

static int
get_height (TestWindow *self)
{
  gadget_test_wait_frames (self->text, 4);
  return gtk_widget_get_height (GTK_WIDGET (self->composer->scroller));
}

static void
test_height (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autofree char *many = g_strnfill (200, '\n');
  const int one = get_height (self);
  const int window = gtk_widget_get_height (GTK_WIDGET (self->window));

  gtk_text_buffer_set_text (buffer, "\n\n", -1);
  wait_until (get_height (self) > one);
  gtk_text_buffer_set_text (buffer, many, -1);
  wait_until (get_height (self) >= window / 3 - 25);
  g_assert_cmpint (get_height (self), <=, window / 3 + 8);
  gadget_composer_clear (self->composer);
  wait_until (get_height (self) == one);
}

static int
get_caret (TestWindow *self)
{
  GdkRectangle caret;

  gadget_test_wait_frames (self->text, 2);
  gtk_text_view_get_cursor_locations (GTK_TEXT_VIEW (self->text), NULL, &caret, NULL);
  return caret.x;
}

/* The caret of an empty composer stands where its words begin; that of a text where that ends. */
static void
test_caret_mirrored (TestWindow *self, gconstpointer data)
{
  int middle;

  gadget_test_wait_frames (self->text, 4);
  middle = gtk_widget_get_width (self->text) / 2;
  g_assert_true (gtk_widget_is_focus (self->text));
  g_assert_cmpint (get_caret (self), <, middle);
  gtk_widget_set_direction (self->text, GTK_TEXT_DIR_RTL);
  g_assert_cmpint (get_caret (self), >, middle);
  test_type ("hello");
  g_assert_cmpint (get_caret (self), <, middle);
  gadget_composer_clear (self->composer);
  g_assert_cmpint (get_caret (self), >, middle);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), "שלום", -1);
  g_assert_cmpint (get_caret (self), >, middle);
  gadget_composer_clear (self->composer);
}

/* The longest that nothing else is done while the text is laid out, in microseconds. */
static gint64
measure_stall (void)
{
  const gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC;
  gint64 before = g_get_monotonic_time ();
  gint64 longest = 0;

  while (before < end)
    {
      g_main_context_iteration (NULL, FALSE);
      longest = MAX (longest, g_get_monotonic_time () - before);
      g_usleep (1000);
      before = g_get_monotonic_time ();
    }
  return longest;
}

static gboolean
is_broken_anywhere (GtkTextBuffer *buffer, int line)
{
  GtkTextTag *tag = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "long-word");
  GtkTextIter start;

  gtk_text_buffer_get_iter_at_line (buffer, &start, line);
  return gtk_text_iter_has_tag (&start, tag);
}

/* Thirty times what it takes, and ten times with sanitizers; see gadget-long-words.c for what it
 * would be otherwise. */
#define LONG_STALL (WAIT_S * G_USEC_PER_SEC / 2)

/* Sixty thousand characters without a space, as a draft or from the clipboard. */
static void
test_long_word (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autofree char *word = g_strnfill (60000, 'x');
  g_autofree char *text = g_strconcat ("Some words first.\n", word, "\nAnd some after it.", NULL);
  GtkTextIter start, end;

  gtk_text_buffer_set_text (buffer, text, -1);
  g_assert_cmpint (measure_stall (), <, LONG_STALL);
  g_assert_false (is_broken_anywhere (buffer, 0));
  g_assert_true (is_broken_anywhere (buffer, 1));
  g_assert_false (is_broken_anywhere (buffer, 2));
  gtk_text_buffer_get_iter_at_line_offset (buffer, &start, 1, 30000);
  gtk_text_buffer_insert (buffer, &start, "y", -1);
  g_assert_cmpint (measure_stall (), <, LONG_STALL);

  gtk_text_buffer_get_iter_at_line_offset (buffer, &start, 1, 100);
  gtk_text_buffer_get_iter_at_line (buffer, &end, 2);
  gtk_text_iter_backward_char (&end);
  gtk_text_buffer_delete (buffer, &start, &end);
  g_assert_false (is_broken_anywhere (buffer, 1));

  /* Words, and what has no spaces but is broken between any two characters. */
  gtk_text_buffer_set_text (buffer, "", -1);
  for (guint i = 0; i < 1000; i++)
    gtk_text_buffer_insert_at_cursor (buffer, "word ", -1);
  g_assert_false (is_broken_anywhere (buffer, 0));
  gtk_text_buffer_set_text (buffer, "", -1);
  for (guint i = 0; i < 1000; i++)
    gtk_text_buffer_insert_at_cursor (buffer, "漢字", -1);
  g_assert_false (is_broken_anywhere (buffer, 0));
  gadget_composer_clear (self->composer);
}

/* What an input method composes is not in the buffer; the placeholder would be drawn over it when
 * the text behind it is deleted. */
static void
test_placeholder_composing (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  GtkWidget *placeholder = self->composer->placeholder;

  g_assert_true (gtk_widget_get_visible (placeholder));
  gtk_text_buffer_set_text (buffer, "replaced", -1);
  g_assert_false (gtk_widget_get_visible (placeholder));
  g_signal_emit_by_name (self->text, "preedit-changed", "か");
  gtk_text_buffer_set_text (buffer, "", -1);
  g_assert_false (gtk_widget_get_visible (placeholder));
  g_signal_emit_by_name (self->text, "preedit-changed", "");
  g_assert_true (gtk_widget_get_visible (placeholder));
}

static guint
count_height_handlers (TestWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self->window));
  const guint signal_id = g_signal_lookup ("notify", G_OBJECT_TYPE (surface));
  const guint n = g_signal_handlers_block_matched (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
                                                   signal_id, 0, NULL, NULL, self->composer);

  g_signal_handlers_unblock_matched (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, signal_id, 0,
                                     NULL, NULL, self->composer);
  return n;
}

/* A composer that is taken out of its window and put back there watches the window's height
 * once. */
static void
test_height_handlers (TestWindow *self, gconstpointer data)
{
  GtkWidget *composer = GTK_WIDGET (self->composer);

  g_assert_cmpuint (count_height_handlers (self), ==, 1);
  gtk_widget_unrealize (composer);
  g_assert_cmpuint (count_height_handlers (self), ==, 0);
  gtk_widget_realize (composer);
  g_assert_cmpuint (count_height_handlers (self), ==, 1);
  gtk_widget_map (composer);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/composer/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("hint", test_hint);
  add ("height", test_height);
  add ("height-handlers", test_height_handlers);
  add ("placeholder-composing", test_placeholder_composing);
  add ("long-word", test_long_word);
  add ("caret-mirrored", test_caret_mirrored);

  return g_test_run ();
}
