/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting by the keyboard. Shift with a movement key moves one end of the selection (the head)
 * across all rows that have a text, and scrolls so that the head stays in sight. Where nothing is
 * selected, the selection begins at the place that was last pressed if that is in sight, else at
 * the edge of the viewport. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-selection-private.h"

#include <math.h>

/* The head is kept this far inside the viewport, in pixels. */
#define MARGIN 24

/* An x coordinate beyond the end of any line, even in a wide text that scrolls horizontally. */
#define FAR 1e6

#define CARET_WIDTH 1

typedef enum
{
  STEP_CHARACTER,
  STEP_WORD,
  STEP_LINE,
  STEP_PARAGRAPH,
  STEP_LINE_END,
  STEP_PAGE,
  STEP_ALL,
} Step;

/* --- Rows --- */

static int
get_height (GadgetTranscriptSelection *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self->host));
}

/* Moves @position to the next row in the given direction that has a text; NULL when there is
 * none. */
static GadgetRow *
find_next (GadgetTranscriptSelection *self, guint *position, gboolean forward)
{
  const guint n_rows =
      gadget_transcript_model_get_n_rows (gadget_selection_host_get_model (self->host));
  guint at = *position;

  while (forward ? at + 1 < n_rows : at > 0)
    {
      GadgetRow *row = gadget_selection_host_reach_row (self->host, forward ? ++at : --at);

      if (row != NULL && gadget_row_has_text (row))
        {
          *position = at;
          return row;
        }
    }
  return NULL;
}

/* When the row of @place has no text (the last row of a chat is a footer), moves @place to the
 * nearest text: in the rows of the given direction, or else in the other direction. FALSE when no
 * row has text. */
static gboolean
find_text (GadgetTranscriptSelection *self, GadgetTextPosition *place, gboolean forward)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, place->row);

  if (row != NULL && gadget_row_has_text (row))
    return TRUE;
  row = find_next (self, &place->row, forward);
  if (row == NULL)
    {
      forward = !forward;
      row = find_next (self, &place->row, forward);
    }
  if (row == NULL)
    return FALSE;
  place->offset = gadget_row_to_source (row, forward ? 0 : gadget_row_get_length (row));
  return TRUE;
}

static gboolean
get_box (GadgetTranscriptSelection *self, GadgetTextPosition at, graphene_rect_t *box)
{
  GadgetRealizedRow *row = gadget_selection_host_get_realized (self->host, at.row);

  return row != NULL
         && gadget_row_get_caret_box (row->widget, GTK_WIDGET (self->host),
                                      gadget_row_from_source (row->widget, at.offset), box);
}

static gboolean
is_in_sight (GadgetTranscriptSelection *self, GadgetTextPosition at)
{
  graphene_rect_t box;

  return get_box (self, at, &box) && box.origin.y + box.size.height > 0
         && box.origin.y < (float) get_height (self);
}

/* --- Where it begins --- */

/* Finds the first position in sight, or with @forward FALSE the last one. */
static gboolean
find_edge (GadgetTranscriptSelection *self, gboolean forward, GadgetTextPosition *place)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self->host)) == GTK_TEXT_DIR_RTL;
  GArray *rows = gadget_selection_host_get_realized_rows (self->host);

  for (guint i = 0; i < rows->len; i++)
    {
      GadgetRealizedRow *row =
          &g_array_index (rows, GadgetRealizedRow, forward ? i : rows->len - 1 - i);
      const int top = row->y + row->gap;
      const int bottom = top + row->height;
      guint offset;

      if (!gadget_row_has_text (row->widget) || bottom <= 0 || top >= get_height (self))
        continue;
      if (!gadget_row_get_offset_at (
              row->widget, GTK_WIDGET (self->host),
              forward == rtl ? gtk_widget_get_width (GTK_WIDGET (self->host)) : 0,
              forward ? MAX (top, 0) + 1 : MIN (bottom, get_height (self)) - 1, &offset))
        continue;
      *place = (GadgetTextPosition) { row->position, gadget_row_to_source (row->widget, offset) };
      return TRUE;
    }
  return FALSE;
}

static gboolean
find_ends (GadgetTranscriptSelection *self, gboolean forward, GadgetTextPosition *fixed,
           GadgetTextPosition *head)
{
  if (gadget_transcript_selection_get_ends (self, fixed, head)
      && (!_gadget_transcript_selection_is_empty (self) || is_in_sight (self, *head)))
    return TRUE;
  if (!find_edge (self, forward, head))
    return FALSE;
  *fixed = *head;
  return TRUE;
}

/* --- Steps --- */

/* Moves @source, an offset in the row's source, until it also maps to another offset of the shown
 * text: several shown offsets may map to one offset of the source. */
static gboolean
move_in_row (GadgetRow *row, gsize *source, GadgetTextUnit unit, gboolean forward)
{
  const guint from = gadget_row_from_source (row, *source);
  guint to = from;

  while (gadget_row_move (row, &to, unit, forward))
    {
      const gsize there = gadget_row_to_source (row, to);

      if (gadget_row_from_source (row, there) != from)
        {
          *source = there;
          return TRUE;
        }
    }
  return FALSE;
}

static void
move (GadgetTranscriptSelection *self, GadgetTextPosition *head, GadgetTextUnit unit,
      gboolean forward)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, head->row);

  if (row == NULL || (gadget_row_has_text (row) && move_in_row (row, &head->offset, unit, forward)))
    return;
  row = find_next (self, &head->row, forward);
  if (row == NULL)
    return;
  head->offset = gadget_row_to_source (row, forward ? 0 : gadget_row_get_length (row));
  if (unit != GADGET_TEXT_UNIT_CHARACTER)
    move_in_row (row, &head->offset, unit, forward);
}

static void
move_line (GadgetTranscriptSelection *self, GadgetTextPosition *head, gboolean down)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, head->row);
  guint offset = row != NULL ? gadget_row_from_source (row, head->offset) : 0;
  graphene_rect_t box;

  if (row == NULL)
    return;
  if (isnan (self->caret_x) && get_box (self, *head, &box))
    self->caret_x = box.origin.x;
  if (!gadget_row_move_line (row, GTK_WIDGET (self->host), &offset, self->caret_x, down))
    {
      row = find_next (self, &head->row, down);
      if (row == NULL)
        {
          row = gadget_selection_host_reach_row (self->host, head->row);
          offset = down ? gadget_row_get_length (row) : 0;
        }
      else if (!gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->host), &box)
               || !gadget_row_get_offset_at (
                   row, GTK_WIDGET (self->host), self->caret_x,
                   down ? box.origin.y + 1 : box.origin.y + box.size.height - 1, &offset))
        offset = down ? 0 : gadget_row_get_length (row);
    }
  head->offset = gadget_row_to_source (row, offset);
}

static void
move_to_line_end (GadgetTranscriptSelection *self, GadgetTextPosition *head, gboolean forward)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, head->row);
  const gboolean rtl =
      row != NULL && gadget_row_is_rtl_at (row, gadget_row_from_source (row, head->offset));
  graphene_rect_t box;
  guint offset;

  if (row != NULL && get_box (self, *head, &box)
      && gadget_row_get_offset_at (row, GTK_WIDGET (self->host), forward == rtl ? -FAR : FAR,
                                   box.origin.y + box.size.height / 2, &offset))
    head->offset = gadget_row_to_source (row, offset);
}

/* The offset at the end is the largest one, so that the selection keeps the end of a growing
 * text. */
static void
move_to_end (GadgetTranscriptSelection *self, GadgetTextPosition *head, gboolean forward)
{
  const guint n_rows =
      gadget_transcript_model_get_n_rows (gadget_selection_host_get_model (self->host));
  GadgetTextPosition end = { forward ? n_rows - 1 : 0, 0 };

  if (find_text (self, &end, !forward))
    *head = (GadgetTextPosition) { end.row, forward ? G_MAXUINT32 : 0 };
}

/* Moves the head by one page, at the same height of the viewport, or else to the end of the
 * chat. */
static void
move_page (GadgetTranscriptSelection *self, GadgetTextPosition *head, gboolean down)
{
  const double page = gadget_selection_host_get_page (self->host);
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->host));
  const double before = gtk_adjustment_get_value (adjustment);
  graphene_rect_t box;

  if (gadget_selection_host_reach_row (self->host, head->row) == NULL
      || !get_box (self, *head, &box))
    return;
  if (isnan (self->caret_x))
    self->caret_x = box.origin.x;
  gadget_selection_host_scroll_by (self->host, down ? page : -page);
  gadget_selection_host_place (self->host);
  if (gtk_adjustment_get_value (adjustment) == before)
    {
      move_to_end (self, head, down);
      return;
    }
  _gadget_transcript_selection_find (
      self, self->caret_x, CLAMP (box.origin.y + box.size.height / 2, 0, get_height (self)), head);
  find_text (self, head, down);
}

/* --- The step --- */

static void
show_head (GadgetTranscriptSelection *self, GadgetTextPosition head)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, head.row);
  graphene_rect_t box;
  double distance = 0;

  if (row == NULL || !get_box (self, head, &box))
    return;
  gadget_row_reveal (row, gadget_row_from_source (row, head.offset));
  if (box.origin.y < MARGIN)
    distance = box.origin.y - MARGIN;
  else if (box.origin.y + box.size.height > (float) (get_height (self) - MARGIN))
    distance = box.origin.y + box.size.height - (float) (get_height (self) - MARGIN);
  if (distance != 0)
    gadget_selection_host_scroll_by (self->host, distance);
}

/* The Left and Right keys move to a side; in right-to-left text Left moves forward. */
static gboolean
is_forward (GadgetTranscriptSelection *self, GadgetTextPosition head, Step step, gboolean forward)
{
  GadgetRow *row = gadget_selection_host_reach_row (self->host, head.row);

  if ((step != STEP_CHARACTER && step != STEP_WORD) || row == NULL)
    return forward;
  return forward != gadget_row_is_rtl_at (row, gadget_row_from_source (row, head.offset));
}

/**
 * gadget_transcript_selection_extend:
 * @parameter: (type (ib)): a step, and whether it goes forward, as the keys are bound with
 *
 * Moves the head of the selection by a step, and scrolls it into sight.
 */
void
gadget_transcript_selection_extend (GadgetTranscriptSelection *self, GVariant *parameter)
{
  GadgetTranscriptModel *model = gadget_selection_host_get_model (self->host);
  GadgetTextPosition fixed, head;
  gboolean forward;
  int step;

  g_variant_get (parameter, "(ib)", &step, &forward);
  if (model == NULL || gadget_transcript_model_get_n_rows (model) == 0)
    return;
  gadget_transcript_model_flush (model);
  gadget_selection_host_place (self->host);
  if (!find_ends (self, forward, &fixed, &head) || !find_text (self, &head, FALSE))
    return;

  forward = is_forward (self, head, (Step) step, forward);
  if (!self->caret || (step != STEP_LINE && step != STEP_PAGE))
    self->caret_x = NAN;
  switch ((Step) step)
    {
    case STEP_CHARACTER:
      move (self, &head, GADGET_TEXT_UNIT_CHARACTER, forward);
      break;
    case STEP_WORD:
      move (self, &head, GADGET_TEXT_UNIT_WORD, forward);
      break;
    case STEP_PARAGRAPH:
      move (self, &head, GADGET_TEXT_UNIT_PIECE, forward);
      break;
    case STEP_LINE:
      move_line (self, &head, forward);
      break;
    case STEP_LINE_END:
      move_to_line_end (self, &head, forward);
      break;
    case STEP_PAGE:
      move_page (self, &head, forward);
      break;
    case STEP_ALL:
    default:
      move_to_end (self, &head, forward);
      break;
    }
  self->caret = TRUE;
  gadget_transcript_selection_set_ends (self, fixed, head);
  show_head (self, head);
  gtk_widget_queue_draw (GTK_WIDGET (self->host));
}

void
gadget_transcript_selection_snapshot_caret (GadgetTranscriptSelection *self, GtkSnapshot *snapshot)
{
  GadgetTextPosition fixed, head;
  graphene_rect_t box;
  GdkRGBA color;

  if (!self->caret || !gadget_transcript_selection_get_ends (self, &fixed, &head)
      || !get_box (self, head, &box))
    return;
  gtk_widget_get_color (GTK_WIDGET (self->host), &color);
  box.size.width = CARET_WIDTH;
  gtk_snapshot_append_color (snapshot, &color, &box);
}

static void
bind (GtkWidgetClass *widget_class, guint key, guint keypad, GdkModifierType modifiers, Step step,
      gboolean forward)
{
  const guint keys[] = { key, keypad };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i], modifiers | GDK_SHIFT_MASK,
                                         "transcript.extend", "(ib)", (int) step, forward);
}

void
gadget_transcript_selection_bind_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint back[2];
    guint forward[2];
    GdkModifierType modifiers;
    Step step;
  } keys[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, { GDK_KEY_Right, GDK_KEY_KP_Right }, 0, STEP_CHARACTER },
    { { GDK_KEY_Left, GDK_KEY_KP_Left },
      { GDK_KEY_Right, GDK_KEY_KP_Right },
      GDK_CONTROL_MASK,
      STEP_WORD },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, STEP_LINE },
    { { GDK_KEY_Up, GDK_KEY_KP_Up },
      { GDK_KEY_Down, GDK_KEY_KP_Down },
      GDK_CONTROL_MASK,
      STEP_PARAGRAPH },
    { { GDK_KEY_Home, GDK_KEY_KP_Home }, { GDK_KEY_End, GDK_KEY_KP_End }, 0, STEP_LINE_END },
    { { GDK_KEY_Home, GDK_KEY_KP_Home },
      { GDK_KEY_End, GDK_KEY_KP_End },
      GDK_CONTROL_MASK,
      STEP_ALL },
    { { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up },
      { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down },
      0,
      STEP_PAGE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      bind (widget_class, keys[i].back[0], keys[i].back[1], keys[i].modifiers, keys[i].step, FALSE);
      bind (widget_class, keys[i].forward[0], keys[i].forward[1], keys[i].modifiers, keys[i].step,
            TRUE);
    }
}
