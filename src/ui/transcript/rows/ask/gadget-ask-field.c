/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The field of a permission card: a scrolled GadgetAskBody, captions below it that count the lines
 * out of sight, and notes about characters and lines that are not shown as they are. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-field.h"

#include "gadget-ask-body.h"
#include "gadget-ask-dialog.h"
#include "common/gadget-visible.h"
#include "ui/text/gadget-narrow-bin.h"
#include "ui/transcript/rows/gadget-card.h"

#include <glib/gi18n.h>
#include <string.h>

/* The height in pixels of 13 lines of 18 pixels, with the padding of a difference. */
#define MAX_HEIGHT 238
/* The description for screen readers has at most this many bytes of the body; the rest can be read
 * in the field. */
#define MAX_HEARD 4000

struct _GadgetAskField
{
  GtkWidget parent_instance;

  GadgetPrompt *prompt;
  GtkWidget *scrolled;
  GadgetAskBody *body;
  GtkLabel *counts[2]; /* in the wide and in the narrow layout */
  GtkWidget *omitted;  /* the caption about lines that are left out, and the button for them */
  GtkLabel *omitted_label;
};

G_DEFINE_FINAL_TYPE (GadgetAskField, gadget_ask_field, GTK_TYPE_WIDGET)

/* --- Texts
 * ------------------------------------------------------------------------------------- */

static char *
dup_count (guint n_lines, guint n_below)
{
  g_autofree char *lines = g_strdup_printf (ngettext ("%u line", "%u lines", n_lines), n_lines);

  if (n_lines == 0)
    /* Translators: what would be written to a file, or is asked about, has no text at all */
    return g_strdup (_ ("Empty"));
  if (n_below == 0)
    return g_steal_pointer (&lines);
  /* Translators: the first is a count of lines, "18 lines"; so many of them are below those in
   * sight
   */
  return g_strdup_printf (ngettext ("%s, %u below", "%s, %u below", n_below), lines, n_below);
}

static char *
dup_escaped (GadgetAskField *self)
{
  const guint n = gadget_ask_body_get_n_escaped (self->body);

  if (n == 0)
    return NULL;
  return g_strdup_printf (ngettext ("%u character that cannot be seen is shown as a code.",
                                    "%u characters that cannot be seen are shown as codes.", n),
                          n);
}

static char *
dup_omitted (GadgetAskField *self)
{
  const guint n = gadget_ask_body_get_n_omitted (self->body);

  if (n == 0)
    return NULL;
  return g_strdup_printf (
      ngettext ("%u more line is not shown here.", "%u more lines are not shown here.", n), n);
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (sentence == NULL || *sentence == '\0')
    return;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, sentence);
}

char *
gadget_ask_field_dup_description (GadgetPrompt *prompt)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *body = gadget_prompt_get_body (prompt);
  g_autofree char *visible = NULL;

  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE));
  if (body != NULL)
    {
      visible = gadget_visible_escape (body);
      if (strlen (visible) > MAX_HEARD)
        {
          *g_utf8_find_prev_char (visible, visible + MAX_HEARD) = '\0';
          append_sentence (text, visible);
          append_sentence (text, _ ("That is not all of it."));
        }
      else
        append_sentence (text, visible);
    }
  append_sentence (text, gadget_prompt_get_detail (prompt));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_OMITTED));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_UNDO));
  append_sentence (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_ONCE));
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* --- Scrolling ---------------------------------------------------------------------------------
 */

/* The narrow text of a difference may leave out fewer lines than the wide one. Which of them is
 * shown is known when the body has been allocated. */
static void
update_omitted (GadgetAskField *self)
{
  g_autofree char *text = dup_omitted (self);

  gtk_widget_set_visible (self->omitted, text != NULL);
  if (text != NULL)
    gtk_label_set_label (self->omitted_label, text);
}

static void
update_counts (GadgetAskField *self)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  const double bottom =
      gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment);
  const gboolean scrolls =
      gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 1;
  const guint n_below = gadget_ask_body_get_n_omitted (self->body)
                        + (scrolls ? gadget_ask_body_count_below (self->body, bottom) : 0);
  g_autofree char *text = dup_count (gadget_ask_body_get_n_lines (self->body), n_below);

  for (guint i = 0; i < G_N_ELEMENTS (self->counts); i++)
    if (!g_str_equal (gtk_label_get_label (self->counts[i]), text))
      gtk_label_set_label (self->counts[i], text);
  update_omitted (self);
}

/* The labels are not changed during allocation, since they would request another size then. */
static gboolean
update_counts_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  update_counts (GADGET_ASK_FIELD (widget));
  return G_SOURCE_REMOVE;
}

static void
scrolled_cb (GadgetAskField *self)
{
  gtk_widget_add_tick_callback (GTK_WIDGET (self), update_counts_cb, NULL, NULL);
}

static gboolean
open_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  GtkWidget *field = gtk_widget_get_ancestor (widget, GADGET_TYPE_ASK_FIELD);

  gadget_ask_dialog_present (GADGET_ASK_FIELD (field)->prompt, widget);
  return TRUE;
}

static void
open_all_cb (GadgetAskField *self)
{
  gadget_ask_dialog_present (self->prompt, GTK_WIDGET (self));
}

static void
add_keys (GtkWidget *scrolled)
{
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space,
                                GDK_KEY_KP_Space };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (keys[i], 0),
                          gtk_callback_action_new (open_cb, NULL, NULL)));
  gtk_widget_add_controller (scrolled, controller);
}

/* --- Building ----------------------------------------------------------------------------------
 */

/* Returns the file that would be written, or NULL. (transfer none) */
static const char *
find_file (GadgetPrompt *prompt)
{
  for (guint i = 0; i < gadget_prompt_get_n_accesses (prompt); i++)
    if (gadget_prompt_get_access (prompt, i)->kind == GADGET_ACCESS_WRITE)
      return gadget_prompt_get_access (prompt, i)->subject;
  return NULL;
}

static GtkWidget *
make_scrolled (GadgetAskField *self)
{
  /* A screen reader says only the role of a plain scrolled window, so this one is a group. */
  GtkWidget *scrolled =
      g_object_new (GTK_TYPE_SCROLLED_WINDOW, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  GtkScrolledWindow *window = GTK_SCROLLED_WINDOW (scrolled);
  GtkAdjustment *adjustment;

  self->body = GADGET_ASK_BODY (gadget_ask_body_new (gadget_prompt_get_body_kind (self->prompt),
                                                     find_file (self->prompt),
                                                     gadget_prompt_get_body (self->prompt)));
  gtk_scrolled_window_set_policy (window, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (window, TRUE);
  gtk_scrolled_window_set_max_content_height (window, MAX_HEIGHT);
  gtk_scrolled_window_set_child (window, GTK_WIDGET (self->body));
  gtk_widget_set_overflow (scrolled, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_focusable (scrolled, TRUE);
  gtk_widget_add_css_class (scrolled, "card-field");
  gtk_widget_set_direction (scrolled, GTK_TEXT_DIR_LTR);
  gtk_widget_set_tooltip_text (scrolled, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What would be done"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Enter opens it in a dialog"), -1);
  add_keys (scrolled);
  adjustment = gtk_scrolled_window_get_vadjustment (window);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  return scrolled;
}

static GtkWidget *
make_count (GadgetAskField *self, guint which)
{
  GtkWidget *label = gtk_label_new ("");

  self->counts[which] = GTK_LABEL (label);
  gtk_label_set_xalign (self->counts[which], 0);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dimmed");
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static GtkWidget *
make_caption (const char *text)
{
  GtkWidget *caption = _gadget_card_text_new (text, "caption");

  gtk_widget_add_css_class (caption, "dimmed");
  return caption;
}

/* In a narrow card the place is shown here, since the head has no room for it. */
static char *
dup_detail (GadgetPrompt *prompt, gboolean narrow)
{
  const char *detail = gadget_prompt_get_detail (prompt);
  const char *place = narrow ? gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE) : NULL;

  if (place == NULL)
    return g_strdup (detail != NULL ? detail : "");
  if (detail == NULL)
    return g_strdup (place);
  return g_strdup_printf ("%s · %s", place, detail);
}

static GtkWidget *
make_foot (GadgetAskField *self, gboolean narrow)
{
  GtkWidget *box =
      gtk_box_new (narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, narrow ? 6 : 12);
  g_autofree char *detail = dup_detail (self->prompt, narrow);

  gtk_box_append (GTK_BOX (box), make_caption (detail));
  gtk_box_append (GTK_BOX (box), make_count (self, narrow ? 1 : 0));
  return box;
}

static void
add_omitted (GadgetAskField *self)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Show All…"));

  self->omitted = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->omitted_label = GTK_LABEL (make_caption (""));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (open_all_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->omitted), GTK_WIDGET (self->omitted_label));
  gtk_box_append (GTK_BOX (self->omitted), button);
  gtk_widget_set_parent (self->omitted, GTK_WIDGET (self));
}

/* Adds captions for everything that the field does not show as it is, and a button that shows
 * it. */
static void
add_notes (GadgetAskField *self)
{
  g_autofree char *escaped = dup_escaped (self);
  const char *given = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_OMITTED);

  if (escaped != NULL)
    {
      GtkWidget *caption = _gadget_card_text_new (escaped, "caption");

      gtk_widget_add_css_class (caption, "warning");
      gtk_widget_set_parent (caption, GTK_WIDGET (self));
    }
  if (given != NULL)
    gtk_widget_set_parent (make_caption (given), GTK_WIDGET (self));
  add_omitted (self);
}

static void
gadget_ask_field_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&GADGET_ASK_FIELD (object)->prompt);

  G_OBJECT_CLASS (gadget_ask_field_parent_class)->dispose (object);
}

static void
gadget_ask_field_class_init (GadgetAskFieldClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_ask_field_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void
gadget_ask_field_init (GadgetAskField *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
}

GtkWidget *
gadget_ask_field_new (GadgetPrompt *prompt)
{
  GadgetAskField *self = g_object_new (GADGET_TYPE_ASK_FIELD, NULL);
  GtkWidget *foot;

  self->prompt = g_object_ref (prompt);
  self->scrolled = make_scrolled (self);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  foot = gadget_narrow_bin_new (make_foot (self, FALSE), make_foot (self, TRUE));
  gtk_widget_set_parent (foot, GTK_WIDGET (self));
  add_notes (self);
  update_counts (self);
  return GTK_WIDGET (self);
}

GtkWidget *
gadget_ask_field_get_focus (GadgetAskField *self)
{
  g_return_val_if_fail (GADGET_IS_ASK_FIELD (self), NULL);
  return self->scrolled;
}
