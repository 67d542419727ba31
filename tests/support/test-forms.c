/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-forms.h"

#include "test-window.h"
#include "wait.h"

#include <string.h>

static gboolean
is_row (GtkWidget *widget, gpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title);
}

GtkWidget *
test_find_row (GtkWidget *root, const char *title)
{
  return test_find (root, is_row, (gpointer) title);
}

static gboolean
is_button (GtkWidget *widget, gpointer label)
{
  g_autofree char *difference = NULL;

  if (!GTK_IS_BUTTON (widget) || !gtk_widget_get_mapped (widget))
    return FALSE;
  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0
      || g_strcmp0 (gtk_widget_get_tooltip_text (widget), label) == 0)
    return TRUE;
  difference = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  return difference == NULL;
}

GtkWidget *
test_find_button (GtkWidget *root, const char *label)
{
  return test_find (root, is_button, (gpointer) label);
}

static gboolean
has_part (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL;
}

gboolean
test_says (GtkWidget *root, const char *part)
{
  return test_find (root, has_part, (gpointer) part) != NULL;
}

void
test_press (GtkWidget *root, const char *label)
{
  wait_until (test_find_button (root, label) != NULL);
  g_assert_true (gtk_widget_get_sensitive (test_find_button (root, label)));
  g_signal_emit_by_name (test_find_button (root, label), "clicked");
}

void
test_enter (GtkWidget *root, const char *title, const char *text)
{
  wait_until (test_find_row (root, title) != NULL);
  gtk_editable_set_text (GTK_EDITABLE (test_find_row (root, title)), text);
}
