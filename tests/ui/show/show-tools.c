/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-tools.h"

#include "show-turn.h"

#include <gtk/gtk.h>

static char *
make_long_diff (void)
{
  GString *text = g_string_new ("--- tests/words.txt\n+++ tests/words.txt\n@@ -1,2 +1,60 @@\n");

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "+word %u\n", i);
  g_string_append (text, "-the only word\n");
  return g_string_free_and_steal (text);
}

/* The summary is the one of the tool: its file can be opened. */
static void
add_change (GadgetTurn *turn, const char *name, GadgetCallSummaryKind kind, const char *path,
            guint n_added, guint n_removed, const char *diff)
{
  GadgetItem *item = show_turn_add_call (turn, name, path, GADGET_ITEM_FINISHED, diff);

  gadget_item_take_call_summary (
      item,
      gadget_call_summary_with_path (
          gadget_call_summary_new_with_numbers (kind, path, n_added, n_removed), "/home/u/file"));
}

/* Files that were changed: a few lines of one, among them a long one, and a new file. */
GadgetSession *
show_changes_new (void)
{
  GadgetSession *session = gadget_session_new ("changes");
  GadgetTurn *turn =
      show_turn_add (session, "Close the socket, and say in the log that it was closed.", 60000);

  gadget_session_set_workspace (session, "/home/u/Projects/gadget");
  add_change (
      turn, "edit_file", GADGET_CALL_SUMMARY_EDITED, "src/provider/stream.c", 4, 1,
      "--- src/provider/stream.c\n+++ src/provider/stream.c\n"
      "@@ -96,7 +96,10 @@\n on_read_cancelled (GObject *source, GAsyncResult *result)\n {\n"
      "   GInputStream *stream = G_INPUT_STREAM (source);\n-  g_object_unref (stream);\n"
      "+  /* The read has returned; only now may the stream be closed. */\n"
      "+  g_input_stream_close_async (stream, G_PRIORITY_DEFAULT, NULL, on_closed, NULL);\n"
      "+  g_debug (\"closed after %u reads, of which %u were cancelled before a byte came\", "
      "n_reads, n_cancelled);\n+\n }\n \n");
  add_change (turn, "write_file", GADGET_CALL_SUMMARY_CREATED, "data/notes.txt", 2, 0,
              "--- /dev/null\n+++ data/notes.txt\n@@ -0,0 +1,2 @@\n+# Notes\n+naïve 函数\n"
              "\\ No newline at end of file\n");
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "The stream is closed when the read has returned.",
                      GADGET_ITEM_FINISHED);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);
  return session;
}

GadgetSession *
show_many_lines_new (void)
{
  GadgetSession *session = gadget_session_new ("many-lines");
  GadgetTurn *turn = show_turn_add (session, "Make a list of words.", 60000);
  g_autofree char *diff = make_long_diff ();

  gadget_session_set_workspace (session, "/home/u/Projects/gadget");
  add_change (turn, "write_file", GADGET_CALL_SUMMARY_WROTE, "tests/words.txt", 60, 1, diff);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);
  return session;
}

/* A picture that was drawn: a bright one, with edges that show how it was made smaller. */
static GadgetPicture *
draw_picture (const char *name, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) pixels = NULL;
  g_autoptr (GBytes) data = NULL;

  cairo_set_source_rgb (cr, 0.2, 0.5, 0.9);
  cairo_paint (cr);
  for (int i = 0; i < 12; i++)
    {
      cairo_set_source_rgb (cr, 1, 0.9 - i * 0.05, 0.3 + i * 0.04);
      cairo_arc (cr, width * (0.1 + i * 0.07), height * (0.8 - i * 0.05), height * 0.08, 0, 7);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = g_bytes_new (cairo_image_surface_get_data (surface),
                        (gsize) cairo_image_surface_get_stride (surface) * (gsize) height);
  texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, pixels,
                                    (gsize) cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  data = gdk_texture_save_to_png_bytes (texture);
  return gadget_picture_new (name, data, NULL);
}

static void
add_pictures (GadgetTurn *turn, const char *name, const char *summary, GadgetPicture *first,
              GadgetPicture *second)
{
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  GadgetItem *item = show_turn_add_call (turn, name, summary, GADGET_ITEM_FINISHED, NULL);

  g_ptr_array_add (pictures, first);
  if (second != NULL)
    g_ptr_array_add (pictures, second);
  gadget_item_set_pictures (item, pictures);
}

/* Pictures of tools: large and small, and such as cannot be shown. */
GadgetSession *
show_pictures_new (void)
{
  GadgetSession *session = gadget_session_new ("pictures");
  GadgetTurn *turn = show_turn_add (session, "What does the window look like now?", 60000);
  GadgetPicture *cut = gadget_picture_new_stored ("cut", "cut.png", "image/png", 300, 60, 100);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("\x89PNG\r\n\x1a\n", 8);

  gadget_picture_set_data (cut, nothing);
  add_pictures (turn, "read_file", "Read \u2068window.png\u2069 · 1600 × 700",
                draw_picture ("window.png", 1600, 700), NULL);
  add_pictures (turn, "render", "Used \u2068render\u2069", draw_picture (NULL, 48, 48), cut);
  add_pictures (turn, "read_file", "Read \u2068map.png\u2069 · 30000 × 30000",
                gadget_picture_new_stored ("map", "map.png", "image/png", 30000, 30000, 100), NULL);
  show_turn_add_text (turn, GADGET_ITEM_TEXT,
                      "It is blue, with a row of circles that rises to the right.",
                      GADGET_ITEM_FINISHED);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 140, 4);
  return session;
}

/* Calls of one step: some that go on, and some that are done. */
GadgetSession *
show_groups_new (void)
{
  GadgetSession *session = gadget_session_new ("groups");
  GadgetTurn *turn =
      show_turn_add (session, "Look at everything that has to do with streams.", 60000);

  show_turn_add_call (turn, "search", "Searched \u2068stream_close\u2069 · 12 lines",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_call (turn, "read_file", "Read \u2068src/provider/stream.c\u2069 · 214 lines",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_call (turn, "edit_file", "Edited \u2068src/provider/stream.c\u2069 · +4 −1",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_call (turn, "shell", "Ran \u2068meson test stream\u2069 · failed, exit status 1",
                      GADGET_ITEM_FAILED, "1/1 stream  FAIL\n");
  for (guint i = 0; i < 4; i++)
    gadget_item_set_step (gadget_turn_get_item (turn, i), 0);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "One test fails. I look at the others.",
                      GADGET_ITEM_FINISHED);
  show_turn_add_call (turn, "read_file", "Read \u2068tests/test-stream.c\u2069 · 90 lines",
                      GADGET_ITEM_FINISHED, NULL);
  show_turn_add_call (turn, "shell", "Running \u2068meson test abort\u2069", GADGET_ITEM_RUNNING,
                      "1/3 RUNNING\n");
  show_turn_add_call (turn, "shell", "Running \u2068meson test store\u2069", GADGET_ITEM_RUNNING,
                      "1/9 RUNNING\n");
  for (guint i = 5; i < 8; i++)
    gadget_item_set_step (gadget_turn_get_item (turn, i), 5);
  gadget_turn_set_phase (turn, GADGET_PHASE_TOOLS);
  return session;
}

/* What a program writes for a terminal. */
GadgetSession *
show_colours_new (void)
{
  GadgetSession *session = gadget_session_new ("colours");
  GadgetTurn *turn = show_turn_add (session, "Run the tests once more.", 60000);
  GString *text =
      g_string_new ("ninja: 10 %\rninja: 100 %\n\033[1m1/3 abort  \033[32mOK\033[0m  0.31s\n"
                    "\033[1m2/3 stream \033[31mFAIL\033[0m  3.01s\n"
                    "\033[2mtests/test-stream.c:96\033[0m: \033[33mwarning:\033[0m "
                    "\033[4mthe socket\033[0m is \033[3mstill\033[0m open\n"
                    "\033[7m inverse \033[0m \033[30;43m black on yellow \033[0m "
                    "\033[37;44m white on blue \033[0m \033[9mgone\033[0m\n");

  for (guint i = 0; i < 16; i++)
    g_string_append_printf (text, "\033[%um%02u ", i < 8 ? 30 + i : 82 + i, i);
  g_string_append (text, "\033[0m\n");
  for (guint i = 0; i < 36; i++)
    g_string_append_printf (text, "\033[38;5;%um▮", 16 + i * 6);
  g_string_append (text, "\033[0m\n");
  for (guint i = 0; i < 48; i++)
    g_string_append_printf (text, "\033[38;2;%u;%u;%um▮", 255 - i * 5, i * 5, 128);
  g_string_append (text, "\033[0m\n");
  show_turn_add_call (turn, "shell", "Ran \u2068meson test\u2069 · failed, exit status 1",
                      GADGET_ITEM_FAILED, text->str);
  g_string_free (text, TRUE);
  show_turn_add_text (turn, GADGET_ITEM_TEXT, "One of three fails.", GADGET_ITEM_FINISHED);
  show_turn_end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 140, 4);
  return session;
}
