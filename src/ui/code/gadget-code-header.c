/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of a block of code. Making its buttons is costly, so their number is limited over time
 * for all headers together: BURST headers get theirs at once, and another one every REFILL_US. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-header.h"

#include "common/gadget-bidi.h"
#include "ui/common/gadget-save.h"

#include <glib/gi18n.h>

/* How many headers get their buttons at once, and the time, in µs, after which another one may. */
#define BURST 4
#define REFILL_US 100000

/* A header without buttons tries again at this interval while it is mapped. */
#define LATER_MS 150

struct _GadgetCodeHeader
{
  GtkWidget parent_instance;

  GtkWidget *language;
  GtkWidget *fold; /* (nullable): the buttons are made together, NULL until then */
  GtkWidget *wrap;
  guint later_id;

  GadgetCode *code; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GadgetCodeHeader, gadget_code_header, GTK_TYPE_WIDGET)

/* Takes one of the BURST slots that all headers share. Returns FALSE when none is free, so that the
 * header must not make its buttons yet. */
static gboolean
acquire_slot (void)
{
  static gint64 full; /* monotonic time, in µs, when all slots are free again */
  const gint64 now = g_get_monotonic_time ();

  if (full > now + (BURST - 1) * REFILL_US)
    return FALSE;
  full = MAX (full, now) + REFILL_US;
  return TRUE;
}

/* --- The buttons --- */

static void
copy_cb (GadgetCodeHeader *self)
{
  g_autofree char *text = gadget_code_dup_text (self->code);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
save_cb (GadgetCodeHeader *self)
{
  GtkWidget *toasts = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_TOAST_OVERLAY);
  char *text = gadget_code_dup_text (self->code);
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, strlen (text));
  g_autofree char *name = gadget_code_dup_file_name (self->code);

  gadget_save_ask (GTK_WIDGET (self), ADW_TOAST_OVERLAY (toasts), _ ("Save Code"), name, bytes,
                   _ ("The code was saved"));
}

static void
fold_cb (GadgetCodeHeader *self)
{
  /* The row, and this header with it, may be destroyed by the action. */
  g_autoptr (GadgetCode) code = g_object_ref (self->code);

  gadget_code_set_open (code, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self), "block.fold-code", NULL);
}

static void
wrap_toggled_cb (GadgetCodeHeader *self)
{
  gadget_code_set_wrap (self->code, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->wrap)));
}

static void
add_button (GadgetCodeHeader *self, GtkWidget *button, const char *label)
{
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "code-button");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
}

static GtkWidget *
add_action (GadgetCodeHeader *self, const char *icon_name, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  g_signal_connect_swapped (button, "clicked", clicked, self);
  add_button (self, button, label);
  return button;
}

static void
update (GadgetCodeHeader *self)
{
  g_autofree char *name = gadget_bidi_escape (gadget_code_get_name (self->code));

  gtk_label_set_text (GTK_LABEL (self->language), name);
  if (self->fold != NULL)
    gtk_widget_set_visible (self->fold, gadget_code_get_foldable (self->code));
}

static void
add_buttons (GadgetCodeHeader *self)
{
  self->fold = add_action (self, "pan-up-symbolic", _ ("Show Fewer Lines"), G_CALLBACK (fold_cb));
  self->wrap = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->wrap), "view-wrapped-symbolic");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->wrap), gadget_code_get_wrap (self->code));
  g_signal_connect_swapped (self->wrap, "toggled", G_CALLBACK (wrap_toggled_cb), self);
  add_button (self, self->wrap, _ ("Wrap Lines"));
  add_action (self, "document-save-symbolic", _ ("Save Code…"), G_CALLBACK (save_cb));
  add_action (self, "edit-copy-symbolic", _ ("Copy Code"), G_CALLBACK (copy_cb));
  update (self);
}

static gboolean
later_cb (gpointer data)
{
  GadgetCodeHeader *self = data;

  if (!acquire_slot ())
    return G_SOURCE_CONTINUE;
  self->later_id = 0;
  add_buttons (self);
  return G_SOURCE_REMOVE;
}

/* --- Mapping --- */

static void
gadget_code_header_map (GtkWidget *widget)
{
  GadgetCodeHeader *self = GADGET_CODE_HEADER (widget);

  GTK_WIDGET_CLASS (gadget_code_header_parent_class)->map (widget);
  if (self->wrap != NULL)
    return;
  self->later_id = g_timeout_add (LATER_MS, later_cb, self);
  g_source_set_name_by_id (self->later_id, "gadget-code-header buttons");
}

static void
gadget_code_header_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&GADGET_CODE_HEADER (widget)->later_id, g_source_remove);

  GTK_WIDGET_CLASS (gadget_code_header_parent_class)->unmap (widget);
}

/* --- Object --- */

static void
drop_code (GadgetCodeHeader *self)
{
  if (self->code != NULL)
    g_signal_handlers_disconnect_by_data (self->code, self);
  g_clear_object (&self->code);
}

static void
gadget_code_header_dispose (GObject *object)
{
  GadgetCodeHeader *self = GADGET_CODE_HEADER (object);
  GtkWidget *child;

  g_clear_handle_id (&self->later_id, g_source_remove);
  drop_code (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (gadget_code_header_parent_class)->dispose (object);
}

static void
gadget_code_header_class_init (GadgetCodeHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_code_header_dispose;
  widget_class->map = gadget_code_header_map;
  widget_class->unmap = gadget_code_header_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "codeheader");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void
gadget_code_header_init (GadgetCodeHeader *self)
{
  self->language = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->language), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->language), 0);
  gtk_widget_set_hexpand (self->language, TRUE);
  gtk_widget_add_css_class (self->language, "caption");
  gtk_widget_add_css_class (self->language, "dimmed");
  gtk_widget_set_parent (self->language, GTK_WIDGET (self));
}

/* gadget_code_header_new: returns a header without code, whose buttons do nothing yet. (transfer
 * floating) */
GtkWidget *
gadget_code_header_new (void)
{
  return g_object_new (GADGET_TYPE_CODE_HEADER, NULL);
}

void
gadget_code_header_set_code (GadgetCodeHeader *self, GadgetCode *code)
{
  g_return_if_fail (GADGET_IS_CODE_HEADER (self) && GADGET_IS_CODE (code));

  if (self->code != code)
    {
      drop_code (self);
      self->code = g_object_ref (code);
      g_signal_connect_swapped (code, "notify::foldable", G_CALLBACK (update), self);
    }
  update (self);
  if (self->wrap == NULL && acquire_slot ())
    {
      g_clear_handle_id (&self->later_id, g_source_remove);
      add_buttons (self);
    }
}
