/* SPDX-License-Identifier: GPL-3.0-or-later */

/* That the model doesn’t support images is said before any is sent. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

/* (transfer full) (element-type GadgetAttachment) */
static GPtrArray *
make_picture (void)
{
  g_autoptr (GBytes) pixels = g_bytes_new_take (g_malloc0 (64), 64);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (4, 4, GDK_MEMORY_R8G8B8A8, pixels, 16);
  g_autoptr (GBytes) file = gdk_texture_save_to_png_bytes (texture);
  g_autoptr (GadgetPicture) picture = gadget_picture_new ("sky.png", file, NULL);
  GPtrArray *attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  return attachments;
}

static void
attach_picture (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = make_picture ();

  gadget_composer_bring_back (self->composer, "", attachments);
}

static GtkWidget *
find_note (TestWindow *self, const char *words)
{
  return test_find_label (GTK_WIDGET (self->composer), words);
}

static gboolean
is_seen (TestWindow *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->composer->picture_note));
}

static gboolean
is_choose_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "Choose Another Model") == 0;
}

static gboolean
is_model_menu (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GadgetModelMenu")
         && gtk_widget_get_mapped (widget);
}

/* It comes and goes with the picture; the button opens the models. */
static void
test_says (TestWindow *self, gconstpointer data)
{
  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  g_assert_false (is_seen (self));
  attach_picture (self);
  wait_until (is_seen (self));
  g_assert_nonnull (find_note (self, "model doesn’t support images"));
  test_click (test_find (GTK_WIDGET (self->composer), is_choose_button, NULL));
  wait_until (test_find (GTK_WIDGET (self->window), is_model_menu, NULL) != NULL);
  test_key ("Escape");
  wait_until (test_find (GTK_WIDGET (self->window), is_model_menu, NULL) == NULL);
  g_assert_true (is_seen (self));

  /* Whoever sends it all the same has it sent. */
  gadget_composer_focus (self->composer);
  test_type ("look");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_false (is_seen (self));
}

/* A text is no picture, and what is not known is not said. */
static void
test_silent (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "A", 1));
  gadget_composer_bring_back (self->composer, "", attachments);
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_described (self->provider), ==, 0);

  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_UNKNOWN);
  attach_picture (self);
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_described (self->provider), ==, 1);
  g_assert_false (is_seen (self));
  gadget_composer_clear (self->composer);

  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_YES);
  attach_picture (self);
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_described (self->provider), ==, 2);
  g_assert_false (is_seen (self));
}

/* Another model is another question; an answer about the one before is not heard. */
static void
test_follows (TestWindow *self, gconstpointer data)
{
  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  attach_picture (self);
  wait_until (is_seen (self));
  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_YES);
  gadget_session_set_model (test_window_get_session (self), "fake", "sees");
  g_assert_false (is_seen (self));
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_described (self->provider), ==, 2);
  g_assert_false (is_seen (self));

  fake_provider_hold_description (self->provider);
  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  gadget_session_set_model (test_window_get_session (self), "fake", "blind");
  wait_until (fake_provider_is_describing (self->provider));
  gadget_composer_clear (self->composer);
  wait_until (!fake_provider_is_describing (self->provider));
  test_run_for (100);
  g_assert_false (is_seen (self));

  /* Nothing waits for the answer, and the window goes without it. */
  attach_picture (self);
  wait_until (fake_provider_is_describing (self->provider));
  g_assert_true (gtk_widget_get_sensitive (self->button));
}

/* One that waits was not sent yet either. */
static void
test_queued (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = make_picture ();
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("look");

  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  test_window_send (self, "hello");
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (test_window_get_session (self), message);
  wait_until (is_seen (self));
  g_object_unref (gadget_session_take_queued (test_window_get_session (self), 0));
  g_assert_false (is_seen (self));
}

/* It is a question to a provider, which need not answer. */
static void
test_stop_everything (TestWindow *self, gconstpointer data)
{
  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_NO);
  fake_provider_hold_description (self->provider);
  attach_picture (self);
  wait_until (fake_provider_is_describing (self->provider));
  test_key ("ctrl+shift+Escape");
  wait_until (!fake_provider_is_describing (self->provider));
  wait_until (test_window_has_toast (self, "Stopping questions to the providers"));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/picture-note/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("says", test_says);
  add ("silent", test_silent);
  add ("follows", test_follows);
  add ("queued", test_queued);
  add ("stop-everything", test_stop_everything);

  return g_test_run ();
}
