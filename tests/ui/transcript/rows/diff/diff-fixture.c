/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "diff-fixture.h"
#include "test-launcher.h"

#include <adwaita.h>

void
diff_set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *toasts = adw_toast_overlay_new ();

  fixture->folder = test_dir_new ();
  fixture->session = gadget_session_new ("s");
  gadget_session_set_workspace (fixture->session, fixture->folder);
  fixture->turn = gadget_turn_new ("turn-1", "Do it.");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  test_launcher_watch (&fixture->opened);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), scrolled);
  fixture->window = gadget_test_window_new (toasts, 720, 600);
}

void
diff_tear_down (Fixture *fixture, gconstpointer data)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  test_dir_free (fixture->folder);
  g_free (fixture->opened);
}

void
diff_add_call (Fixture *fixture, const char *name, GadgetCallSummary *summary, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", name);

  gadget_item_append_arguments (item, "{\"path\": \"a.c\"}");
  gadget_item_set_step (item, gadget_turn_get_n_items (fixture->turn));
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture->turn, item);
  gadget_item_append_text (item, text, -1);
  gadget_item_take_call_summary (item, summary);
  gadget_item_set_result (item, "Edited a.c: 1 line added, 1 removed.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture->window, 3);
}

GadgetCallSummary *
diff_with_path (GadgetCallSummary *summary, Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "a.c", NULL);

  return gadget_call_summary_with_path (summary, path);
}

void
diff_add_change (Fixture *fixture, const char *name, const char *summary, const char *text)
{
  diff_add_call (fixture, name,
                 summary != NULL ? gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL)
                                 : diff_with_path (gadget_call_summary_new_with_numbers (
                                                       GADGET_CALL_SUMMARY_EDITED, "a.c", 1, 1),
                                                   fixture),
                 text);
}

GadgetRow *
diff_find_row (Fixture *fixture, GadgetRowKind kind)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == kind)
      {
        GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, i);

        return row != NULL ? row->widget : NULL;
      }
  return NULL;
}

void
diff_open_row (Fixture *fixture)
{
  gadget_row_set_expanded (diff_find_row (fixture, GADGET_ROW_KIND_TOOL), TRUE);
  /* The rows rest some frames later; a click before that is not always taken. */
  gadget_test_wait_frames (fixture->window, 20);
}

char *
diff_make_diff (guint n_lines)
{
  GString *text = g_string_new ("--- a\n+++ a\n");

  for (guint i = 0; i < n_lines; i++)
    g_string_append_printf (text, "+line %u\n", i);
  return g_string_free_and_steal (text);
}

GtkWidget *
diff_find_button (Fixture *fixture, const char *tooltip)
{
  GtkWidget *button = code_fixture_find_button (fixture->window, tooltip);

  return button != NULL && gtk_widget_get_visible (button) ? button : NULL;
}
