/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-dialog.h"

#include "gadget-ask-text.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define WIDTH 860
#define HEIGHT 640
/* GtkTextView lays out a line at once, however long it is, so longer lines are broken with a sign.
 * The limit is in characters. */
#define MAX_LINE 4000
#define BREAK "\n↪ "

/* --- Searching ---------------------------------------------------------------------------------
 */

static void
find (GtkTextView *view, const char *text, gboolean from_start)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter at, start, end;

  if (*text == '\0')
    return;
  if (from_start || !gtk_text_buffer_get_selection_bounds (buffer, NULL, &at))
    gtk_text_buffer_get_start_iter (buffer, &at);
  if (!gtk_text_iter_forward_search (&at, text,
                                     GTK_TEXT_SEARCH_CASE_INSENSITIVE | GTK_TEXT_SEARCH_TEXT_ONLY,
                                     &start, &end, NULL))
    {
      gtk_text_buffer_get_start_iter (buffer, &at);
      if (!gtk_text_iter_forward_search (
              &at, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE | GTK_TEXT_SEARCH_TEXT_ONLY, &start, &end,
              NULL))
        return;
    }
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_view_scroll_to_iter (view, &start, 0.1, FALSE, 0, 0);
}

static void
changed_cb (GtkSearchEntry *entry, GtkTextView *view)
{
  find (view, gtk_editable_get_text (GTK_EDITABLE (entry)), TRUE);
}

static void
next_cb (GtkSearchEntry *entry, GtkTextView *view)
{
  find (view, gtk_editable_get_text (GTK_EDITABLE (entry)), FALSE);
}

/* --- The text ----------------------------------------------------------------------------------
 */

static char *
break_lines (const char *text)
{
  g_autoptr (GString) broken = g_string_new (NULL);
  gsize n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      n = *p == '\n' ? 0 : n + 1;
      if (n > MAX_LINE)
        {
          g_string_append (broken, BREAK);
          n = 1;
        }
      g_string_append_len (broken, p, g_utf8_next_char (p) - p);
    }
  return g_string_free_and_steal (g_steal_pointer (&broken));
}

static GtkWidget *
make_view (GadgetPrompt *prompt)
{
  g_autoptr (GadgetAskText) text =
      gadget_ask_text_new (gadget_prompt_get_body_kind (prompt), gadget_prompt_get_body (prompt),
                           FALSE, G_MAXINT - 1, G_MAXSIZE);
  g_autofree char *broken = break_lines (text->text);
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), broken, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 12);
  gtk_widget_set_direction (view, GTK_TEXT_DIR_LTR);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gadget_prompt_get_title (prompt), -1);
  return view;
}

void
gadget_ask_dialog_present (GadgetPrompt *prompt, GtkWidget *parent)
{
  AdwDialog *dialog = adw_dialog_new ();
  GtkWidget *toolbars = adw_toolbar_view_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *entry = gtk_search_entry_new ();
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *view;

  g_return_if_fail (GADGET_IS_PROMPT (prompt) && GTK_IS_WIDGET (parent));

  view = make_view (prompt);
  adw_dialog_set_title (dialog, gadget_prompt_get_title (prompt));
  adw_dialog_set_content_width (dialog, WIDTH);
  adw_dialog_set_content_height (dialog, HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_search_entry_set_placeholder_text (GTK_SEARCH_ENTRY (entry), _ ("Search"));
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (entry), NULL);
  gtk_box_append (GTK_BOX (bar), entry);
  gtk_widget_add_css_class (bar, "toolbar");
  g_signal_connect (entry, "search-changed", G_CALLBACK (changed_cb), view);
  g_signal_connect (entry, "activate", G_CALLBACK (next_cb), view);
  g_signal_connect (entry, "next-match", G_CALLBACK (next_cb), view);
  g_signal_connect_swapped (entry, "stop-search", G_CALLBACK (adw_dialog_close), dialog);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbars), adw_header_bar_new ());
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbars), bar);
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (toolbars), scrolled);
  adw_dialog_set_child (dialog, toolbars);
  adw_dialog_set_focus (dialog, view);
  g_signal_connect_object (prompt, "notify::open", G_CALLBACK (adw_dialog_force_close), dialog,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, parent);
}
