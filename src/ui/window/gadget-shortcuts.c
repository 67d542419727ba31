/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that lists the keyboard shortcuts. The list is written here by hand; the window and
 * the widgets bind the keys. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-shortcuts.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetShortcuts
{
  AdwDialog parent_instance;

  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (GadgetShortcuts, gadget_shortcuts, ADW_TYPE_DIALOG)

/* A row of the dialog: one action, and one or two accelerators. */
typedef struct
{
  const char *title;
  const char *first; /* as gtk_accelerator_parse () reads it */
  const char *second;
} Shortcut;

static const Shortcut stopping[] = {
  { N_ ("Stop the reply"), "Escape", "Escape" },
  { N_ ("Stop the reply at once"), "<Shift>Escape", NULL },
  { N_ ("Stop everything"), "<Control><Shift>Escape", NULL },
};

static const Shortcut writing[] = {
  { N_ ("Send, or queue while a reply is written"), "Return", NULL },
  { N_ ("Steer the reply that is written"), "<Control>Return", NULL },
  { N_ ("New line"), "<Shift>Return", NULL },
  { N_ ("Move a queued message up"), "<Alt>Up", NULL },
  { N_ ("Move a queued message down"), "<Alt>Down", NULL },
  { N_ ("Mention a file"), "at", NULL },
  { N_ ("Focus message entry"), "<Control>l", NULL },
  { N_ ("Go to pending question"), "<Control>j", NULL },
};

static const Shortcut chats[] = {
  { N_ ("New chat"), "<Control>n", NULL },
  { N_ ("Search chats"), "<Control>k", "<Control>f" },
  { N_ ("Rename a chat in the list"), "F2", NULL },
  { N_ ("Delete a chat in the list"), "Delete", NULL },
  { N_ ("Previous turn"), "<Control>Up", NULL },
  { N_ ("Next turn"), "<Control>Down", NULL },
  { N_ ("Scroll through the chat"), "Page_Up", "Page_Down" },
  { N_ ("Select text"), "<Shift>Right", "<Control><Shift>Right" },
  { N_ ("Copy the last reply"), "<Control><Shift>c", NULL },
};

static const Shortcut general[] = {
  { N_ ("Show or hide the chats"), "F9", NULL },
  { N_ ("Toggle activity panel"), "<Shift>F9", NULL },
  { N_ ("Main menu"), "F10", NULL },
  { N_ ("Preferences"), "<Control>comma", NULL },
  { N_ ("Keyboard shortcuts"), "<Control>question", NULL },
  { N_ ("Close the window"), "<Control>w", NULL },
  { N_ ("Quit"), "<Control>q", NULL },
};

static char *
label_for (const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;
  g_autofree char *label = NULL;
  g_autofree char *name = NULL;

  if (!gtk_accelerator_parse (accelerator, &key, &modifiers))
    g_assert_not_reached ();
  label = gtk_accelerator_get_label (key, modifiers);
  if (key != GDK_KEY_Return && key != GDK_KEY_Escape)
    return g_steal_pointer (&label);
  /* GTK names these two keys differently from what is printed on them. */
  name = gtk_accelerator_get_label (key, 0);
  if (g_str_has_suffix (label, name))
    label[strlen (label) - strlen (name)] = '\0';
  return g_strconcat (label, key == GDK_KEY_Return ? _ ("Enter") : _ ("Esc"), NULL);
}

static GtkWidget *
make_keycap (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "gadget-keycap");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

/* A wrap box: in a narrow window two keys with long names go one above the other. */
static GtkWidget *
make_row (const Shortcut *shortcut)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *keys = adw_wrap_box_new ();
  g_autofree char *first = label_for (shortcut->first);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (shortcut->title));
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_align (ADW_WRAP_BOX (keys), 1);
  gtk_widget_set_valign (keys, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (keys, 6);
  gtk_widget_set_margin_bottom (keys, 6);
  adw_wrap_box_append (ADW_WRAP_BOX (keys), make_keycap (first));
  if (shortcut->second != NULL)
    {
      g_autofree char *second = label_for (shortcut->second);

      adw_wrap_box_append (ADW_WRAP_BOX (keys), make_keycap (second));
    }
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), keys);
  return row;
}

static void
add_group (GadgetShortcuts *self, const char *title, const Shortcut *shortcuts, gsize n)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  for (gsize i = 0; i < n; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_row (&shortcuts[i]));
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

static void
gadget_shortcuts_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_SHORTCUTS);

  G_OBJECT_CLASS (gadget_shortcuts_parent_class)->dispose (object);
}

static void
gadget_shortcuts_class_init (GadgetShortcutsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_shortcuts_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-shortcuts.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetShortcuts, page);
}

static void
gadget_shortcuts_init (GadgetShortcuts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  add_group (self, _ ("Stopping"), stopping, G_N_ELEMENTS (stopping));
  add_group (self, _ ("Writing"), writing, G_N_ELEMENTS (writing));
  add_group (self, _ ("Chats"), chats, G_N_ELEMENTS (chats));
  add_group (self, _ ("General"), general, G_N_ELEMENTS (general));
}

GtkWidget *
gadget_shortcuts_new (void)
{
  return g_object_new (GADGET_TYPE_SHORTCUTS, NULL);
}
