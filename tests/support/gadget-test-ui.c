/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-test-ui.h"
#include "wait.h"

#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-ui.h"
#include "ui/transcript/gadget-frame-throttle.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"

#include <adwaita.h>

void
gadget_test_ui_init (int *argc, char ***argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (argc, argv, NULL);
  gadget_announcer_set_silent (gadget_announcer_get_default (), TRUE);
  gadget_test_ui_start ();
}

static void
add_style (const char *name)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  g_autofree char *path = g_strconcat (GADGET_UI_RESOURCES, name, NULL);

  gtk_css_provider_load_from_resource (provider, path);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
gadget_test_ui_start (void)
{
  adw_init ();
  gadget_ui_init ();
  gadget_frame_throttle_set_enabled (FALSE);
  _gadget_ask_row_set_guard (NULL, 0);
  /* As AdwApplication does. */
  add_style ("/style.css");
  if (adw_style_manager_get_high_contrast (adw_style_manager_get_default ()))
    add_style ("/style-hc.css");
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()),
                                    GADGET_UI_RESOURCES "/icons");
}

static void
after_paint_cb (GdkFrameClock *clock, guint *left)
{
  if (*left > 0)
    (*left)--;
  if (*left > 0)
    gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}

void
gadget_test_wait_frames (GtkWidget *widget, guint n)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  guint left = n;
  gulong handler;

  g_assert_nonnull (clock);
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &left);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  while (left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, handler);
}

GtkWidget *
gadget_test_window_new (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_widget_add_css_class (window, "view");
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (window))
    g_main_context_iteration (NULL, TRUE);
  gadget_test_wait_frames (window, 2);
  return g_object_ref (window);
}

GtkWidget *
gadget_test_transcript_new (GadgetSession *session, int width, int height,
                            GadgetTranscript **transcript)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (*transcript));
  gadget_transcript_set_session (*transcript, session);
  return gadget_test_window_new (scrolled, width, height);
}

void
gadget_test_window_destroy (GtkWidget *window, GtkWidget *widget)
{
  g_object_add_weak_pointer (G_OBJECT (widget), (gpointer *) &widget);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (widget);
}

void
gadget_test_shoot (GtkWidget *widget, const char *path)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (root);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gadget_test_wait_frames (widget, 2);
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (root),
                          gtk_widget_get_height (root));
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (root)), node, NULL);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}

char *
gadget_test_words (GRand *random, gsize length)
{
  static const char *const words[] = { "the",    "connection", "closes",  "when", "a",    "stream",
                                       "ends",   "and",        "nothing", "is",   "left", "open",
                                       "behind", "it",         "naïve",   "函数" };
  GString *text = g_string_sized_new (length + 16);

  while (text->len < length)
    {
      g_string_append (text, words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))]);
      g_string_append (text, g_rand_int_range (random, 0, 40) == 0 ? ".\n\n" : " ");
    }
  return g_string_free_and_steal (text);
}

static void
add_text (GadgetTurn *turn, GadgetItemKind kind, GRand *random, gsize length)
{
  g_autoptr (GadgetItem) item = gadget_item_new (kind);
  g_autofree char *text = gadget_test_words (random, length);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
}

static void
add_call (GadgetTurn *turn, guint number)
{
  g_autofree char *id = g_strdup_printf ("call-%u", number);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "read_file");

  gadget_item_take_call_summary (
      item,
      gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Read src/main.c · 120 lines", NULL));
  gadget_item_set_result (item, "int main (void);\n");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
}

GadgetSession *
gadget_test_session_new (guint n_turns, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GadgetSession *session = gadget_session_new ("test");
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_turns; i++)
    {
      g_autofree char *id = g_strdup_printf ("turn-%u", i);
      g_autofree char *prompt = gadget_test_words (random, g_rand_int_range (random, 8, 200));
      GadgetTurn *turn = gadget_turn_new (id, prompt);
      const gint32 luck = g_rand_int_range (random, 0, 200);

      gadget_turn_set_model (turn, "test", "qwen3:14b");
      if (luck % 3 == 0)
        add_call (turn, i);
      add_text (turn, GADGET_ITEM_TEXT, random,
                luck == 0 ? 60000 : g_rand_int_range (random, 40, 2400));
      gadget_turn_finish (turn);
      g_ptr_array_add (turns, turn);
    }
  gadget_session_set_turns (session, turns);
  return session;
}

static void
announced_cb (GString *said, const char *text)
{
  g_string_append_printf (said, "%s\n", text);
}

GString *
gadget_test_listen (void)
{
  GString *said = g_string_new (NULL);

  g_signal_connect_swapped (gadget_announcer_get_default (), "announced", G_CALLBACK (announced_cb),
                            said);
  return said;
}

void
gadget_test_stop_listening (GString *said)
{
  g_signal_handlers_disconnect_by_data (gadget_announcer_get_default (), said);
  g_string_free (said, TRUE);
}

static void
read_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

char *
gadget_test_read_clipboard (GdkClipboard *clipboard)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (clipboard, NULL, read_text_cb, &text);
  wait_until (text != NULL);
  return text;
}
