/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A long text from the clipboard is attached: the window goes on, and nothing of it is lost. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

#include <string.h>

/* In ms. A text view takes half a second for a megabyte; far more is left for a machine that does
 * other things. */
#define LONGEST_PAUSE 2000

/* How long nothing else came to be done. */
typedef struct
{
  gint64 last;
  gint64 longest;
  guint id;
} Pause;

static gboolean
tick_cb (gpointer user_data)
{
  Pause *pause = user_data;
  const gint64 now = g_get_monotonic_time ();

  pause->longest = MAX (pause->longest, now - pause->last);
  pause->last = now;
  return G_SOURCE_CONTINUE;
}

static void
begin_pause (Pause *pause)
{
  pause->last = g_get_monotonic_time ();
  pause->longest = 0;
  pause->id = g_timeout_add (5, tick_cb, pause);
}

static gint64
end_pause (Pause *pause)
{
  tick_cb (pause);
  g_source_remove (pause->id);
  return pause->longest / 1000;
}

/* (transfer full): lines that differ, with letters of several bytes, and just as long as is asked
 */
static char *
make_text (gsize length)
{
  GString *text = g_string_sized_new (length + 64);

  for (guint i = 0; text->len < length; i++)
    g_string_append_printf (text, "%u: Grüße — the quick brown fox jumps over the lazy dog\n", i);
  /* Not within a letter. */
  g_string_truncate (text,
                     (gsize) (g_utf8_find_prev_char (text->str, text->str + length) - text->str));
  while (text->len < length)
    g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static void
paste (TestWindow *self, const char *text)
{
  /* While a long text is still being laid out, GTK now and then draws a scroll bar that has no
   * place yet, and warns of it. */
  gtk_scrolled_window_set_policy (self->composer->scroller, GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL);
  gtk_widget_grab_focus (self->text);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->text), text);
  test_key ("ctrl+v");
}

static GPtrArray *
dup_attached (TestWindow *self)
{
  return gadget_composer_dup_attachments (self->composer);
}

static gboolean
is_attached (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = dup_attached (self);

  return attachments != NULL;
}

static void
assert_attached (TestWindow *self, const char *text)
{
  g_autoptr (GPtrArray) attachments = dup_attached (self);
  const GadgetAttachment *attachment;

  g_assert_cmpuint (attachments->len, ==, 1);
  attachment = g_ptr_array_index (attachments, 0);
  g_assert_cmpstr (gadget_attachment_get_name (attachment), ==, "Pasted text");
  g_assert_cmpuint (gadget_attachment_get_size (attachment), ==, strlen (text));
  g_assert_true (g_str_equal (gadget_attachment_get_text (attachment), text));
}

static void
assert_written (TestWindow *self, const char *text)
{
  g_autofree char *written = gadget_composer_dup_text (self->composer);

  g_assert_true (g_str_equal (written, text));
}

static gboolean
is_insert (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Insert as Text") == 0;
}

static void
insert_as_text (TestWindow *self)
{
  wait_until (test_find (GTK_WIDGET (self->window), is_insert, NULL) != NULL);
  gtk_widget_activate (test_find (GTK_WIDGET (self->window), is_insert, NULL));
}

static void
test_megabyte (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = make_text (1000 * 1000);
  const GadgetMessage *message;
  GadgetRequest *request;
  Pause pause;
  gint64 longest;

  begin_pause (&pause);
  paste (self, text);
  wait_until (is_attached (self));
  test_run_for (200);
  longest = end_pause (&pause);
  g_test_message ("nothing else was done for %" G_GINT64_FORMAT " ms", longest);
  g_assert_cmpint (longest, <, LONGEST_PAUSE);
  g_assert_true (test_window_has_toast (self, "Attached as a file"));
  assert_attached (self, text);
  assert_written (self, "");
  g_assert_true (gtk_widget_is_focus (self->text));

  /* A draft like any other, and sent like any other. */
  test_window_restart (self);
  wait_until (is_attached (self));
  assert_attached (self, text);
  gtk_widget_grab_focus (self->text);
  test_type ("look");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  request = fake_provider_get_request (self->provider, 0);
  message = g_ptr_array_index (request->messages, request->messages->len - 1);
  g_assert_nonnull (strstr (((GadgetPart *) g_ptr_array_index (message->parts, 0))->text, text));
}

/* It goes where the cursor is, and what is selected is replaced, as in any text view. */
static void
test_short (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = make_text (32 * 1024);

  paste (self, "one two");
  wait_until (!gadget_composer_is_empty (self->composer));
  test_key ("shift+ctrl+Left");
  paste (self, "three");
  test_type (" four");
  wait_until (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->composer->text))
              == 14);
  assert_written (self, "one three four");
  test_key ("ctrl+a");
  paste (self, text);
  test_run_for (100);
  assert_written (self, text);
  g_assert_false (is_attached (self));
  test_key ("ctrl+z");
  test_run_for (100);
  assert_written (self, "one three four");
}

/* What was copied in the text itself. */
static void
test_own (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->composer->text);

  gtk_widget_grab_focus (self->text);
  test_type ("abc");
  for (guint i = 0; i < 2; i++)
    {
      const int before = gtk_text_buffer_get_char_count (buffer);

      test_key ("ctrl+a");
      test_key ("ctrl+c");
      test_key ("Right");
      test_key ("ctrl+v");
      wait_until (gtk_text_buffer_get_char_count (buffer) == 2 * before);
    }
  assert_written (self, "abcabcabcabc");
  test_key ("ctrl+a");
  test_key ("ctrl+x");
  test_key ("ctrl+v");
  wait_until (!gadget_composer_is_empty (self->composer));
  assert_written (self, "abcabcabcabc");
}

static void
test_way_back (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = make_text (32 * 1024 + 1);
  g_autofree char *whole = g_strconcat ("before ", text, NULL);

  paste (self, "before ");
  paste (self, text);
  wait_until (is_attached (self));
  insert_as_text (self);
  wait_until (!is_attached (self));
  assert_written (self, whole);
}

/* The button has nothing left to do. */
static void
test_sent_meanwhile (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = make_text (40000);

  paste (self, text);
  wait_until (is_attached (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  insert_as_text (self);
  test_run_for (100);
  assert_written (self, "");
  g_assert_false (is_attached (self));
}

static void
test_too_long (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = make_text (GADGET_ATTACHMENT_MAX_TEXT + 1);

  paste (self, text);
  wait_until (test_window_has_toast (self, "Too long to attach: at most 1.0\xc2\xa0MiB of text"));
  g_assert_false (is_attached (self));
  assert_written (self, "");
  insert_as_text (self);
  wait_until (!gadget_composer_is_empty (self->composer));
  assert_written (self, text);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/paste/" path, TestWindow, NULL, test_window_set_up, function,                   \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("megabyte", test_megabyte);
  add ("short", test_short);
  add ("own", test_own);
  add ("way-back", test_way_back);
  add ("sent-meanwhile", test_sent_meanwhile);
  add ("too-long", test_too_long);

  return g_test_run ();
}
