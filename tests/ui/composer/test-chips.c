/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a chat works with, below the message, in windows of all widths. */

#include "config.h"

#include "gadget-test-ui.h"
#include "ui/composer/gadget-fold-layout.h"
#include "ui/composer/gadget-tools-layout.h"

#include <adwaita.h>

#define N 3
#define ICON 16

typedef struct
{
  GtkWidget *window;
  GtkWidget *row;
  GtkWidget *chips[N]; /* the last one has a label that may be cut, the others one that is folded */
  GtkWidget *labels[N];
} Fixture;

static int
measure (GtkWidget *widget, gboolean natural)
{
  int minimum, wanted;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &wanted, NULL, NULL);
  return natural ? wanted : minimum;
}

static GtkWidget *
make_chip (const char *word, gboolean folded, GtkWidget **label)
{
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *icon = gtk_image_new_from_icon_name ("folder-symbolic");

  gtk_image_set_pixel_size (GTK_IMAGE (icon), ICON);
  gtk_box_append (GTK_BOX (chip), icon);
  *label = gtk_label_new (word);
  gtk_label_set_ellipsize (GTK_LABEL (*label), PANGO_ELLIPSIZE_MIDDLE);
  if (folded)
    {
      GtkWidget *bin = adw_bin_new ();

      gtk_widget_set_layout_manager (bin, g_object_new (GADGET_TYPE_FOLD_LAYOUT, NULL));
      adw_bin_set_child (ADW_BIN (bin), *label);
      gtk_box_append (GTK_BOX (chip), bin);
    }
  else
    gtk_box_append (GTK_BOX (chip), *label);
  return chip;
}

static void
set_up (Fixture *self)
{
  static const char *const words[N] = { "A folder with a name", "Ask", "a-model:14b" };

  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->row, g_object_new (GADGET_TYPE_TOOLS_LAYOUT, NULL));
  for (guint i = 0; i < N; i++)
    {
      self->chips[i] = make_chip (words[i], i + 1 < N, &self->labels[i]);
      gtk_box_append (GTK_BOX (self->row), self->chips[i]);
    }
  self->window = gadget_test_window_new (self->row, 720, 100);
  gadget_test_wait_frames (self->window, 2);
}

static void
tear_down (Fixture *self)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_object_unref (self->window);
}

static void
allocate (Fixture *self, int width)
{
  gtk_widget_allocate (self->row, width, 40, -1, NULL);
}

static gboolean
is_shown (Fixture *self, guint index)
{
  return gtk_widget_get_child_visible (self->labels[index]);
}

static double
get_x (Fixture *self, guint index)
{
  graphene_rect_t box;

  g_assert_true (gtk_widget_compute_bounds (self->chips[index], self->row, &box));
  return box.origin.x;
}

/* Nothing but the model's name is ever cut, and that only when the others are icons. */
static void
test_widths (void)
{
  Fixture fixture;
  int least, most, model;

  set_up (&fixture);
  least = measure (fixture.row, FALSE);
  most = measure (fixture.row, TRUE);
  model = measure (fixture.chips[2], TRUE);
  g_assert_cmpint (least, <, most - 50);
  for (int width = least; width <= most + 20; width++)
    {
      int used = 0;

      allocate (&fixture, width);
      for (guint i = 0; i < N; i++)
        {
          const int natural = measure (fixture.chips[i], TRUE);
          const int given = gtk_widget_get_width (fixture.chips[i]);

          g_assert_cmpint ((int) get_x (&fixture, i), ==, used);
          used += given;
          if (i + 1 < N)
            {
              g_assert_true (given == natural || given == ICON);
              g_assert_cmpint (is_shown (&fixture, i), ==, given == natural);
            }
        }
      g_assert_cmpint (used, <=, width);
      if (gtk_widget_get_width (fixture.chips[2]) < model)
        g_assert_false (is_shown (&fixture, 0) || is_shown (&fixture, 1));
      if (width >= most)
        g_assert_true (is_shown (&fixture, 0) && is_shown (&fixture, 1));
    }
  tear_down (&fixture);
}

/* A short word stays where a long one has no room. */
static void
test_order (void)
{
  Fixture fixture;

  set_up (&fixture);
  allocate (&fixture, measure (fixture.row, TRUE) - 1);
  g_assert_true (is_shown (&fixture, 0));
  g_assert_false (is_shown (&fixture, 1));
  allocate (&fixture,
            2 * ICON + measure (fixture.chips[2], TRUE) + measure (fixture.labels[1], TRUE));
  g_assert_false (is_shown (&fixture, 0));
  g_assert_true (is_shown (&fixture, 1));
  tear_down (&fixture);
}

static void
test_mirrored (void)
{
  Fixture fixture;

  set_up (&fixture);
  gtk_widget_set_direction (fixture.row, GTK_TEXT_DIR_RTL);
  allocate (&fixture, 700);
  g_assert_cmpint ((int) get_x (&fixture, 0) + gtk_widget_get_width (fixture.chips[0]), ==, 700);
  g_assert_cmpfloat (get_x (&fixture, 1), <, get_x (&fixture, 0));
  g_assert_cmpfloat (get_x (&fixture, 2), <, get_x (&fixture, 1));
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add_func ("/ui/chips/widths", test_widths);
  g_test_add_func ("/ui/chips/order", test_order);
  g_test_add_func ("/ui/chips/mirrored", test_mirrored);

  return g_test_run ();
}
