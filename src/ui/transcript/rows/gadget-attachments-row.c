/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The attachments of a message, above its text: small pictures, and the names of files. They take
 * at most the width of a prompt, and are at the same side. Pictures are loaded when the row is
 * first mapped. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachments-row.h"

#include "gadget-row-host.h"
#include "ui/common/gadget-ui.h"
#include "ui/pictures/gadget-attachment-chip.h"
#include "ui/pictures/gadget-picture-decode.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/pictures/gadget-picture-labels.h"

#include <glib/gi18n.h>
#include <string.h>

#define PICTURE_WIDTH 240
#define PICTURE_HEIGHT 160
#define CHIP_HEIGHT 48
#define CHIP_WIDTH 220
#define SPACING 6
#define WIDTH_SHARE 0.8

struct _GadgetAttachmentsRow
{
  GadgetRow parent_instance;

  AdwWrapBox *box;
  gboolean asked;
};

G_DEFINE_FINAL_TYPE (GadgetAttachmentsRow, gadget_attachments_row, GADGET_TYPE_ROW)

static void
get_size (const GadgetPicture *picture, guint *width, guint *height)
{
  gadget_picture_fit (MAX (gadget_picture_get_width (picture), 1),
                      MAX (gadget_picture_get_height (picture), 1), PICTURE_WIDTH, PICTURE_HEIGHT,
                      width, height);
  *width = MAX (*width, CHIP_HEIGHT);
  *height = MAX (*height, CHIP_HEIGHT);
}

static gboolean
is_shown_as_picture (const GadgetAttachment *attachment)
{
  const GadgetPicture *picture = gadget_attachment_get_picture (attachment);

  return picture != NULL
         && gadget_picture_is_decodable (gadget_picture_get_width (picture),
                                         gadget_picture_get_height (picture));
}

int
gadget_attachments_row_estimate (GPtrArray *attachments, int width)
{
  const int room = MAX ((int) (width * WIDTH_SHARE), PICTURE_WIDTH);
  int line_height = 0;
  int used = 0;
  int height = 0;

  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      const GadgetAttachment *attachment = g_ptr_array_index (attachments, i);
      guint w = CHIP_WIDTH;
      guint h = CHIP_HEIGHT;

      if (is_shown_as_picture (attachment))
        get_size (gadget_attachment_get_picture (attachment), &w, &h);
      if (used > 0 && used + (int) w > room)
        {
          height += line_height + SPACING;
          line_height = used = 0;
        }
      used += (int) w + SPACING;
      line_height = MAX (line_height, (int) h);
    }
  return height + line_height;
}

static GadgetPictureLoader *
get_loader (GadgetAttachmentsRow *self)
{
  return gadget_row_host_get_pictures (GTK_WIDGET (self));
}

static GPtrArray *
get_attachments (GadgetAttachmentsRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  GadgetItem *item = gadget_row_data_get_item (data);

  return gadget_attachments_get (item != NULL ? (gpointer) item
                                              : (gpointer) gadget_row_data_get_turn (data));
}

/* --- Pictures --- */

/* Replaces a picture by a chip that says why the picture cannot be shown. */
static void
fail (GadgetAttachmentsRow *self, GtkWidget *button, const GError *error)
{
  const GadgetPicture *picture = g_object_get_data (G_OBJECT (button), "picture");
  const char *name = gadget_picture_get_name (picture);
  g_autofree char *reason = gadget_picture_labels_dup_failure (picture, error);
  GtkWidget *chip = gadget_attachment_chip_new (name != NULL ? name : _ ("Image"));

  gadget_attachment_chip_fail (GADGET_ATTACHMENT_CHIP (chip), reason);
  gtk_widget_set_valign (chip, GTK_ALIGN_END);
  adw_wrap_box_insert_child_after (self->box, chip, button);
  adw_wrap_box_remove (self->box, button);
}

static void
loaded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GtkWidget *view = owner;
  GtkWidget *row = gtk_widget_get_ancestor (view, GADGET_TYPE_ATTACHMENTS_ROW);

  if (texture != NULL)
    {
      gtk_picture_set_paintable (GTK_PICTURE (view), GDK_PAINTABLE (texture));
      gtk_widget_remove_css_class (view, "waiting");
    }
  else if (row != NULL && error != NULL)
    fail (GADGET_ATTACHMENTS_ROW (row), gtk_widget_get_parent (view), error);
}

static void
load (GadgetAttachmentsRow *self, GtkWidget *button)
{
  GtkWidget *view = gtk_button_get_child (GTK_BUTTON (button));
  GadgetPicture *picture = g_object_get_data (G_OBJECT (button), "picture");
  const guint scale = (guint) gtk_widget_get_scale_factor (button);
  GadgetPictureLoader *loader = get_loader (self);

  if (loader != NULL)
    gadget_picture_loader_load (loader, picture, PICTURE_WIDTH * scale, PICTURE_HEIGHT * scale,
                                G_OBJECT (view), loaded_cb);
}

static void
clicked_cb (GtkWidget *button, GadgetAttachmentsRow *self)
{
  GadgetPictureLoader *loader = get_loader (self);

  if (loader != NULL)
    adw_dialog_present (
        gadget_picture_dialog_new (loader, g_object_get_data (G_OBJECT (button), "picture")),
        button);
}

static void
unref_picture (gpointer picture)
{
  gadget_picture_unref (picture);
}

static GtkWidget *
make_picture (GadgetAttachmentsRow *self, GadgetPicture *picture)
{
  g_autofree char *name = gadget_picture_labels_dup_description (picture);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *view = gtk_picture_new ();
  guint width;
  guint height;

  get_size (picture, &width, &height);
  gtk_picture_set_can_shrink (GTK_PICTURE (view), TRUE);
  gtk_picture_set_content_fit (GTK_PICTURE (view), GTK_CONTENT_FIT_COVER);
  gtk_widget_set_size_request (view, (int) width, (int) height);
  gtk_widget_add_css_class (view, "waiting");
  gtk_widget_add_css_class (button, "picture");
  gtk_widget_add_css_class (button, "given");
  gtk_widget_set_overflow (button, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_valign (button, GTK_ALIGN_END);
  gtk_button_set_child (GTK_BUTTON (button), view);
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ ("Shows the image large"),
                                  -1);
  g_object_set_data_full (G_OBJECT (button), "picture", gadget_picture_ref (picture),
                          unref_picture);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), self);
  return button;
}

static GtkWidget *
make_chip (GadgetAttachment *attachment)
{
  GtkWidget *chip = gadget_attachment_chip_new ("");

  gadget_attachment_chip_set_attachment (GADGET_ATTACHMENT_CHIP (chip), attachment, NULL);
  gtk_widget_set_valign (chip, GTK_ALIGN_END);
  return chip;
}

/* --- Object --- */

static void
gadget_attachments_row_map (GtkWidget *widget)
{
  GadgetAttachmentsRow *self = GADGET_ATTACHMENTS_ROW (widget);

  GTK_WIDGET_CLASS (gadget_attachments_row_parent_class)->map (widget);
  if (self->asked)
    return;
  self->asked = TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->box)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child))
      load (self, child);
}

static void
gadget_attachments_row_bind (GadgetRow *row)
{
  GadgetAttachmentsRow *self = GADGET_ATTACHMENTS_ROW (row);
  GPtrArray *attachments = get_attachments (self);

  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      GadgetAttachment *attachment = g_ptr_array_index (attachments, i);

      adw_wrap_box_append (self->box,
                           is_shown_as_picture (attachment)
                               ? make_picture (self, gadget_attachment_get_picture (attachment))
                               : make_chip (attachment));
    }
}

/* The names of pictures are not shown as text, so a picture and a file are outlined as a whole. */
static void
gadget_attachments_row_find (GadgetRow *row, GadgetTextPattern *pattern, GArray *found)
{
  GPtrArray *attachments = get_attachments (GADGET_ATTACHMENTS_ROW (row));

  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      const char *name = gadget_attachment_get_name (g_ptr_array_index (attachments, i));
      gsize start, end = 0;

      while (name != NULL
             && gadget_text_pattern_next (pattern, name, strlen (name), end, &start, &end))
        {
          const GadgetRowFound one = { i, (guint) start, (guint) end };

          g_array_append_val (found, one);
        }
    }
}

static void
gadget_attachments_row_show_found (GadgetRow *row, GArray *found, int current,
                                   const GadgetFoundColors *colors)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (GADGET_ATTACHMENTS_ROW (row)->box));
  guint at = 0;

  for (guint i = 0; child != NULL; i++, child = gtk_widget_get_next_sibling (child))
    {
      const guint first = at;

      while (at < found->len && g_array_index (found, GadgetRowFound, at).piece == i)
        at++;
      gadget_ui_set_css_class (child, "found", at > first);
      gadget_ui_set_css_class (child, "current", current >= (int) first && current < (int) at);
    }
}

static void
gadget_attachments_row_class_init (GadgetAttachmentsRowClass *klass)
{
  GTK_WIDGET_CLASS (klass)->map = gadget_attachments_row_map;
  GADGET_ROW_CLASS (klass)->bind = gadget_attachments_row_bind;
  GADGET_ROW_CLASS (klass)->find = gadget_attachments_row_find;
  GADGET_ROW_CLASS (klass)->show_found = gadget_attachments_row_show_found;
}

static void
gadget_attachments_row_init (GadgetAttachmentsRow *self)
{
  self->box = ADW_WRAP_BOX (adw_wrap_box_new ());
  adw_wrap_box_set_child_spacing (self->box, SPACING);
  adw_wrap_box_set_line_spacing (self->box, SPACING);
  adw_wrap_box_set_align (self->box, 1);
  gadget_row_set_child (GADGET_ROW (self), GTK_WIDGET (self->box));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Attachments"), -1);
}
