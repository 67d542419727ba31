/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "transcript-rows-fixture.h"

static void
activate_cb (GSimpleAction *action, GVariant *parameter, Fixture *fixture)
{
  const char *session = "";
  const char *id = "";

  if (parameter != NULL && g_variant_is_of_type (parameter, G_VARIANT_TYPE ("(ss)")))
    g_variant_get (parameter, "(&s&s)", &session, &id);
  else if (parameter != NULL)
    id = g_variant_get_string (parameter, NULL);
  g_free (fixture->activated);
  fixture->activated = g_strconcat (g_action_get_name (G_ACTION (action)), " ", session,
                                    *session != '\0' ? "/" : "", id, NULL);
}

static void
add_action (GSimpleActionGroup *group, const char *name, Fixture *fixture)
{
  const gboolean is_window = strstr ("choose-model preferences new-chat", name) != NULL;
  g_autoptr (GSimpleAction) action =
      g_simple_action_new (name, is_window                        ? NULL
                                 : strstr (name, "stop-") != NULL ? G_VARIANT_TYPE ("(ss)")
                                                                  : G_VARIANT_TYPE_STRING);

  g_signal_connect (action, "activate", G_CALLBACK (activate_cb), fixture);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

void
transcript_rows_set_up (Fixture *fixture)
{
  static const char *const session_actions[] = { "continue",  "edit-prompt",  "retry",
                                                 "stop-tool", "stop-waiting", "save-again" };
  static const char *const window_actions[] = { "choose-model", "preferences", "new-chat" };
  g_autoptr (GSimpleActionGroup) session = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) window = g_simple_action_group_new ();

  *fixture = (Fixture) { .session = gadget_session_new ("s"),
                         .turn = gadget_turn_new ("turn-1", "Do it.") };
  gadget_session_append (fixture->session, fixture->turn);
  fixture->window = gadget_test_transcript_new (fixture->session, 720, 600, &fixture->transcript);
  for (guint i = 0; i < G_N_ELEMENTS (session_actions); i++)
    add_action (session, session_actions[i], fixture);
  for (guint i = 0; i < G_N_ELEMENTS (window_actions); i++)
    add_action (window, window_actions[i], fixture);
  gtk_widget_insert_action_group (fixture->window, "session", G_ACTION_GROUP (session));
  gtk_widget_insert_action_group (fixture->window, "win", G_ACTION_GROUP (window));
}

void
transcript_rows_tear_down (Fixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  g_free (fixture->activated);
}

void
transcript_rows_frames (Fixture *fixture)
{
  gadget_test_wait_frames (fixture->window, 3);
}

GtkWidget *
transcript_rows_find_row (Fixture *fixture, GadgetRowKind kind)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == kind)
      {
        GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, i);

        return row != NULL ? GTK_WIDGET (row->widget) : NULL;
      }
  return NULL;
}

/* The button in @widget whose accessible name, or label, is @label, if it can be seen. */
GtkWidget *
transcript_rows_find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), label) == 0)
    {
      GtkWidget *button = gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON);

      return button != NULL && gtk_widget_get_mapped (button) ? button : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = transcript_rows_find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
transcript_rows_has_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)
    return gtk_widget_get_mapped (widget);
  if (GADGET_IS_SELECTABLE_TEXT (widget)
      && strstr (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)), text) != NULL)
    return gtk_widget_get_mapped (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (transcript_rows_has_text (child, text))
      return TRUE;
  return FALSE;
}

void
transcript_rows_press (Fixture *fixture, GtkWidget *row, const char *label, const char *expected)
{
  GtkWidget *button;

  g_assert_nonnull (row);
  button = transcript_rows_find_button (row, label);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (button));
  g_clear_pointer (&fixture->activated, g_free);
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpstr (fixture->activated, ==, expected);
}

GadgetItem *
transcript_rows_add_call (Fixture *fixture, GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", "shell");

  /* A step of its own: several calls of one would be a group. */
  gadget_item_set_step (item, gadget_turn_get_n_items (fixture->turn));
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Running \u2068make\u2069", NULL));
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}
