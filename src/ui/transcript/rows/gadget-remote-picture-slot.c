/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slot is one line while the picture is offered and while it is loading, of the same height.
 * After a failure, the reason and a button are below that line; a loaded picture replaces it. So
 * the rows below move only when a picture was loaded or failed, and the transcript is told, so that
 * nothing moves that the user is reading.
 *
 * One button has several meanings one after the other. For a moment after each change it ignores
 * the pointer, so that a double click does not load and stop. The keyboard can stop at any moment,
 * but no press of any kind that was meant to stop may agree to loading from another server. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-remote-picture-slot.h"

#include "gadget-row-host.h"
#include "common/gadget-clock.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-immediate-button.h"
#include "ui/common/gadget-pointer-input.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/pictures/gadget-remote-picture-labels.h"
#include "ui/text/gadget-selectable-text.h"

#include <glib/gi18n.h>

#define GUARD_MS 400
#define ICON_SIZE 16
#define GAP 12

struct _GadgetRemotePictureSlot
{
  AdwBin parent_instance;

  GtkWidget *box;
  GtkWidget *card;
  GtkWidget *icon;
  GtkWidget *spinner;
  GadgetSelectableText *piece;
  GtkWidget *fallback; /* shown instead of a missing name */
  GadgetSelectableText *link;
  GtkWidget *sentence;
  GtkWidget *button;
  GtkWidget *opener; /* (nullable): the button with the loaded picture */

  GadgetItem *item; /* (nullable) */
  gsize begin;
  char *name; /* (nullable) */
  char *address;
  GadgetRemotePicture *picture; /* (nullable): NULL outside of a transcript */
  gint64 guarded_until;         /* in microseconds of the clock */
  gboolean awaited;             /* it was loaded just now and is not shown yet */
};

G_DEFINE_FINAL_TYPE (GadgetRemotePictureSlot, gadget_remote_picture_slot, ADW_TYPE_BIN)

static GadgetPictureLoader *
get_loader (GadgetRemotePictureSlot *self)
{
  return gadget_row_host_get_pictures (GTK_WIDGET (self));
}

static GadgetRemotePictureState
get_state (GadgetRemotePictureSlot *self)
{
  return self->picture != NULL ? gadget_remote_picture_get_state (self->picture)
                               : GADGET_REMOTE_PICTURE_OFFERED;
}

static const char *
get_name (GadgetRemotePictureSlot *self)
{
  return self->name != NULL ? self->name : _ ("Image");
}

static void
announce (GadgetRemotePictureSlot *self, const char *text)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* --- The picture --- */

static void
decoded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GadgetRemotePictureSlot *self = GADGET_REMOTE_PICTURE_SLOT (owner);

  if (self->opener == NULL)
    return;
  if (texture == NULL)
    {
      gadget_remote_picture_fail (self->picture, error);
      return;
    }
  gadget_picture_view_set_texture (
      GADGET_PICTURE_VIEW (gtk_button_get_child (GTK_BUTTON (self->opener))), texture);
  if (self->awaited)
    announce (self, _ ("The image is here"));
  self->awaited = FALSE;
}

static void
open_cb (GadgetRemotePictureSlot *self)
{
  GadgetPictureLoader *loader = get_loader (self);

  if (loader != NULL)
    adw_dialog_present (
        gadget_picture_dialog_new (loader, gadget_remote_picture_get_picture (self->picture)),
        GTK_WIDGET (self));
}

static void
show_picture (GadgetRemotePictureSlot *self)
{
  GadgetPicture *picture = gadget_remote_picture_get_picture (self->picture);
  const guint scale = (guint) gtk_widget_get_scale_factor (GTK_WIDGET (self));
  GadgetPictureLoader *loader = get_loader (self);
  GtkWidget *view;

  view = gadget_picture_view_new (gadget_picture_get_width (picture),
                                  gadget_picture_get_height (picture));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  get_name (self), -1);
  self->opener = gtk_button_new ();
  gtk_widget_add_css_class (self->opener, "picture");
  gtk_widget_set_overflow (self->opener, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_halign (self->opener, GTK_ALIGN_START);
  gtk_button_set_child (GTK_BUTTON (self->opener), view);
  gtk_widget_set_tooltip_text (self->opener, self->name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->opener), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  get_name (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Shows the image large"), -1);
  g_signal_connect_swapped (self->opener, "clicked", G_CALLBACK (open_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->opener);
  if (loader != NULL)
    gadget_picture_loader_load (loader, picture, GADGET_PICTURE_VIEW_WIDTH * scale,
                                GADGET_PICTURE_VIEW_HEIGHT * scale, G_OBJECT (self), decoded_cb);
}

/* --- The card --- */

/* The card begins at the side where its name does, like the text around it, whatever the language
 * of the window. */
static void
turn_card (GadgetRemotePictureSlot *self)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (self->piece);
  GtkTextDirection direction = GTK_TEXT_DIR_NONE;

  if (self->name != NULL)
    direction = pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL ? GTK_TEXT_DIR_RTL
                                                                              : GTK_TEXT_DIR_LTR;
  gtk_widget_set_direction (self->card, direction);
  gtk_widget_set_direction (self->sentence, direction);
  gtk_widget_set_direction (self->button, direction);
  /* The name of a server runs from left to right, at whichever side it is. */
  gtk_widget_set_direction (GTK_WIDGET (self->link), GTK_TEXT_DIR_LTR);
  gadget_selectable_text_set_alignment (
      self->link, gtk_widget_get_direction (self->card) == GTK_TEXT_DIR_RTL ? PANGO_ALIGN_RIGHT
                                                                            : PANGO_ALIGN_LEFT);
}

/* Puts the button beside the name, or below the failure. */
static void
put_button (GadgetRemotePictureSlot *self, gboolean below)
{
  GtkLayoutManager *grid = gtk_widget_get_layout_manager (self->card);
  GtkGridLayoutChild *place =
      GTK_GRID_LAYOUT_CHILD (gtk_layout_manager_get_layout_child (grid, self->button));

  gtk_grid_layout_child_set_column (place, below ? 1 : 2);
  gtk_grid_layout_child_set_row (place, below ? 2 : 0);
  gtk_widget_set_halign (self->button, below ? GTK_ALIGN_START : GTK_ALIGN_END);
  if (below)
    gtk_widget_remove_css_class (self->button, "flat");
  else
    gtk_widget_add_css_class (self->button, "flat");
}

static void
show_server (GadgetRemotePictureSlot *self)
{
  const char *server =
      self->picture != NULL ? gadget_remote_picture_get_server (self->picture) : NULL;
  const char *address =
      self->picture != NULL ? gadget_remote_picture_get_address (self->picture) : self->address;
  const char *text = server != NULL ? server : address;
  const GadgetTextMark mark = { 0, (guint) strlen (text), address };
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE));
  gadget_selectable_text_set_text (self->link, text, strlen (text));
  gadget_selectable_text_set_attributes (self->link, attributes);
  gadget_selectable_text_set_marks (self->link, &mark, 1);
}

static void
show_button (GadgetRemotePictureSlot *self)
{
  g_autofree char *label = self->picture != NULL
                               ? gadget_remote_picture_labels_dup_button (self->picture)
                               : g_strdup (_ ("Load Image"));
  const char *server =
      self->picture != NULL ? gadget_remote_picture_get_server (self->picture) : NULL;
  g_autofree char *description =
      g_strdup_printf ("%s, %s", get_name (self), server != NULL ? server : self->address);

  gtk_label_set_label (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->button))), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
show_card (GadgetRemotePictureSlot *self)
{
  const GadgetRemotePictureState state = get_state (self);
  const gboolean loading = state == GADGET_REMOTE_PICTURE_LOADING;
  const gboolean refused =
      self->picture != NULL && gadget_remote_picture_get_server (self->picture) == NULL;
  const gboolean failed = state == GADGET_REMOTE_PICTURE_FAILED || refused;
  g_autofree char *failure =
      failed ? gadget_remote_picture_labels_dup_failure (self->picture) : NULL;

  gtk_widget_set_visible (self->icon, !loading);
  gtk_widget_set_visible (self->spinner, loading);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                failed ? "dialog-warning-symbolic" : "image-x-generic-symbolic");
  gtk_label_set_label (GTK_LABEL (self->sentence), failure != NULL ? failure : "");
  gtk_widget_set_visible (self->sentence, failed);
  show_server (self);
  show_button (self);
  put_button (self, failed);
  gtk_widget_set_visible (self->button, !refused);
  gtk_widget_set_sensitive (self->button, self->picture != NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, loading, -1);
}

/* The name of a loaded picture is hidden, so it is removed from the text that a caret can move
 * through. */
static void
show_name (GadgetRemotePictureSlot *self, gboolean loaded)
{
  const char *text = self->name != NULL && !loaded ? self->name : "";

  gadget_selectable_text_set_text (self->piece, text, strlen (text));
}

static void
show_state (GadgetRemotePictureSlot *self)
{
  const gboolean loaded = get_state (self) == GADGET_REMOTE_PICTURE_LOADED;
  const gboolean focused = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;

  if (!loaded && self->opener != NULL)
    {
      gtk_box_remove (GTK_BOX (self->box), self->opener);
      self->opener = NULL;
    }
  if (loaded && self->opener == NULL)
    show_picture (self);
  /* The keyboard focus moves to the widget that replaces the focused one. */
  if (loaded && focused)
    gtk_widget_grab_focus (self->opener);
  gtk_widget_set_visible (self->card, !loaded);
  show_name (self, loaded);
  show_card (self);
  if (!loaded && focused)
    gtk_widget_grab_focus (self->button);
}

static void
changed_cb (GadgetRemotePictureSlot *self)
{
  const GadgetRemotePictureState state = get_state (self);
  g_autofree char *failure = NULL;

  self->awaited = state == GADGET_REMOTE_PICTURE_LOADED;
  self->guarded_until =
      gadget_clock_now (gadget_clock_get_default ()) + GUARD_MS * G_TIME_SPAN_MILLISECOND;
  show_state (self);
  gadget_row_host_part_resized (GTK_WIDGET (self));
  if (state == GADGET_REMOTE_PICTURE_FAILED)
    failure = gadget_remote_picture_labels_dup_failure (self->picture);
  if (failure != NULL)
    announce (self, failure);
}

/* Returns whether pressing the button would agree to loading from another server. */
static gboolean
is_agreement (GadgetRemotePictureSlot *self)
{
  return get_state (self) == GADGET_REMOTE_PICTURE_FAILED
         && gadget_remote_picture_get_elsewhere (self->picture) != NULL;
}

static void
pressed_cb (GadgetRemotePictureSlot *self)
{
  const gboolean guarded = gadget_clock_now (gadget_clock_get_default ()) < self->guarded_until;
  const gboolean by_pointer = gadget_pointer_input_take (self->button);

  if (guarded && (by_pointer || is_agreement (self)))
    return;
  if (get_state (self) == GADGET_REMOTE_PICTURE_LOADING)
    gadget_remote_picture_stop (self->picture);
  else if (self->picture != NULL)
    gadget_remote_picture_load (self->picture);
}

/* --- Content --- */

static void
set_picture (GadgetRemotePictureSlot *self, GadgetRemotePicture *picture)
{
  if (self->picture == picture)
    return;
  if (self->picture != NULL)
    g_signal_handlers_disconnect_by_data (self->picture, self);
  g_set_object (&self->picture, picture);
  if (picture != NULL)
    g_signal_connect_object (picture, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
}

static void
update_picture (GadgetRemotePictureSlot *self)
{
  GadgetRemotePictures *pictures = gadget_row_host_get_remote_pictures (GTK_WIDGET (self));

  if (self->item == NULL)
    return;
  set_picture (self, pictures != NULL ? gadget_remote_pictures_get_picture (
                                            pictures, self->item, self->begin, self->address)
                                      : NULL);
  show_state (self);
}

/* The picture is looked up before the widget is measured, so that a loaded one has its height at
 * once. */
static void
gadget_remote_picture_slot_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_remote_picture_slot_parent_class)->root (widget);
  update_picture (GADGET_REMOTE_PICTURE_SLOT (widget));
}

static void
gadget_remote_picture_slot_dispose (GObject *object)
{
  GadgetRemotePictureSlot *self = GADGET_REMOTE_PICTURE_SLOT (object);

  set_picture (self, NULL);
  self->opener = NULL;
  g_clear_object (&self->item);

  G_OBJECT_CLASS (gadget_remote_picture_slot_parent_class)->dispose (object);
}

static void
gadget_remote_picture_slot_finalize (GObject *object)
{
  g_free (GADGET_REMOTE_PICTURE_SLOT (object)->name);
  g_free (GADGET_REMOTE_PICTURE_SLOT (object)->address);

  G_OBJECT_CLASS (gadget_remote_picture_slot_parent_class)->finalize (object);
}

static void
gadget_remote_picture_slot_class_init (GadgetRemotePictureSlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_remote_picture_slot_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_remote_picture_slot_finalize;
  widget_class->root = gadget_remote_picture_slot_root;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

/* --- Construction --- */

static GtkWidget *
make_words (GadgetRemotePictureSlot *self)
{
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *piece = gadget_selectable_text_new (GADGET_TEXT_WRAP);
  GtkWidget *link = gadget_selectable_text_new (GADGET_TEXT_WRAP);

  self->piece = GADGET_SELECTABLE_TEXT (piece);
  self->link = GADGET_SELECTABLE_TEXT (link);
  self->fallback = gtk_label_new (_ ("Image"));
  gtk_label_set_xalign (GTK_LABEL (self->fallback), 0);
  gtk_widget_add_css_class (link, "caption");
  gtk_widget_add_css_class (link, "dimmed");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (words), piece);
  gtk_box_append (GTK_BOX (words), self->fallback);
  gtk_box_append (GTK_BOX (words), link);
  return words;
}

static GtkWidget *
make_sentence (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "sentence");
  return label;
}

/* The name of a server is ellipsized in the middle, since its end tells whose it is. */
static GtkWidget *
make_button (GadgetRemotePictureSlot *self)
{
  GtkWidget *button = gadget_immediate_button_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gadget_pointer_input_watch (button);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (pressed_cb), self);
  return button;
}

static void
gadget_remote_picture_slot_init (GadgetRemotePictureSlot *self)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->card = GTK_WIDGET (grid);
  self->icon = gtk_image_new ();
  self->spinner = adw_spinner_new ();
  self->sentence = make_sentence ();
  self->button = make_button (self);
  gtk_grid_set_column_spacing (grid, GAP);
  gtk_widget_add_css_class (self->card, "remote-picture");
  gtk_widget_set_size_request (self->spinner, ICON_SIZE, ICON_SIZE);
  gtk_widget_set_valign (self->spinner, GTK_ALIGN_CENTER);
  gtk_grid_attach (grid, self->icon, 0, 0, 1, 1);
  gtk_grid_attach (grid, self->spinner, 0, 0, 1, 1);
  gtk_grid_attach (grid, make_words (self), 1, 0, 1, 1);
  gtk_grid_attach (grid, self->sentence, 1, 1, 2, 1);
  gtk_grid_attach (grid, self->button, 2, 0, 1, 1);
  gtk_box_append (GTK_BOX (self->box), self->card);
  adw_bin_set_child (ADW_BIN (self), self->box);
}

/* gadget_remote_picture_slot_new: returns an empty slot, which loads nothing. (transfer floating)
 */
GtkWidget *
gadget_remote_picture_slot_new (void)
{
  return g_object_new (GADGET_TYPE_REMOTE_PICTURE_SLOT, NULL);
}

/**
 * gadget_remote_picture_slot_show:
 * @leaf: a leaf of the kind %GADGET_MARKDOWN_PICTURE
 * @item: the item whose text has the leaf
 */
void
gadget_remote_picture_slot_show (GadgetRemotePictureSlot *self, const GadgetMarkdownLeaf *leaf,
                                 GadgetItem *item)
{
  const GadgetMarkdownSpan *image = &g_array_index (leaf->text->spans, GadgetMarkdownSpan, 0);

  g_return_if_fail (GADGET_IS_REMOTE_PICTURE_SLOT (self) && GADGET_IS_ITEM (item));

  g_set_object (&self->item, item);
  self->begin = leaf->source_start;
  gadget_markdown_attributes_get_begin (leaf->text, &self->begin);
  g_set_str (&self->address, image->href);
  g_free (self->name);
  self->name = image->end > 0 ? g_strndup (leaf->text->text, image->end) : NULL;
  show_name (self, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->piece), image->end > 0);
  gtk_widget_set_visible (self->fallback, image->end == 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  get_name (self), -1);
  turn_card (self);
  update_picture (self);
}

GadgetSelectableText *
gadget_remote_picture_slot_get_piece (GadgetRemotePictureSlot *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE_SLOT (self), NULL);
  return self->piece;
}
