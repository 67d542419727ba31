/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chip is used in the composer, where it can be removed, and in the transcript. It begins with
 * a spinner and the name of a file; set_attachment () or fail () replaces that. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-chip.h"

#include "common/gadget-bidi.h"
#include "gadget-picture-decode.h"
#include "gadget-picture-dialog.h"

#include <glib/gi18n.h>

/* Side of the picture in pixels; the style sheet has the same value. */
#define SIDE 36
#define NAME_CHARACTERS 22
#define LEAST_CHARACTERS 6
/* Limits of the preview of a text file in the tooltip. */
#define PREVIEW_LINES 6
#define PREVIEW_BYTES 400

struct _GadgetAttachmentChip
{
  AdwBin parent_instance;

  GtkWidget *box;
  GtkWidget *sign; /* first child: a picture, an icon or a spinner */
  GtkLabel *name;
  GtkLabel *detail;
  GtkWidget *remove_button; /* (nullable) */

  GadgetAttachment *attachment; /* (nullable) */
  GadgetPictureLoader *loader;  /* (nullable) */
};

enum
{
  REMOVED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetAttachmentChip, gadget_attachment_chip, ADW_TYPE_BIN)

static void
set_sign (GadgetAttachmentChip *self, GtkWidget *sign)
{
  if (self->sign != NULL)
    gtk_box_remove (GTK_BOX (self->box), self->sign);
  self->sign = sign;
  gtk_widget_set_size_request (sign, SIDE, SIDE);
  gtk_widget_set_valign (sign, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (sign, "attachment-sign");
  gtk_box_prepend (GTK_BOX (self->box), sign);
}

static void
set_icon (GadgetAttachmentChip *self, const char *icon_name)
{
  set_sign (self, gtk_image_new_from_icon_name (icon_name));
}

static void
update_remove_button (GadgetAttachmentChip *self)
{
  /* Translators: %s is the name of a file that is attached to a message */
  g_autofree char *text = g_strdup_printf (_ ("Remove %s"), gtk_label_get_label (self->name));

  if (self->remove_button != NULL)
    gtk_widget_set_tooltip_text (self->remove_button, text);
}

static void
set_labels (GadgetAttachmentChip *self, const char *name, const char *detail)
{
  g_autofree char *shown = gadget_bidi_escape (name);
  /* Translators: the name of a file, and its size or what is wrong with it */
  g_autofree char *whole = g_strdup_printf (_ ("%s · %s"), shown, detail);

  gtk_label_set_label (self->name, shown);
  gtk_label_set_label (self->detail, detail);
  update_remove_button (self);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), whole);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
}

/* --- Pictures --- */

/* A GtkPicture requests the size of its paintable; as an overlay over an empty box it requests
 * nothing. */
static GtkWidget *
make_square (GdkTexture *texture)
{
  GtkWidget *square = gtk_overlay_new ();
  GtkWidget *view = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));

  gtk_picture_set_content_fit (GTK_PICTURE (view), GTK_CONTENT_FIT_COVER);
  gtk_widget_set_overflow (square, GTK_OVERFLOW_HIDDEN);
  gtk_overlay_set_child (GTK_OVERLAY (square), gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_overlay_add_overlay (GTK_OVERLAY (square), view);
  return square;
}

static void
loaded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GadgetAttachmentChip *self = GADGET_ATTACHMENT_CHIP (owner);

  if (texture != NULL && self->box != NULL)
    set_sign (self, make_square (texture));
}

/* Loads the picture large enough to fill the square in most shapes; a very long picture is scaled
 * up. */
static void
load_picture (GadgetAttachmentChip *self, GadgetPicture *picture)
{
  const guint side = 4 * SIDE * (guint) gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (self->loader != NULL
      && gadget_picture_is_decodable (gadget_picture_get_width (picture),
                                      gadget_picture_get_height (picture)))
    gadget_picture_loader_load (self->loader, picture, side, side, G_OBJECT (self), loaded_cb);
}

static gboolean
can_open (GadgetAttachmentChip *self)
{
  return self->attachment != NULL && self->loader != NULL
         && gadget_attachment_get_picture (self->attachment) != NULL;
}

static void
open_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetAttachmentChip *self = GADGET_ATTACHMENT_CHIP (widget);

  adw_dialog_present (
      gadget_picture_dialog_new (self->loader, gadget_attachment_get_picture (self->attachment)),
      widget);
}

static void
clicked_cb (GadgetAttachmentChip *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "chip.open", NULL);
}

/* --- Removing --- */

static void
remove_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_signal_emit (widget, signals[REMOVED], 0);
}

static void
remove_cb (GadgetAttachmentChip *self)
{
  g_signal_emit (self, signals[REMOVED], 0);
}

/* --- Object --- */

static void
gadget_attachment_chip_dispose (GObject *object)
{
  GadgetAttachmentChip *self = GADGET_ATTACHMENT_CHIP (object);

  self->box = NULL;
  self->sign = NULL;
  g_clear_pointer (&self->attachment, gadget_attachment_unref);
  g_clear_object (&self->loader);

  G_OBJECT_CLASS (gadget_attachment_chip_parent_class)->dispose (object);
}

static void
gadget_attachment_chip_class_init (GadgetAttachmentChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_attachment_chip_dispose;

  signals[REMOVED] = g_signal_new ("removed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  gtk_widget_class_install_action (widget_class, "chip.open", NULL, open_action);
  gtk_widget_class_install_action (widget_class, "chip.remove", NULL, remove_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, 0, "chip.open", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Enter, 0, "chip.open", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_space, 0, "chip.open", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "chip.remove", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_BackSpace, 0, "chip.remove", NULL);
}

static GtkLabel *
make_label (GtkWidget *words)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

  gtk_label_set_xalign (label, 0);
  gtk_label_set_single_line_mode (label, TRUE);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (label, LEAST_CHARACTERS);
  gtk_label_set_max_width_chars (label, NAME_CHARACTERS);
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (label));
  return label;
}

static void
gadget_attachment_chip_init (GadgetAttachmentChip *self)
{
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkGesture *click = gtk_gesture_click_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  gtk_widget_add_css_class (GTK_WIDGET (self), "attachment-chip");
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  self->name = make_label (words);
  self->detail = make_label (words);
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "dimmed");
  gtk_box_append (GTK_BOX (self->box), words);
  adw_bin_set_child (ADW_BIN (self), self->box);

  /* A disabled action leaves its keys to the widgets around the chip. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chip.open", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chip.remove", FALSE);
  g_signal_connect_swapped (click, "released", G_CALLBACK (clicked_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

/**
 * gadget_attachment_chip_new:
 * @name: the name of the file that is being read
 */
GtkWidget *
gadget_attachment_chip_new (const char *name)
{
  GadgetAttachmentChip *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (GADGET_TYPE_ATTACHMENT_CHIP, NULL);
  set_sign (self, adw_spinner_new ());
  set_labels (self, name, _ ("Reading…"));
  return GTK_WIDGET (self);
}

static char *
dup_detail (const GadgetAttachment *attachment)
{
  const GadgetPicture *picture = gadget_attachment_get_picture (attachment);
  g_autofree char *size = g_format_size (gadget_attachment_get_size (attachment));
  g_autofree char *pixels = picture != NULL ? gadget_picture_dup_pixels (picture) : NULL;

  return pixels != NULL ? g_steal_pointer (&pixels) : g_steal_pointer (&size);
}

/* Returns the beginning of a text. (transfer full) */
static char *
dup_preview (const char *text)
{
  const char *end = text;

  for (guint lines = 0; *end != '\0' && end - text < PREVIEW_BYTES; end = g_utf8_next_char (end))
    if (*end == '\n' && ++lines == PREVIEW_LINES)
      break;
  return g_strdup_printf ("%.*s%s", (int) (end - text), text, *end != '\0' ? "…" : "");
}

/* Adds a preview of a text file to the tooltip, since its name alone says little and it cannot be
 * opened large. */
static void
preview (GadgetAttachmentChip *self, const char *text)
{
  g_autofree char *beginning = dup_preview (text);
  g_autofree char *shown = gadget_bidi_escape (beginning);
  g_autofree char *whole =
      g_strdup_printf ("%s\n\n%s", gtk_widget_get_tooltip_text (GTK_WIDGET (self)), shown);

  gtk_widget_set_tooltip_text (GTK_WIDGET (self), whole);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, shown,
                                  -1);
}

/**
 * gadget_attachment_chip_set_attachment:
 * @attachment: the attachment to show; the chip keeps a reference
 * @loader: (nullable): loads its picture; without it an icon is shown and the picture cannot be
 *   opened
 */
void
gadget_attachment_chip_set_attachment (GadgetAttachmentChip *self, GadgetAttachment *attachment,
                                       GadgetPictureLoader *loader)
{
  const char *name;
  g_autofree char *detail = NULL;

  g_return_if_fail (GADGET_IS_ATTACHMENT_CHIP (self) && attachment != NULL);

  g_clear_pointer (&self->attachment, gadget_attachment_unref);
  self->attachment = gadget_attachment_ref (attachment);
  g_set_object (&self->loader, loader);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chip.open", can_open (self));
  name = gadget_attachment_get_name (attachment);
  detail = dup_detail (attachment);
  set_labels (self, name != NULL ? name : _ ("Image"), detail);
  if (gadget_attachment_get_picture (attachment) == NULL)
    {
      set_icon (self, "text-x-generic-symbolic");
      preview (self, gadget_attachment_get_text (attachment));
      return;
    }
  set_icon (self, "image-x-generic-symbolic");
  load_picture (self, gadget_attachment_get_picture (attachment));
}

/**
 * gadget_attachment_chip_fail:
 * @reason: why the file cannot be given to a model, in words for the user
 */
void
gadget_attachment_chip_fail (GadgetAttachmentChip *self, const char *reason)
{
  g_autofree char *name = NULL;

  g_return_if_fail (GADGET_IS_ATTACHMENT_CHIP (self) && reason != NULL);

  name = g_strdup (gtk_label_get_label (self->name));
  set_icon (self, "dialog-warning-symbolic");
  gtk_widget_add_css_class (GTK_WIDGET (self), "failed");
  gtk_label_set_max_width_chars (self->detail, 2 * NAME_CHARACTERS);
  gtk_label_set_ellipsize (self->detail, PANGO_ELLIPSIZE_END);
  set_labels (self, name, reason);
}

void
gadget_attachment_chip_set_removable (GadgetAttachmentChip *self)
{
  g_return_if_fail (GADGET_IS_ATTACHMENT_CHIP (self));

  if (self->remove_button != NULL)
    return;
  self->remove_button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_add_css_class (self->remove_button, "flat");
  gtk_widget_add_css_class (self->remove_button, "attachment-remove");
  gtk_widget_set_valign (self->remove_button, GTK_ALIGN_CENTER);
  update_remove_button (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chip.remove", TRUE);
  g_signal_connect_swapped (self->remove_button, "clicked", G_CALLBACK (remove_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->remove_button);
}

/**
 * gadget_attachment_chip_get_attachment:
 *
 * Returns: (transfer none) (nullable): %NULL while the file is being read, and when it cannot be
 *   used
 */
GadgetAttachment *
gadget_attachment_chip_get_attachment (GadgetAttachmentChip *self)
{
  g_return_val_if_fail (GADGET_IS_ATTACHMENT_CHIP (self), NULL);
  return self->attachment;
}
