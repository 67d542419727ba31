/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting by the keyboard. Shift with a movement key moves one end of the selection (the head)
 * across all rows that have a text, and scrolls so that the head stays in sight. Where nothing is
 * selected, the selection begins at the place that was last pressed if that is in sight, else at
 * the edge of the viewport. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

#include <math.h>

/* The head is kept this far inside the viewport, in pixels. */
#define MARGIN 24

/* This much of the previous page stays in sight after a page step, in pixels. */
#define PAGE_OVERLAP 42

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

/* Places the rows at once instead of in the next frame. */
static void
settle (GadgetTranscript *self)
{
  _gadget_transcript_layout (self, self->width, self->height);
}

GadgetRow *
_gadget_transcript_reach_row (GadgetTranscript *self, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (self, position);

  if (row == NULL || !_gadget_transcript_is_near (self, row))
    {
      _gadget_transcript_scroll_to (self, position,
                                    position > self->anchor ? self->height / 2.0 : MARGIN);
      settle (self);
      row = _gadget_transcript_get_realized (self, position);
    }
  return row != NULL ? row->widget : NULL;
}

/* Moves @position to the next row in the given direction that has a text; NULL when there is
 * none. */
static GadgetRow *
find_next (GadgetTranscript *self, guint *position, gboolean forward)
{
  const guint n_rows = gadget_transcript_model_get_n_rows (self->model);
  guint at = *position;

  while (forward ? at + 1 < n_rows : at > 0)
    {
      GadgetRow *row = _gadget_transcript_reach_row (self, forward ? ++at : --at);

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
find_text (GadgetTranscript *self, GadgetTextPosition *place, gboolean forward)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, place->row);

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
get_box (GadgetTranscript *self, GadgetTextPosition at, graphene_rect_t *box)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (self, at.row);

  return row != NULL
         && gadget_row_get_caret_box (row->widget, GTK_WIDGET (self),
                                      gadget_row_from_source (row->widget, at.offset), box);
}

static gboolean
is_in_sight (GadgetTranscript *self, GadgetTextPosition at)
{
  graphene_rect_t box;

  return get_box (self, at, &box) && box.origin.y + box.size.height > 0
         && box.origin.y < (float) self->height;
}

/* --- Where it begins --- */

/* Finds the first position in sight, or with @forward FALSE the last one. */
static gboolean
find_edge (GadgetTranscript *self, gboolean forward, GadgetTextPosition *place)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const guint n = self->realized_rows->len;

  for (guint i = 0; i < n; i++)
    {
      GadgetRealizedRow *row =
          &g_array_index (self->realized_rows, GadgetRealizedRow, forward ? i : n - 1 - i);
      const int top = row->y + row->gap;
      const int bottom = top + row->height;
      guint offset;

      if (!gadget_row_has_text (row->widget) || bottom <= 0 || top >= self->height)
        continue;
      if (!gadget_row_get_offset_at (
              row->widget, GTK_WIDGET (self), forward == rtl ? self->width : 0,
              forward ? MAX (top, 0) + 1 : MIN (bottom, self->height) - 1, &offset))
        continue;
      *place = (GadgetTextPosition) { row->position, gadget_row_to_source (row->widget, offset) };
      return TRUE;
    }
  return FALSE;
}

static gboolean
find_ends (GadgetTranscript *self, gboolean forward, GadgetTextPosition *fixed,
           GadgetTextPosition *head)
{
  if (_gadget_transcript_selection_get_ends (self, fixed, head)
      && (_gadget_transcript_has_selection (self) || is_in_sight (self, *head)))
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
move (GadgetTranscript *self, GadgetTextPosition *head, GadgetTextUnit unit, gboolean forward)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, head->row);

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
move_line (GadgetTranscript *self, GadgetTextPosition *head, gboolean down)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, head->row);
  guint offset = row != NULL ? gadget_row_from_source (row, head->offset) : 0;
  graphene_rect_t box;

  if (row == NULL)
    return;
  if (isnan (self->caret_x) && get_box (self, *head, &box))
    self->caret_x = box.origin.x;
  if (!gadget_row_move_line (row, GTK_WIDGET (self), &offset, self->caret_x, down))
    {
      row = find_next (self, &head->row, down);
      if (row == NULL)
        {
          row = _gadget_transcript_reach_row (self, head->row);
          offset = down ? gadget_row_get_length (row) : 0;
        }
      else if (!gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self), &box)
               || !gadget_row_get_offset_at (
                   row, GTK_WIDGET (self), self->caret_x,
                   down ? box.origin.y + 1 : box.origin.y + box.size.height - 1, &offset))
        offset = down ? 0 : gadget_row_get_length (row);
    }
  head->offset = gadget_row_to_source (row, offset);
}

static void
move_to_line_end (GadgetTranscript *self, GadgetTextPosition *head, gboolean forward)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, head->row);
  const gboolean rtl =
      row != NULL && gadget_row_is_rtl_at (row, gadget_row_from_source (row, head->offset));
  graphene_rect_t box;
  guint offset;

  if (row != NULL && get_box (self, *head, &box)
      && gadget_row_get_offset_at (row, GTK_WIDGET (self), forward == rtl ? -FAR : FAR,
                                   box.origin.y + box.size.height / 2, &offset))
    head->offset = gadget_row_to_source (row, offset);
}

/* The offset at the end is the largest one, so that the selection keeps the end of a growing
 * text. */
static void
move_to_end (GadgetTranscript *self, GadgetTextPosition *head, gboolean forward)
{
  const guint n_rows = gadget_transcript_model_get_n_rows (self->model);
  GadgetTextPosition end = { forward ? n_rows - 1 : 0, 0 };

  if (find_text (self, &end, !forward))
    *head = (GadgetTextPosition) { end.row, forward ? G_MAXUINT32 : 0 };
}

/* Moves the head by one page, at the same height of the viewport, or else to the end of the
 * chat. */
static void
move_page (GadgetTranscript *self, GadgetTextPosition *head, gboolean down)
{
  const double page = MAX (self->height - PAGE_OVERLAP, self->height / 2.0);
  const double before = self->last_value;
  graphene_rect_t box;

  if (_gadget_transcript_reach_row (self, head->row) == NULL || !get_box (self, *head, &box))
    return;
  if (isnan (self->caret_x))
    self->caret_x = box.origin.x;
  _gadget_transcript_scroll_by (self, down ? page : -page);
  settle (self);
  if (self->last_value == before)
    {
      move_to_end (self, head, down);
      return;
    }
  _gadget_transcript_selection_find (
      self, self->caret_x, CLAMP (box.origin.y + box.size.height / 2, 0, self->height), head);
  find_text (self, head, down);
}

/* --- The action --- */

static void
show_head (GadgetTranscript *self, GadgetTextPosition head)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, head.row);
  graphene_rect_t box;
  double distance = 0;

  if (row == NULL || !get_box (self, head, &box))
    return;
  gadget_row_reveal (row, gadget_row_from_source (row, head.offset));
  if (box.origin.y < MARGIN)
    distance = box.origin.y - MARGIN;
  else if (box.origin.y + box.size.height > (float) (self->height - MARGIN))
    distance = box.origin.y + box.size.height - (float) (self->height - MARGIN);
  if (distance != 0)
    _gadget_transcript_scroll_by (self, distance);
}

/* The Left and Right keys move to a side; in right-to-left text Left moves forward. */
static gboolean
is_forward (GadgetTranscript *self, GadgetTextPosition head, Step step, gboolean forward)
{
  GadgetRow *row = _gadget_transcript_reach_row (self, head.row);

  if ((step != STEP_CHARACTER && step != STEP_WORD) || row == NULL)
    return forward;
  return forward != gadget_row_is_rtl_at (row, gadget_row_from_source (row, head.offset));
}

static void
extend_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);
  GadgetTextPosition fixed, head;
  gboolean forward;
  int step;

  g_variant_get (parameter, "(ib)", &step, &forward);
  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  gadget_transcript_model_flush (self->model);
  settle (self);
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
  _gadget_transcript_selection_set_ends (self, fixed, head);
  show_head (self, head);
  gtk_widget_queue_draw (widget);
}

void
_gadget_transcript_caret_snapshot (GadgetTranscript *self, GtkSnapshot *snapshot)
{
  GadgetTextPosition fixed, head;
  graphene_rect_t box;
  GdkRGBA color;

  if (!_gadget_transcript_selection_get_ends (self, &fixed, &head) || !get_box (self, head, &box))
    return;
  gtk_widget_get_color (GTK_WIDGET (self), &color);
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
_gadget_transcript_caret_class_init (GtkWidgetClass *widget_class)
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

  gtk_widget_class_install_action (widget_class, "transcript.extend", "(ib)", extend_action);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      bind (widget_class, keys[i].back[0], keys[i].back[1], keys[i].modifiers, keys[i].step, FALSE);
      bind (widget_class, keys[i].forward[0], keys[i].forward[1], keys[i].modifiers, keys[i].step,
            TRUE);
    }
}
