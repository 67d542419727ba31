/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat in the results of a search is a heading and a list; a row of the list is a match: its
 * sentence with the words marked, what it is, and when it was. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-search-result.h"

#include "common/gadget-clock.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

/* How much of the accent color is behind a marked word. */
#define MARK_ALPHA 0.2
#define MARK_ALPHA_DARK 0.42

static const char *
get_icon (GadgetChatSearchKind kind)
{
  switch (kind)
    {
    case GADGET_CHAT_SEARCH_PROMPT:
      return "gadget-prompt-symbolic";
    case GADGET_CHAT_SEARCH_REASONING:
      return "content-loading-symbolic";
    case GADGET_CHAT_SEARCH_CALL:
      return "gadget-tool-symbolic";
    case GADGET_CHAT_SEARCH_CHANGE:
      return "document-edit-symbolic";
    case GADGET_CHAT_SEARCH_OUTPUT:
      return "utilities-terminal-symbolic";
    case GADGET_CHAT_SEARCH_ATTACHMENT:
      return "mail-attachment-symbolic";
    case GADGET_CHAT_SEARCH_FILE_NAME:
      return "text-x-generic-symbolic";
    case GADGET_CHAT_SEARCH_ANSWER:
    default:
      return "gadget-answer-symbolic";
    }
}

static gboolean
is_monospace (GadgetChatSearchKind kind)
{
  return kind == GADGET_CHAT_SEARCH_CALL || kind == GADGET_CHAT_SEARCH_CHANGE
         || kind == GADGET_CHAT_SEARCH_OUTPUT;
}

static void
add_attribute (PangoAttrList *attributes, PangoAttribute *attribute,
               const GadgetChatSearchRange *range)
{
  attribute->start_index = (guint) range->begin;
  attribute->end_index = (guint) range->end;
  pango_attr_list_insert (attributes, attribute);
}

/* Marks the matches with the accent color of the moment: the rows do not live long. */
static PangoAttrList *
make_marks (GArray *ranges)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const double alpha = adw_style_manager_get_dark (style) ? MARK_ALPHA_DARK : MARK_ALPHA;
  g_autoptr (GdkRGBA) color = adw_style_manager_get_accent_color_rgba (style);
  PangoAttrList *attributes = pango_attr_list_new ();

  for (guint i = 0; i < ranges->len; i++)
    {
      const GadgetChatSearchRange *range = &g_array_index (ranges, GadgetChatSearchRange, i);

      add_attribute (attributes,
                     pango_attr_background_new ((guint16) (color->red * G_MAXUINT16),
                                                (guint16) (color->green * G_MAXUINT16),
                                                (guint16) (color->blue * G_MAXUINT16)),
                     range);
      add_attribute (attributes, pango_attr_background_alpha_new ((guint16) (alpha * G_MAXUINT16)),
                     range);
      add_attribute (attributes, pango_attr_weight_new (PANGO_WEIGHT_SEMIBOLD), range);
    }
  return attributes;
}

static GtkWidget *
make_label (const char *text, const char *first_class, const char *second_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (first_class != NULL)
    gtk_widget_add_css_class (label, first_class);
  if (second_class != NULL)
    gtk_widget_add_css_class (label, second_class);
  return label;
}

static GtkWidget *
make_texts (const GadgetChatSearchMatch *match)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *text = make_label (match->text, is_monospace (match->kind) ? "monospace" : NULL, NULL);
  g_autoptr (PangoAttrList) marks = make_marks (match->ranges);
  g_autofree char *kind = gadget_chat_search_match_dup_place (match);

  gtk_label_set_attributes (GTK_LABEL (text), marks);
  gtk_label_set_single_line_mode (GTK_LABEL (text), TRUE);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), make_label (kind, "caption", "dimmed"));
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

static GtkWidget *
make_time (gint64 time)
{
  g_autofree char *text = gadget_labels_moment (time, gadget_clock_wall_ms ());
  GtkWidget *label = make_label (text, "caption", "dimmed");

  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  return label;
}

GtkWidget *
gadget_search_result_make_row (const GadgetChatSearchMatch *match)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *icon = gtk_image_new_from_icon_name (get_icon (match->kind));
  g_autofree char *kind = gadget_chat_search_match_dup_place (match);
  g_autofree char *time = gadget_labels_moment (match->time, gadget_clock_wall_ms ());
  /* Translators: said by a screen reader of a match: its sentence, what it is in, when that was */
  g_autofree char *name = g_strdup_printf (_ ("%s, %s, %s"), match->text, kind, time);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, "dimmed");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), make_texts (match));
  gtk_box_append (GTK_BOX (box), make_time (match->time));
  gtk_widget_add_css_class (box, "search-result");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

GtkWidget *
gadget_search_result_make_heading (const GadgetChatSearchResult *result)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *workspace = gadget_labels_workspace (result->workspace);
  g_autofree char *n =
      g_strdup_printf (ngettext ("%'u match", "%'u matches", result->n_matches), result->n_matches);
  GtkWidget *place = make_label (workspace, "caption", "dimmed");
  GtkWidget *count = make_label (n, "caption", "dimmed");

  gtk_label_set_ellipsize (GTK_LABEL (count), PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (count, "numeric");
  gtk_widget_set_hexpand (place, TRUE);
  gtk_box_append (GTK_BOX (box), make_label (result->title != NULL ? result->title : _ ("New Chat"),
                                             "heading", NULL));
  gtk_box_append (GTK_BOX (box), place);
  gtk_box_append (GTK_BOX (box), count);
  return box;
}
