/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding text in a transcript: everything that it shows or has folded, going through the matches,
 * and what it scrolls and unfolds for that. */

#include "config.h"

#include "gadget-test-ui.h"
#include "wait.h"
#include "session/gadget-attachment.h"
#include "ui/code/gadget-code.h"
#include "ui/transcript/gadget-row-factory.h"
#include "ui/transcript/gadget-transcript-find.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/model/gadget-transcript-matches.h"

#include <math.h>

#define WIDTH 720
#define HEIGHT 600

typedef struct
{
  GadgetSession *session;
  GtkWidget *window;
  GadgetTranscript *transcript;
  GtkAdjustment *adjustment;
  guint n_wrapped;
} Fixture;

static GadgetTurn *
add_turn (Fixture *self, const char *id, const char *prompt)
{
  GadgetTurn *turn = gadget_turn_new (id, prompt);

  gadget_session_append (self->session, turn);
  g_object_unref (turn);
  return turn;
}

static GadgetItem *
add_text (GadgetTurn *turn, GadgetItemKind kind, const char *text, GadgetItemStatus status)
{
  GadgetItem *item = gadget_item_new (kind);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *summary, const char *arguments, const char *output)
{
  static guint n;
  g_autofree char *id = g_strdup_printf ("call-%u", n++);
  GadgetItem *item = gadget_item_new_tool_call (id, "shell");

  gadget_item_append_arguments (item, arguments);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL));
  if (output != NULL)
    gadget_item_append_text (item, output, -1);
  gadget_item_set_result (item, "done");
  gadget_item_set_step (item, n);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static void
wrapped_cb (Fixture *self)
{
  self->n_wrapped++;
}

static void
show (Fixture *self)
{
  self->window = gadget_test_transcript_new (self->session, WIDTH, HEIGHT, &self->transcript);
  self->adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->transcript));
  g_signal_connect_swapped (self->transcript, "found-wrapped", G_CALLBACK (wrapped_cb), self);
  gadget_test_wait_frames (self->window, 3);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->session = gadget_session_new ("find");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gadget_test_window_destroy (self->window, GTK_WIDGET (self->transcript));
  g_object_unref (self->session);
}

static guint
get_n (Fixture *self)
{
  guint current;
  gboolean complete;

  return gadget_transcript_get_n_found (self->transcript, &current, &complete);
}

static guint
get_current (Fixture *self)
{
  guint current;
  gboolean complete;

  gadget_transcript_get_n_found (self->transcript, &current, &complete);
  return current;
}

static gboolean
is_complete (Fixture *self)
{
  guint current;
  gboolean complete;

  gadget_transcript_get_n_found (self->transcript, &current, &complete);
  return complete;
}

static void
find (Fixture *self, const char *query)
{
  gadget_transcript_find (self->transcript, query, FALSE, FALSE);
  wait_until (is_complete (self));
  gadget_test_wait_frames (self->window, 2);
}

static void
step (Fixture *self, gboolean forward)
{
  gadget_transcript_find_step (self->transcript, forward);
  gadget_test_wait_frames (self->window, 2);
}

/* --- What is drawn --- */

static gboolean
is_current_color (PangoAttribute *attribute, gpointer data)
{
  return attribute->klass->type == PANGO_ATTR_FOREGROUND_ALPHA
         || attribute->klass->type == PANGO_ATTR_BACKGROUND_ALPHA
         || attribute->klass->type == PANGO_ATTR_UNDERLINE;
}

/* Returns the text of the piece in which the current match is drawn, "" for none: the range without
 * an underline whose background is opaque. @box: (out): where it is */
static char *
dup_drawn_current (GtkWidget *widget, GtkWidget *root, graphene_rect_t *box)
{
  if (GADGET_IS_SELECTABLE_TEXT (widget))
    {
      PangoLayout *layout = gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (widget));
      const char *text = pango_layout_get_text (layout);
      g_autoptr (PangoAttrList) list = pango_attr_list_copy (pango_layout_get_attributes (layout));
      PangoAttrList *kept = pango_attr_list_filter (list, is_current_color, NULL);
      GSList *attributes = kept != NULL ? pango_attr_list_get_attributes (kept) : NULL;
      char *found = NULL;

      for (GSList *l = attributes; l != NULL; l = l->next)
        {
          const PangoAttribute *attribute = l->data;

          if (attribute->klass->type == PANGO_ATTR_BACKGROUND_ALPHA
              && ((PangoAttrInt *) attribute)->value == G_MAXUINT16 && found == NULL)
            {
              PangoRectangle at;
              graphene_point_t origin;

              found = g_strndup (text + attribute->start_index,
                                 attribute->end_index - attribute->start_index);
              pango_layout_index_to_pos (layout, (int) attribute->start_index, &at);
              g_assert_true (
                  gtk_widget_compute_point (widget, root, &GRAPHENE_POINT_INIT (0, 0), &origin));
              graphene_rect_init (box, origin.x + (float) at.x / PANGO_SCALE,
                                  origin.y + (float) at.y / PANGO_SCALE, 1,
                                  (float) at.height / PANGO_SCALE);
            }
        }
      g_slist_free_full (attributes, (GDestroyNotify) pango_attribute_destroy);
      g_clear_pointer (&kept, pango_attr_list_unref);
      return found;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      char *found =
          gtk_widget_get_child_visible (child) ? dup_drawn_current (child, root, box) : NULL;

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The current match is drawn on these letters, and is in sight. */
static void
assert_drawn (Fixture *self, const char *text)
{
  graphene_rect_t box;
  g_autofree char *drawn =
      dup_drawn_current (GTK_WIDGET (self->transcript), GTK_WIDGET (self->transcript), &box);

  g_assert_cmpstr (drawn, ==, text);
  g_assert_cmpfloat (box.origin.y, >=, -1);
  g_assert_cmpfloat (box.origin.y + box.size.height, <=,
                     gtk_widget_get_height (GTK_WIDGET (self->transcript)) + 1);
}

/* --- Everything is found --- */

static char *
make_lines (const char *line, guint n, guint with, const char *special)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s %u\n", i == with ? special : line, i);
  return g_string_free_and_steal (text);
}

static void
add_everything (Fixture *self)
{
  GadgetTurn *turn = add_turn (self, "first", "A Needle in the prompt");
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  g_autofree char *long_code = make_lines ("int x;", 60, 50, "/* needle */");
  g_autofree char *nested_code = make_lines ("  int y;", 60, 50, "  /* needle */");
  g_autofree char *diff_lines = make_lines ("+added", 90, 80, "+needle");
  g_autofree char *markdown = NULL;
  g_autofree char *diff = NULL;

  g_ptr_array_add (attachments, gadget_attachment_new_text ("needle.txt", "text", 4));
  gadget_attachments_set (turn, attachments);
  gadget_turn_finish (turn);
  turn = add_turn (self, "second", "Nothing here");
  add_text (turn, GADGET_ITEM_REASONING, "I think of a needle.", GADGET_ITEM_FINISHED);
  add_call (turn, "Ran \u2068find needle\u2069 · 1 s", "{\"command\":\"find needle\"}",
            "a \033[31mnee\033[0mdle\n");
  diff = g_strconcat ("--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,90 @@\n", diff_lines, NULL);
  add_call (turn, "Changed \u2068x.c\u2069 · +90 −0", "{}", diff);
  markdown = g_strconcat (
      "# A `needle` in a heading\n\nAnd **nee**dle, [need](https://e.org)le.\n\n"
      "| a | needle |\n|---|---|\n| b | c |\n\n$n_{e}edle$ is no needle\n\n"
      "```c\n",
      long_code, "```\n\n- a list\n\n  ```c\n", nested_code, "  ```\n\n  needle below\n", NULL);
  add_text (turn, GADGET_ITEM_TEXT, markdown, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
}

/* Prompt, name, reasoning; line, arguments and output of a call; difference; heading, two with
 * markup inside, table, beside the formula, long code, code in a list, below it. */
#define N_EVERYTHING 15

static void
test_everything (Fixture *self, gconstpointer data)
{
  guint n_rows;

  add_everything (self);
  show (self);
  gtk_adjustment_set_value (self->adjustment, 0);
  gadget_test_wait_frames (self->window, 2);
  n_rows = gadget_transcript_model_get_n_rows (self->transcript->model);
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, N_EVERYTHING);
  g_assert_cmpuint (get_current (self), ==, 1);
  for (guint i = 2; i <= N_EVERYTHING; i++)
    {
      step (self, TRUE);
      g_test_message ("match %u", i);
      g_assert_cmpuint (get_current (self), ==, i);
      assert_drawn (self, i == 2 ? "Needle" : "needle");
    }
  g_assert_cmpuint (self->n_wrapped, ==, 0);
  step (self, TRUE);
  g_assert_cmpuint (get_current (self), ==, 1);
  g_assert_cmpuint (self->n_wrapped, ==, 1);
  /* What was unfolded on the way is folded again. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (self->transcript->model), ==, n_rows);
  step (self, FALSE);
  g_assert_cmpuint (self->n_wrapped, ==, 2);
  for (guint i = N_EVERYTHING; i > 1; i--)
    {
      g_test_message ("match %u, backward", i);
      g_assert_cmpuint (get_current (self), ==, i);
      assert_drawn (self, i == 2 ? "Needle" : "needle");
      step (self, FALSE);
    }
}

/* Much output of one call, at the end of which is a match. */
static void
test_much (Fixture *self, gconstpointer data)
{
  g_autofree char *text = make_lines ("some output of a command", 40000, 39990, "a needle");
  GadgetTurn *turn = add_turn (self, "turn", "Call");

  add_call (turn, "Ran", "{}", text);
  gadget_turn_finish (turn);
  show (self);
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, 1);
  assert_drawn (self, "needle");
}

static void
test_options (Fixture *self, gconstpointer data)
{
  add_everything (self);
  show (self);
  find (self, "needle");
  gadget_transcript_find (self->transcript, "needle", TRUE, FALSE);
  wait_until (is_complete (self));
  g_assert_cmpuint (get_n (self), ==, N_EVERYTHING - 1);
  gadget_transcript_find (self->transcript, "needl", FALSE, TRUE);
  wait_until (is_complete (self));
  g_assert_cmpuint (get_n (self), ==, 0);
  g_assert_cmpuint (get_current (self), ==, 0);
  gadget_transcript_find (self->transcript, NULL, FALSE, FALSE);
  g_assert_cmpuint (get_n (self), ==, 0);
}

/* A fold that was open before stays so. */
static void
test_open_before (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn;
  GadgetItem *first, *second;

  turn = add_turn (self, "turn", "Think");
  first = add_text (turn, GADGET_ITEM_REASONING, "needle one", GADGET_ITEM_FINISHED);
  second = add_text (turn, GADGET_ITEM_REASONING, "needle two", GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  show (self);
  gadget_transcript_model_set_expanded (self->transcript->model, 1, TRUE);
  gadget_test_wait_frames (self->window, 2);
  find (self, "needle");
  assert_drawn (self, "needle");
  step (self, TRUE);
  g_assert_true (gadget_transcript_model_get_expanded (self->transcript->model, G_OBJECT (first)));
  g_assert_true (gadget_transcript_model_get_expanded (self->transcript->model, G_OBJECT (second)));
  step (self, TRUE);
  g_assert_true (gadget_transcript_model_get_expanded (self->transcript->model, G_OBJECT (first)));
  g_assert_false (
      gadget_transcript_model_get_expanded (self->transcript->model, G_OBJECT (second)));
  /* What the user reads at the end stays unfolded. */
  step (self, TRUE);
  gadget_transcript_find (self->transcript, NULL, FALSE, FALSE);
  g_assert_true (gadget_transcript_model_get_expanded (self->transcript->model, G_OBJECT (second)));
}

static void
test_group (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn = add_turn (self, "turn", "Three calls");
  guint n_rows;

  for (guint i = 0; i < 3; i++)
    gadget_item_set_step (
        add_call (turn, "Ran", "{\"a\":1}", i == 1 ? "a needle in it" : "nothing"), 7);
  gadget_turn_finish (turn);
  show (self);
  n_rows = gadget_transcript_model_get_n_rows (self->transcript->model);
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, 1);
  assert_drawn (self, "needle");
  find (self, "three");
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (self->transcript->model), ==, n_rows);
}

/* The line of a call is not in the fold below it. */
static void
test_line (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn = add_turn (self, "turn", "Call");
  guint n_rows;

  add_call (turn, "Ran needle", "{}", "a needle");
  gadget_turn_finish (turn);
  show (self);
  n_rows = gadget_transcript_model_get_n_rows (self->transcript->model);
  find (self, "needle");
  step (self, TRUE);
  g_assert_cmpuint (get_current (self), ==, 2);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (self->transcript->model), >, n_rows);
  step (self, FALSE);
  g_assert_cmpuint (get_current (self), ==, 1);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (self->transcript->model), ==, n_rows);
}

/* What a subagent did is below its call, in a group too. */
static void
test_subagent (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn = add_turn (self, "turn", "Ask somebody else");
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) child_turn = gadget_turn_new ("child-turn", "do it");
  g_autoptr (GadgetItem) call = gadget_item_new_tool_call ("call", "task");
  guint n_rows;

  for (guint i = 0; i < 3; i++)
    gadget_item_set_step (
        add_call (child_turn, "Ran", "{\"a\":1}", i == 2 ? "a needle in it" : "nothing"), 7);
  gadget_turn_finish (child_turn);
  gadget_session_append (child, child_turn);
  gadget_item_set_child_ids (call, "child", "child-turn");
  gadget_item_set_child (call, child);
  gadget_item_set_status (call, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, call);
  add_text (turn, GADGET_ITEM_TEXT, "It has a needle.", GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  show (self);
  n_rows = gadget_transcript_model_get_n_rows (self->transcript->model);
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, 2);
  g_assert_cmpuint (get_current (self), ==, 1);
  assert_drawn (self, "needle");
  step (self, TRUE);
  assert_drawn (self, "needle");
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (self->transcript->model), ==, n_rows);
}

/* --- Scrolling --- */

static void
add_many (Fixture *self)
{
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *id = g_strdup_printf ("turn-%u", i);
      g_autofree char *text = g_strdup_printf ("Answer number %u, which has %s.\n\nAnd more.", i,
                                               i % 20 == 5 ? "a needle" : "nothing");
      GadgetTurn *turn = add_turn (self, id, "Go on");

      add_text (turn, GADGET_ITEM_TEXT, text, GADGET_ITEM_FINISHED);
      gadget_turn_finish (turn);
    }
}

static double
get_drawn_y (Fixture *self)
{
  graphene_rect_t box;
  g_autofree char *drawn =
      dup_drawn_current (GTK_WIDGET (self->transcript), GTK_WIDGET (self->transcript), &box);

  g_assert_nonnull (drawn);
  return box.origin.y;
}

static void
test_scrolling (Fixture *self, gconstpointer data)
{
  double value;

  add_many (self);
  show (self);
  value = gtk_adjustment_get_value (self->adjustment);
  /* Something in sight. */
  find (self, "more");
  g_assert_cmpfloat (fabs (gtk_adjustment_get_value (self->adjustment) - value), <, 1);
  assert_drawn (self, "more");
  /* At the end of the chat, the last one before is the nearest. */
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, 3);
  g_assert_cmpuint (get_current (self), ==, 3);
  g_assert_cmpfloat (get_drawn_y (self), >, 0);
  g_assert_cmpfloat (get_drawn_y (self), <, HEIGHT / 3.0);
  step (self, FALSE);
  g_assert_cmpuint (get_current (self), ==, 2);
  g_assert_cmpfloat (get_drawn_y (self), <, HEIGHT / 3.0);
  assert_drawn (self, "needle");
  /* A longer query goes on from there. */
  find (self, "needle.");
  g_assert_cmpuint (get_current (self), ==, 2);
  value = gtk_adjustment_get_value (self->adjustment);
  gadget_transcript_find (self->transcript, NULL, FALSE, FALSE);
  gadget_test_wait_frames (self->window, 2);
  g_assert_cmpfloat (gtk_adjustment_get_value (self->adjustment), ==, value);
}

/* Found text is drawn in other colors, and not one letter moves. */
static void
test_nothing_moves (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn = add_turn (self, "turn", "Office fluffier waffle AVAVA");
  GadgetRealizedRow *row;
  PangoRectangle before[60], after;
  PangoLayout *layout;
  int height;

  add_text (turn, GADGET_ITEM_TEXT,
            "The *office* is fluffier, AVATAR and `waffle` and **VAULT** and so on and on.",
            GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  show (self);
  row = _gadget_transcript_get_realized (self->transcript, 1);
  height = row->height;
  layout = gadget_selectable_text_get_layout (gadget_row_get_piece (row->widget));
  for (int i = 0; i < 60; i++)
    pango_layout_index_to_pos (layout, i, &before[i]);
  for (guint i = 0; i < 3; i++)
    {
      find (self, i == 0 ? "f" : i == 1 ? "va" : "i");
      g_assert_cmpuint (get_n (self), >, 2);
      row = _gadget_transcript_get_realized (self->transcript, 1);
      g_assert_cmpint (row->height, ==, height);
      layout = gadget_selectable_text_get_layout (gadget_row_get_piece (row->widget));
      for (int k = 0; k < 60; k++)
        {
          pango_layout_index_to_pos (layout, k, &after);
          g_assert_cmpint (after.x, ==, before[k].x);
          g_assert_cmpint (after.y, ==, before[k].y);
        }
    }
}

/* --- Changes of the chat --- */

static void
test_streaming (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn = add_turn (self, "turn", "Write about a needle");
  GadgetItem *item = add_text (turn, GADGET_ITEM_TEXT, "A nee", GADGET_ITEM_STREAMING);
  GadgetItem *thought;

  show (self);
  find (self, "needle");
  g_assert_cmpuint (get_n (self), ==, 1);
  gadget_item_append_text (item, "dle and a **needle", -1);
  wait_until (get_n (self) == 3);
  g_assert_cmpuint (get_current (self), ==, 1);
  thought = add_text (turn, GADGET_ITEM_REASONING, "folded", GADGET_ITEM_STREAMING);
  gadget_item_append_text (thought, " needle", -1);
  wait_until (get_n (self) == 4);
  gadget_turn_finish (turn);
  turn = add_turn (self, "next", "needle");
  wait_until (get_n (self) == 5);
  step (self, FALSE);
  g_assert_cmpuint (get_current (self), ==, 5);
  gadget_session_remove_turn (self->session, 0);
  wait_until (get_n (self) == 1);
  g_assert_cmpuint (get_current (self), ==, 1);
}

static void
test_place (Fixture *self, gconstpointer data)
{
  add_everything (self);
  show (self);
  gadget_transcript_find (self->transcript, "needle", FALSE, FALSE);
  gadget_transcript_find_place (self->transcript, "second", 1, GADGET_ROW_TEXT_OUTPUT, 2);
  wait_until (is_complete (self));
  gadget_test_wait_frames (self->window, 3);
  g_assert_cmpuint (get_current (self), ==, 6);
  assert_drawn (self, "needle");
  gadget_transcript_find_place (self->transcript, "first", -1, GADGET_ROW_TEXT_PROMPT, 2);
  gadget_test_wait_frames (self->window, 3);
  g_assert_cmpuint (get_current (self), ==, 2);
  /* "**nee**dle" */
  gadget_transcript_find_place (self->transcript, "second", 3, GADGET_ROW_TEXT_ITEM, 35);
  gadget_test_wait_frames (self->window, 3);
  g_assert_cmpuint (get_current (self), ==, 10);
  gadget_transcript_find_place (self->transcript, "no turn", 3, GADGET_ROW_TEXT_ITEM, 35);
  g_assert_cmpuint (get_current (self), ==, 10);
}

static void
test_said (Fixture *self, gconstpointer data)
{
  GString *said;

  add_many (self);
  show (self);
  find (self, "needle");
  said = gadget_test_listen ();
  step (self, FALSE);
  wait_until (said->len > 0);
  g_assert_cmpstr (said->str, ==, "2 of 3: Answer number 25, which has a needle.\n");
  gadget_test_stop_listening (said);
}

/* --- The same as in the rows --- */

/* Unfolds everything, and counts in the widgets of all rows. */
static guint
count_in_widgets (GadgetTranscriptModel *model, GadgetTextPattern *pattern)
{
  guint n = 0;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    {
      g_autoptr (GadgetRowData) data = NULL;
      g_autoptr (GtkWidget) row = NULL;
      g_autoptr (GArray) found = NULL;
      const GadgetRowSpec *spec = gadget_transcript_model_get_row (model, i);

      if (gadget_row_kind_is_line (spec->kind) || spec->kind == GADGET_ROW_KIND_DIFF
          || spec->folded)
        gadget_transcript_model_set_expanded (model, i, TRUE);
      data = g_list_model_get_item (G_LIST_MODEL (model), i);
      row = g_object_ref_sink (gadget_row_factory_new_row (data));
      found = gadget_row_find (GADGET_ROW (row), pattern);
      n += found->len;
    }
  return n;
}

static void
test_as_in_rows (Fixture *self, gconstpointer data)
{
  static const char *const queries[] = { "the",   "e",    "naïve",  "naive",   "函",
                                         "s and", "line", "needle", "int",     ".",
                                         "a b",   "main", "x",      "stream e" };
  g_autoptr (GadgetTranscriptModel) model = NULL;
  g_autoptr (GadgetSession) more = gadget_test_session_new (40, 3);

  add_everything (self);
  for (guint i = 0; i < gadget_session_get_n_turns (more); i++)
    gadget_session_append (self->session, gadget_session_get_turn (more, i));
  show (self);
  model = gadget_transcript_model_new (self->session);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (GadgetTextPattern) pattern = gadget_text_pattern_new (queries[i], FALSE, FALSE);

      find (self, queries[i]);
      g_test_message ("%s", queries[i]);
      g_assert_cmpuint (get_n (self), ==, count_in_widgets (model, pattern));
    }
}

static void
add (const char *name, void (*func) (Fixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/transcript-find/", name, NULL);

  g_test_add (path, Fixture, NULL, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("everything", test_everything);
  add ("much", test_much);
  add ("options", test_options);
  add ("open-before", test_open_before);
  add ("group", test_group);
  add ("line", test_line);
  add ("subagent", test_subagent);
  add ("scrolling", test_scrolling);
  add ("nothing-moves", test_nothing_moves);
  add ("streaming", test_streaming);
  add ("place", test_place);
  add ("said", test_said);
  add ("as-in-rows", test_as_in_rows);
  return g_test_run ();
}
