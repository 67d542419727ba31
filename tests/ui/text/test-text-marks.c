/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Links and code in a text: seen, pointed at, reached and opened with the keyboard. */

#include "gadget-test-ui.h"

#include "ui/text/gadget-selectable-text.h"
#include "ui/text/gadget-text-link.h"

#include <glib/gstdio.h>

#define TEXT "See the manual and ask somebody, or write code."

/* "manual", "ask somebody" and "code". */
static const GadgetTextMark marks[] = { { 8, 14, "https://example.org/manual" },
                                        { 19, 31, "mailto:ada@example.org" },
                                        { 42, 46, NULL } };

typedef struct
{
  GtkWidget *window;
  GtkWidget *piece;
  char *opened;
} Fixture;

static void
open_cb (GSimpleAction *action, GVariant *parameter, Fixture *fixture)
{
  g_free (fixture->opened);
  fixture->opened = g_variant_dup_string (parameter, NULL);
}

static void
set_up (Fixture *fixture, int width)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("open-link", G_VARIANT_TYPE_STRING);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  *fixture = (Fixture) { .piece = gadget_selectable_text_new (GADGET_TEXT_WRAP) };
  gadget_selectable_text_set_text (GADGET_SELECTABLE_TEXT (fixture->piece), TEXT, strlen (TEXT));
  gadget_selectable_text_set_marks (GADGET_SELECTABLE_TEXT (fixture->piece), marks,
                                    G_N_ELEMENTS (marks));
  gtk_widget_set_margin_end (fixture->piece, 600 - width);
  gtk_box_append (GTK_BOX (box), fixture->piece);
  g_signal_connect (action, "activate", G_CALLBACK (open_cb), fixture);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  fixture->window = gadget_test_window_new (box, 600, 200);
  gtk_widget_insert_action_group (fixture->window, "transcript", G_ACTION_GROUP (group));
}

static void
tear_down (Fixture *fixture)
{
  GtkWidget *piece = fixture->piece;

  g_object_add_weak_pointer (G_OBJECT (piece), (gpointer *) &piece);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (piece);
  g_free (fixture->opened);
}

/* What is at the middle of a byte of the text. */
static GtkWidget *
pick (Fixture *fixture, guint offset)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (fixture->piece));
  PangoRectangle at;

  pango_layout_index_to_pos (layout, (int) offset, &at);
  return gtk_widget_pick (fixture->piece, (at.x + at.width / 2.0) / PANGO_SCALE,
                          (at.y + at.height / 2.0) / PANGO_SCALE, GTK_PICK_DEFAULT);
}

static void
check_picks (Fixture *fixture)
{
  for (guint offset = 0; offset < strlen (TEXT); offset++)
    {
      const char *expected = NULL;
      GadgetTextLink *link = gadget_text_link_find (pick (fixture, offset));

      for (guint i = 0; i < 2; i++)
        if (offset >= marks[i].start && offset < marks[i].end)
          expected = marks[i].address;
      if (TEXT[offset] != ' ')
        g_assert_cmpstr (link != NULL ? gadget_text_link_get_address (link) : NULL, ==, expected);
    }
}

/* Only on its own words, also where it is broken over two lines, whose box holds other words. */
static void
test_pointer (void)
{
  static const int widths[] = { 500, 90 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      Fixture fixture;

      set_up (&fixture, widths[i]);
      check_picks (&fixture);
      tear_down (&fixture);
    }
}

static void
test_keyboard (void)
{
  Fixture fixture;
  GtkWidget *focus;

  set_up (&fixture, 500);
  gtk_window_set_focus (GTK_WINDOW (fixture.window), NULL);
  g_assert_true (gtk_widget_child_focus (fixture.window, GTK_DIR_TAB_FORWARD));
  focus = gtk_window_get_focus (GTK_WINDOW (fixture.window));
  g_assert_true (GADGET_IS_TEXT_LINK (focus));
  g_assert_true (gtk_widget_activate_action (focus, "link.open", NULL));
  g_assert_cmpstr (fixture.opened, ==, marks[0].address);
  g_assert_true (gtk_widget_child_focus (fixture.window, GTK_DIR_TAB_FORWARD));
  focus = gtk_window_get_focus (GTK_WINDOW (fixture.window));
  g_assert_true (gtk_widget_activate_action (focus, "link.open", NULL));
  g_assert_cmpstr (fixture.opened, ==, marks[1].address);
  tear_down (&fixture);
}

static void
test_accessible (void)
{
  Fixture fixture;
  GtkWidget *link;

  set_up (&fixture, 500);
  link = gtk_widget_get_first_child (fixture.piece);
  gtk_test_accessible_assert_role (link, GTK_ACCESSIBLE_ROLE_LINK);
  gtk_test_accessible_assert_property (link, GTK_ACCESSIBLE_PROPERTY_LABEL, "manual");
  gtk_test_accessible_assert_property (link, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, marks[0].address);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (link), ==, marks[0].address);
  tear_down (&fixture);
}

/* A link that has the focus keeps it while the text grows; one that is no more is gone. */
static void
test_change (void)
{
  Fixture fixture;
  GadgetSelectableText *piece;
  GtkWidget *link;

  set_up (&fixture, 500);
  piece = GADGET_SELECTABLE_TEXT (fixture.piece);
  link = gtk_widget_get_first_child (fixture.piece);
  g_assert_true (gtk_widget_grab_focus (link));
  gadget_selectable_text_set_text (piece, TEXT " More.", strlen (TEXT " More."));
  gadget_selectable_text_set_marks (piece, marks, 1);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture.window)) == link);
  g_assert_null (gtk_widget_get_next_sibling (link));
  gadget_selectable_text_set_marks (piece, NULL, 0);
  g_assert_null (gtk_widget_get_first_child (fixture.piece));
  gadget_test_wait_frames (fixture.window, 2);
  tear_down (&fixture);
}

/* Code is told apart by what is drawn behind it. */
static void
test_tint (void)
{
  Fixture fixture;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "text-marks-XXXXXX.png", NULL);
  const int fd = g_mkstemp (path);
  g_autoptr (GdkPixbuf) with = NULL;
  g_autoptr (GdkPixbuf) without = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  set_up (&fixture, 500);
  gadget_test_shoot (fixture.window, path);
  with = gdk_pixbuf_new_from_file (path, &error);
  g_assert_no_error (error);
  gadget_selectable_text_set_marks (GADGET_SELECTABLE_TEXT (fixture.piece), marks, 2);
  gadget_test_shoot (fixture.window, path);
  without = gdk_pixbuf_new_from_file (path, &error);
  g_assert_no_error (error);
  {
    g_autoptr (GBytes) first = gdk_pixbuf_read_pixel_bytes (with);
    g_autoptr (GBytes) second = gdk_pixbuf_read_pixel_bytes (without);

    g_assert_false (g_bytes_equal (first, second));
  }
  g_unlink (path);
  tear_down (&fixture);
}

static float
get_drawn_height (GtkWidget *piece)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  graphene_rect_t bounds;

  GTK_WIDGET_GET_CLASS (piece)->snapshot (piece, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  gsk_render_node_get_bounds (node, &bounds);
  return bounds.size.height;
}

/* A letter with very many marks does not paint over what is above and below. */
static void
test_piles (void)
{
  g_autoptr (GString) text = g_string_new ("Z");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *piece = gadget_selectable_text_new (GADGET_TEXT_WRAP);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_autoptr (GtkWidget) window = NULL;

  for (guint i = 0; i < 120; i++)
    g_string_append (text, i % 2 == 0 ? "\314\201" : "\314\200");
  /* Not every font puts one mark above the other. */
  pango_attr_list_insert (attributes, pango_attr_family_new ("Inter"));
  gadget_selectable_text_set_text (GADGET_SELECTABLE_TEXT (piece), text->str, text->len);
  gadget_selectable_text_set_attributes (GADGET_SELECTABLE_TEXT (piece), attributes);
  gtk_box_append (GTK_BOX (box), piece);
  window = gadget_test_window_new (box, 600, 200);
  g_assert_cmpint (gtk_widget_get_height (piece), <, 60);
  g_assert_cmpfloat (get_drawn_height (piece), <=, (float) gtk_widget_get_height (piece));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/text-marks/pointer", test_pointer);
  g_test_add_func ("/ui/text-marks/keyboard", test_keyboard);
  g_test_add_func ("/ui/text-marks/accessible", test_accessible);
  g_test_add_func ("/ui/text-marks/change", test_change);
  g_test_add_func ("/ui/text-marks/tint", test_tint);
  g_test_add_func ("/ui/text-marks/piles", test_piles);
  return g_test_run ();
}
