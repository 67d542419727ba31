/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget of each kind of the table of row kinds, made of data that a chat has: it is shown, and
 * shows something. A new kind fails here until a turn has it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "session/gadget-picture.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/gadget-row-factory.h"
#include "ui/transcript/model/gadget-transcript-model.h"
#include "ui/transcript/rows/gadget-row.h"

static const char diff[] = "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-old\n+new\n";

static GadgetTurn *
add_turn (GadgetSession *session, const char *id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "Do it.");

  gadget_turn_set_model (turn, "provider", "model");
  gadget_session_append (session, turn);
  return turn;
}

static GPtrArray *
make_attachments (void)
{
  GPtrArray *attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_text ("notes.txt", "Notes", 5));
  return attachments;
}

static GadgetItem *
add_text (GadgetTurn *turn, GadgetItemKind kind)
{
  g_autoptr (GadgetItem) item = gadget_item_new (kind);

  gadget_item_append_text (item, "Some words.", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  return item;
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *name, const char *text, guint step)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call", name);

  gadget_item_set_step (item, step);
  gadget_item_append_arguments (item, "{\"path\": \"x.c\"}");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (turn, item);
  gadget_item_append_text (item, text, -1);
  gadget_item_set_result (item, "Done.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  return item;
}

static void
add_pictures (GadgetItem *item)
{
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);

  g_ptr_array_add (pictures, gadget_picture_new_stored ("id", "sky.png", "image/png", 40, 20, 100));
  gadget_item_set_pictures (item, pictures);
}

/* Adds turns that have a row of each kind between them. */
static void
fill (GadgetSession *session)
{
  g_autoptr (GPtrArray) attachments = make_attachments ();
  GadgetTurn *turn = add_turn (session, "finished");
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Where to?", NULL, TRUE);

  gadget_attachments_set (turn, attachments);
  add_text (turn, GADGET_ITEM_REASONING);
  add_text (turn, GADGET_ITEM_TEXT);
  add_text (turn, GADGET_ITEM_NOTE);
  add_text (turn, GADGET_ITEM_SUMMARY);
  gadget_attachments_set (add_text (turn, GADGET_ITEM_STEER), attachments);
  add_pictures (add_call (turn, "shell", "output\n", 1));
  add_call (turn, "edit_file", diff, 2);
  for (guint i = 0; i < 3; i++)
    add_call (turn, "shell", "output\n", 3);
  gadget_turn_set_saved (turn, FALSE);
  gadget_turn_finish (turn);
  gadget_turn_fail (add_turn (session, "failed"), "provider/auth", "401 Unauthorized");
  gadget_turn_abort (add_turn (session, "aborted"), GADGET_STOP_USER);
  gadget_item_set_prompt (add_call (add_turn (session, "asking"), "ask_user", "", 1), prompt);
}

static gboolean
shows_something (GtkWidget *widget)
{
  const gboolean seen = gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0
                        && gtk_widget_get_height (widget) > 0;

  if (seen
      && ((GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
          || (GADGET_IS_SELECTABLE_TEXT (widget)
              && *gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)) != '\0')
          || GADGET_IS_PICTURE_VIEW (widget)))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows_something (child))
      return TRUE;
  return FALSE;
}

static void
check_row (GadgetTranscriptModel *model, guint position)
{
  g_autoptr (GadgetRowData) data = g_list_model_get_item (G_LIST_MODEL (model), position);
  GtkWidget *row = gadget_row_factory_new_row (data);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  g_autoptr (GtkWidget) window = NULL;

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), row);
  window = gadget_test_window_new (scrolled, 600, 400);
  g_test_message ("%s", gadget_row_kind_to_string (gadget_row_data_get_kind (data)));
  gadget_test_wait_frames (window, 3);
  g_assert_true (gtk_widget_get_mapped (row));
  g_assert_cmpint (gtk_widget_get_height (row), >, 0);
  g_assert_true (shows_something (row));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_shown (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTranscriptModel) model = NULL;
  gboolean checked[GADGET_N_ROW_KINDS] = { FALSE };

  fill (session);
  model = gadget_transcript_model_new (session);
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    {
      const GadgetRowKind kind = gadget_transcript_model_get_row (model, i)->kind;

      if (gadget_row_kind_is_line (kind))
        gadget_transcript_model_set_expanded (model, i, TRUE);
      if (!checked[kind])
        check_row (model, i);
      checked[kind] = TRUE;
    }
  for (GadgetRowKind kind = 0; kind < GADGET_N_ROW_KINDS; kind++)
    if (!checked[kind])
      g_error ("no turn has a row of the kind %s", gadget_row_kind_to_string (kind));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/row-kinds/shown", test_shown);
  return g_test_run ();
}
