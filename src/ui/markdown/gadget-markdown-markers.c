/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the widgets for the markers of list items, and places them beside the first line of their
 * leaf. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-markers.h"

#include "ui/text/gadget-selectable-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* The marker of one item. */
typedef struct
{
  GtkWidget *widget;
  guint depth; /* index of its item in the leaf's containers */
  guint list;
  GadgetMarkdownTask task;
  char text[16];
  int indent;
} Marker;

struct _GadgetMarkdownMarkers
{
  GArray *markers; /* of Marker, from the outermost item to the innermost */
};

static Marker *
get_marker (GadgetMarkdownMarkers *self, guint index)
{
  return &g_array_index (self->markers, Marker, index);
}

static void
clear_marker (gpointer data)
{
  gtk_widget_unparent (((Marker *) data)->widget);
}

GadgetMarkdownMarkers *
gadget_markdown_markers_new (void)
{
  GadgetMarkdownMarkers *self = g_new0 (GadgetMarkdownMarkers, 1);

  self->markers = g_array_new (FALSE, FALSE, sizeof (Marker));
  g_array_set_clear_func (self->markers, clear_marker);
  return self;
}

void
gadget_markdown_markers_free (GadgetMarkdownMarkers *self)
{
  g_array_unref (self->markers);
  g_free (self);
}

static gboolean
is_marked (const GadgetMarkdownContainer *container)
{
  return container->kind == GADGET_MARKDOWN_ITEM && container->first;
}

/* Tells whether the markers look like those of @leaf; if so, they are kept for its items. */
static gboolean
reuse (GadgetMarkdownMarkers *self, const GadgetMarkdownLeaf *leaf)
{
  guint n = 0;

  for (guint depth = 0; depth < leaf->n_containers; depth++)
    {
      const GadgetMarkdownContainer *item = &leaf->containers[depth];
      Marker *marker;

      if (!is_marked (item))
        continue;
      if (n == self->markers->len)
        return FALSE;
      marker = get_marker (self, n++);
      if (marker->task != item->task || strcmp (marker->text, item->marker) != 0)
        return FALSE;
      marker->depth = depth;
      marker->list = item->list;
    }
  return n == self->markers->len;
}

static GtkWidget *
widget_new (const GadgetMarkdownContainer *item)
{
  GtkWidget *widget;

  if (item->task == GADGET_MARKDOWN_NO_TASK)
    {
      widget = gadget_selectable_text_new (GADGET_TEXT_SHRINK);
      gadget_selectable_text_set_text (GADGET_SELECTABLE_TEXT (widget), item->marker,
                                       strlen (item->marker));
      gtk_widget_add_css_class (widget, "markdown-marker");
    }
  else
    {
      const gboolean done = item->task == GADGET_MARKDOWN_TASK_DONE;

      widget =
          gtk_image_new_from_icon_name (done ? "checkbox-checked-symbolic" : "checkbox-symbolic");
      gtk_widget_add_css_class (widget, "markdown-task");
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      /* Translators: an item of a list of tasks */
                                      done ? _ ("Done") : _ ("To do"), -1);
    }
  gtk_widget_set_can_target (widget, FALSE);
  return widget;
}

void
gadget_markdown_markers_show (GadgetMarkdownMarkers *self, const GadgetMarkdownLeaf *leaf,
                              GtkWidget *parent, GtkWidget *body)
{
  if (reuse (self, leaf))
    return;
  g_array_set_size (self->markers, 0);
  for (guint depth = 0; depth < leaf->n_containers; depth++)
    {
      const GadgetMarkdownContainer *item = &leaf->containers[depth];
      Marker marker = { .depth = depth, .list = item->list, .task = item->task };

      if (!is_marked (item))
        continue;
      g_strlcpy (marker.text, item->marker, sizeof marker.text);
      marker.widget = widget_new (item);
      gtk_widget_insert_before (marker.widget, parent, body);
      g_array_append_val (self->markers, marker);
    }
}

static int
measure (const Marker *marker)
{
  int natural;

  gtk_widget_measure (marker->widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

int
gadget_markdown_markers_measure (GadgetMarkdownMarkers *self, guint list)
{
  for (guint i = 0; i < self->markers->len; i++)
    if (get_marker (self, i)->list == list)
      return measure (get_marker (self, i));
  return 0;
}

void
gadget_markdown_markers_set_indent (GadgetMarkdownMarkers *self, guint depth, int indent)
{
  for (guint i = 0; i < self->markers->len; i++)
    if (get_marker (self, i)->depth == depth)
      get_marker (self, i)->indent = indent;
}

static int
get_baseline (GtkWidget *piece)
{
  return pango_layout_get_baseline (
             gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (piece)))
         / PANGO_SCALE;
}

/* Returns how far to lower a marker: the first line of a heading is taller than its marker. */
static int
get_drop (GtkWidget *body, GtkWidget *marker)
{
  if (!GADGET_IS_SELECTABLE_TEXT (body) || !GADGET_IS_SELECTABLE_TEXT (marker))
    return 0;
  return MAX (get_baseline (body) - get_baseline (marker), 0);
}

void
gadget_markdown_markers_allocate (GadgetMarkdownMarkers *self, GtkWidget *body, int y, int width,
                                  int shift, gboolean mirrored)
{
  const GtkTextDirection direction = mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR;

  for (guint i = 0; i < self->markers->len; i++)
    {
      const Marker *marker = get_marker (self, i);
      const int size = measure (marker);
      const int inside = MAX (marker->indent - shift - GADGET_MARKDOWN_ITEM_GAP - size, 0);
      const int x = mirrored ? width - inside - size : inside;
      const int drop = get_drop (body, marker->widget);
      int height;

      /* The direction of "9." is that of its list, and not of the window. */
      if (gtk_widget_get_direction (marker->widget) != direction)
        gtk_widget_set_direction (marker->widget, direction);
      gtk_widget_measure (marker->widget, GTK_ORIENTATION_VERTICAL, size, NULL, &height, NULL,
                          NULL);
      gtk_widget_allocate (
          marker->widget, size, height, -1,
          gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) x, (float) (y + drop))));
    }
}
