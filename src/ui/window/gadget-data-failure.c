/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-data-failure.h"

#include "agent/gadget-failure.h"
#include "store/gadget-store.h"

#include <glib/gi18n.h>

static void
add_button (GtkWidget *box, const char *label, const char *action, const char *css_class)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_add_css_class (button, "pill");
  if (css_class != NULL)
    gtk_widget_add_css_class (button, css_class);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
}

/* Only damaged data, or data of a newer version, is worth setting aside; a file that is in use by
 * another program, or a full disk, is not solved by that. */
static gboolean
can_start_fresh (const GError *error)
{
  return g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT)
         || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER);
}

static GtkWidget *
make_details (const GError *error)
{
  GtkWidget *label = gtk_label_new (error->message);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_margin_top (label, 12);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dimmed");
  return label;
}

GtkWidget *
gadget_data_failure_new (const GError *error)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  g_autofree char *hint = g_markup_escape_text (gadget_failure_get_data_hint (error), -1);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "dialog-error-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("Gadget’s Data Cannot Be Opened"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), hint);
  add_button (box, _ ("_Try Again"), "win.start-again", "suggested-action");
  add_button (box, _ ("Show _Folder"), "win.show-data", NULL);
  if (can_start_fresh (error))
    add_button (box, _ ("Start Fres_h…"), "win.start-fresh", NULL);
  gtk_box_append (GTK_BOX (box), make_details (error));
  adw_status_page_set_child (ADW_STATUS_PAGE (page), box);
  return page;
}
