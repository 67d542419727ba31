/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line is a button with all parts but the suffix widgets in it. A link to a file inside the
 * button needs the click before the button gets it, so a gesture in the capture phase looks for
 * links. */

#define G_LOG_DOMAIN "gadget-line"

#include "config.h"

#include "gadget-line.h"

#include "gadget-text-link.h"
#include "session/gadget-item.h"

#include <adwaita.h>

#define CODE_SCALE 0.9

struct _GadgetLine
{
  GtkWidget parent_instance;

  GtkWidget *button;
  GtkWidget *content;
  GtkWidget *image;
  GtkWidget *spinner;   /* made when first needed */
  GtkWidget *counts[2]; /* numbers of added and removed lines; made when first needed */
  GtkWidget *arrow;
  GtkWidget *suffix;
  GadgetSelectableText *piece;
  char *icon_name;
  char *path; /* (nullable): path of the file that the text names */
  gboolean spinning;
};

enum
{
  TOGGLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetLine, gadget_line, GTK_TYPE_WIDGET)

static void
clicked_cb (GadgetLine *self)
{
  g_signal_emit (self, signals[TOGGLED], 0);
}

/* Runs in the capture phase: otherwise the button would claim the click before a link in it can get
 * it. */
static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, GadgetLine *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GadgetTextLink *link =
      gadget_text_link_find (gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT));

  /* A click with Shift extends the selection. */
  if (link == NULL || (state & GDK_SHIFT_MASK) != 0)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (n_press == 1)
    gadget_text_link_open (link);
}

static void
gadget_line_dispose (GObject *object)
{
  GadgetLine *self = GADGET_LINE (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_pointer (&self->suffix, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_line_parent_class)->dispose (object);
}

static void
gadget_line_finalize (GObject *object)
{
  GadgetLine *self = GADGET_LINE (object);

  g_free (self->icon_name);
  g_free (self->path);

  G_OBJECT_CLASS (gadget_line_parent_class)->finalize (object);
}

static void
gadget_line_class_init (GadgetLineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_line_dispose;
  object_class->finalize = gadget_line_finalize;

  signals[TOGGLED] = g_signal_new ("toggled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "line");
}

static void
gadget_line_init (GadgetLine *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));

  self->content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->image = gtk_image_new ();
  gtk_widget_add_css_class (self->image, "line-icon");
  gtk_widget_set_visible (self->image, FALSE);
  gtk_box_append (GTK_BOX (self->content), self->image);
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_ELLIPSIZE));
  gtk_widget_set_valign (GTK_WIDGET (self->piece), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->piece));
  self->arrow = gtk_image_new_from_icon_name ("pan-end-symbolic");
  gtk_widget_add_css_class (self->arrow, "line-arrow");
  gtk_box_append (GTK_BOX (self->content), self->arrow);

  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "line");
  gtk_button_set_child (GTK_BUTTON (self->button), self->content);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (clicked_cb), self);

  self->suffix = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_hexpand (self->suffix, TRUE);
  gtk_widget_set_halign (self->suffix, GTK_ALIGN_END);
  gtk_widget_set_valign (self->suffix, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->suffix, GTK_WIDGET (self));
  gadget_line_set_foldable (self, FALSE);
}

/* gadget_line_new: returns a line without icon, text and end. (transfer floating) */
GtkWidget *
gadget_line_new (void)
{
  return g_object_new (GADGET_TYPE_LINE, NULL);
}

static void
update_icon (GadgetLine *self)
{
  gtk_widget_set_visible (self->image, self->icon_name != NULL && !self->spinning);
  if (self->spinner != NULL)
    gtk_widget_set_visible (self->spinner, self->spinning);
  if (self->icon_name != NULL)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->image), self->icon_name);
}

void
gadget_line_set_icon (GadgetLine *self, const char *icon_name)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  if (g_set_str (&self->icon_name, icon_name))
    update_icon (self);
}

/**
 * gadget_line_set_accented:
 * @accented: whether the icon asks for the user's attention
 */
void
gadget_line_set_accented (GadgetLine *self, gboolean accented)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  if (accented)
    gtk_widget_add_css_class (self->image, "accent");
  else
    gtk_widget_remove_css_class (self->image, "accent");
}

void
gadget_line_set_spinning (GadgetLine *self, gboolean spinning)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  if (self->spinning == spinning)
    return;
  self->spinning = spinning;
  if (spinning && self->spinner == NULL)
    {
      self->spinner = adw_spinner_new ();
      gtk_widget_add_css_class (self->spinner, "line-icon");
      gtk_widget_set_size_request (self->spinner, 16, 16);
      gtk_box_prepend (GTK_BOX (self->content), self->spinner);
    }
  update_icon (self);
}

PangoAttrList *
gadget_line_make_attributes (const char *text)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_autoptr (PangoFontDescription) font =
      pango_font_description_from_string (adw_style_manager_get_monospace_font_name (style));
  PangoAttrList *attributes = pango_attr_list_new ();
  const char *start = strstr (text, GADGET_CODE_BEGIN);

  /* With tabular numbers, a running time does not move the text before it. */
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  while (start != NULL)
    {
      const char *end = strstr (start, GADGET_CODE_END);
      PangoAttribute *family = pango_attr_family_new (pango_font_description_get_family (font));
      PangoAttribute *scale = pango_attr_scale_new (CODE_SCALE);

      family->start_index = scale->start_index = (guint) (start - text);
      if (end != NULL)
        family->end_index = scale->end_index = (guint) (end - text);
      pango_attr_list_insert (attributes, family);
      pango_attr_list_insert (attributes, scale);
      start = end != NULL ? strstr (end, GADGET_CODE_BEGIN) : NULL;
    }
  return attributes;
}

/* Returns whether text follows the last code, for example how long a command took. Such text is
 * short and important, so a long command before it is ellipsized instead. */
static gboolean
ends_with_words (const char *text, gsize length)
{
  const char *end = g_strrstr_len (text, (gssize) length, GADGET_CODE_END);

  return end != NULL && end + strlen (GADGET_CODE_END) < text + length;
}

void
gadget_line_set_text (GadgetLine *self, const char *text)
{
  g_autoptr (PangoAttrList) attributes = NULL;
  const char *end;
  gsize length;

  g_return_if_fail (GADGET_IS_LINE (self) && text != NULL);

  if (g_str_equal (gadget_selectable_text_get_text (self->piece), text))
    return;
  end = strchr (text, '\n');
  length = end != NULL ? (gsize) (end - text) : strlen (text);
  gadget_line_set_file (self, NULL);
  attributes = gadget_line_make_attributes (text);
  gadget_selectable_text_set_mode (self->piece, ends_with_words (text, length)
                                                    ? GADGET_TEXT_ELLIPSIZE_MIDDLE
                                                    : GADGET_TEXT_ELLIPSIZE);
  gadget_selectable_text_set_text (self->piece, text, length);
  gadget_selectable_text_set_attributes (self->piece, attributes);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  text, -1);
}

/**
 * gadget_line_set_file:
 * @path: (nullable): an absolute path
 */
void
gadget_line_set_file (GadgetLine *self, const char *path)
{
  const char *text = gadget_selectable_text_get_text (self->piece);
  const char *start = path != NULL ? strstr (text, GADGET_CODE_BEGIN) : NULL;
  const char *end = start != NULL ? strstr (start, GADGET_CODE_END) : NULL;
  GadgetTextMark mark = { .address = path, .is_file = TRUE };

  g_return_if_fail (GADGET_IS_LINE (self));

  if (!g_set_str (&self->path, path))
    return;
  if (end == NULL)
    {
      gadget_selectable_text_set_marks (self->piece, NULL, 0);
      return;
    }
  mark.start = (guint) (start + strlen (GADGET_CODE_BEGIN) - text);
  mark.end = (guint) (end - text);
  gadget_selectable_text_set_marks (self->piece, &mark, 1);
}

void
gadget_line_set_dimmed (GadgetLine *self, gboolean dimmed)
{
  GtkWidget *const parts[] = { self->image, GTK_WIDGET (self->piece) };

  g_return_if_fail (GADGET_IS_LINE (self));

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (dimmed)
      gtk_widget_add_css_class (parts[i], "dimmed");
    else
      gtk_widget_remove_css_class (parts[i], "dimmed");
}

static void
show_count (GadgetLine *self, guint index, const char *mark, guint count)
{
  g_autofree char *text = g_strdup_printf ("%s%u", mark, count);

  if (self->counts[index] == NULL && count > 0)
    {
      self->counts[index] = gtk_label_new (NULL);
      gtk_widget_add_css_class (self->counts[index], "line-count");
      /* The sign is left of its number in any language of the window. */
      gtk_widget_set_direction (self->counts[index], GTK_TEXT_DIR_LTR);
      gtk_widget_add_css_class (self->counts[index], index == 0 ? "success" : "error");
      gtk_box_insert_child_after (GTK_BOX (self->content), self->counts[index],
                                  index == 1 && self->counts[0] != NULL ? self->counts[0]
                                                                        : GTK_WIDGET (self->piece));
    }
  if (self->counts[index] == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->counts[index]), text);
  gtk_widget_set_visible (self->counts[index], count > 0);
}

/**
 * gadget_line_set_counts:
 * @n_added: the number of lines that were added to a file; 0 shows nothing
 * @n_removed: the number of lines that were removed; 0 shows nothing
 */
void
gadget_line_set_counts (GadgetLine *self, guint n_added, guint n_removed)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  show_count (self, 0, "+", n_added);
  show_count (self, 1, "−", n_removed);
  if (n_added > 0 || n_removed > 0)
    {
      g_autofree char *name = g_strdup_printf (
          "%s +%u −%u", gadget_selectable_text_get_text (self->piece), n_added, n_removed);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      name, -1);
    }
}

/**
 * gadget_line_set_foldable:
 * @foldable: whether there is something to unfold; without it the line is plain text
 */
void
gadget_line_set_foldable (GadgetLine *self, gboolean foldable)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  gtk_widget_set_visible (self->arrow, foldable);
  gtk_widget_set_focusable (self->button, foldable);
  gtk_widget_set_can_target (self->button, foldable);
}

void
gadget_line_set_expanded (GadgetLine *self, gboolean expanded)
{
  g_return_if_fail (GADGET_IS_LINE (self));

  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED,
                               expanded, -1);
}

/**
 * gadget_line_add_suffix:
 * @widget: (transfer floating): placed at the end of the line
 */
void
gadget_line_add_suffix (GadgetLine *self, GtkWidget *widget)
{
  g_return_if_fail (GADGET_IS_LINE (self));
  gtk_box_append (GTK_BOX (self->suffix), widget);
}

GadgetSelectableText *
gadget_line_get_piece (GadgetLine *self)
{
  g_return_val_if_fail (GADGET_IS_LINE (self), NULL);
  return self->piece;
}

GtkWidget *
gadget_line_button_new (void)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (content), gtk_image_new ());
  gtk_box_append (GTK_BOX (content), gtk_label_new (NULL));
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "line-action");
  gtk_widget_add_css_class (button, "quiet");
  return button;
}

void
gadget_line_button_show (GtkWidget *button, const char *icon_name, const char *label)
{
  GtkWidget *image = gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (button)));

  gtk_image_set_from_icon_name (GTK_IMAGE (image), icon_name);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (image)), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}
