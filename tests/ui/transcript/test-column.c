/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said and what is written begin and end at the same places, in a window of any width and
 * whatever stands beside the chat. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static void
get_edges (TestWindow *self, GtkWidget *widget, float at, float width, int *start, int *end)
{
  graphene_point_t point;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (self->window),
                                           &GRAPHENE_POINT_INIT (at, 0), &point));
  *start = (int) point.x;
  *end = (int) (point.x + width);
}

static void
assert_aligned (TestWindow *self, int width)
{
  GadgetTranscript *transcript = _gadget_chat_get_transcript (self->chat);
  /* What the card fills, with its padding. */
  GtkWidget *card = gtk_widget_get_parent (self->composer->card);
  int start, end, card_start, card_end;

  get_edges (self, GTK_WIDGET (transcript), (float) transcript->column_x,
             (float) transcript->column_width, &start, &end);
  get_edges (self, card, 0, (float) gtk_widget_get_width (card), &card_start, &card_end);
  g_test_message ("%d: %d to %d, composer %d to %d", width, start, end, card_start, card_end);
  g_assert_cmpint (end - start, >, 250);
  g_assert_cmpint (card_start, ==, start);
  g_assert_cmpint (card_end, ==, end);
}

static void
test_aligned (TestWindow *self, gconstpointer data)
{
  static const int widths[] = { 360,  400,  480,  540,  559,  560,  584, 600, 601,
                                640,  720,  800,  839,  840,  880,  900, 901, 960,
                                1000, 1080, 1100, 1280, 1350, 1420, 1600 };
  int frame; /* which the window draws around itself */

  test_window_send (self, "one");
  fake_provider_text (self->provider, "An answer.");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  gtk_window_get_default_size (GTK_WINDOW (self->window), &frame, NULL);
  frame -= gtk_widget_get_width (GTK_WIDGET (self->window));

  for (guint sides = 0; sides < 4; sides++)
    {
      adw_overlay_split_view_set_show_sidebar (self->window->split_view, (sides & 1) != 0);
      adw_overlay_split_view_set_show_sidebar (self->window->activity_view, (sides & 2) != 0);
      for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
        {
          gtk_window_set_default_size (GTK_WINDOW (self->window), widths[i] + frame, 500);
          wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) == widths[i]);
          /* A breakpoint may follow. */
          gadget_test_wait_frames (GTK_WIDGET (self->window), 4);
          assert_aligned (self, widths[i]);
        }
    }
}

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add ("/ui/column/aligned", TestWindow, NULL, test_window_set_up, test_aligned,
              test_window_tear_down);
  return g_test_run ();
}
