/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting text across rows.
 *
 * The selection is a range in the model: rows, and bytes of their sources. Rows in sight are told
 * which part of them to draw, as they come into sight and as the range changes; copying reads the
 * sources. So a range may begin and end in rows that are not there any more as widgets.
 *
 * "origin" is what the first press selected (a place, a word or a line): drawing the range always
 * keeps all of it. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

#include <glib/gi18n.h>

/* Pixels a second for each pixel that the pointer is outside. */
#define AUTOSCROLL_SPEED 12
#define AUTOSCROLL_MAX 4000

static int
compare (GadgetTextPosition a, GadgetTextPosition b)
{
  if (a.row != b.row)
    return a.row < b.row ? -1 : 1;
  return a.offset < b.offset ? -1 : a.offset > b.offset;
}

static gboolean
is_empty (const GadgetTextRange *range)
{
  return compare (range->start, range->end) >= 0;
}

/* --- Drawing --- */

void
_gadget_transcript_selection_draw (GadgetTranscript *self, GadgetRealised *row)
{
  GadgetTextPiece *piece = gadget_row_get_piece (row->widget);
  const GadgetTextRange *range = &self->selection;
  const gsize begin = gadget_block_get_start (gadget_row_get_block (row->widget));
  gsize start = 0;
  gsize end = 0;

  if (piece == NULL)
    return;
  if (!is_empty (range) && row->position >= range->start.row && row->position <= range->end.row)
    {
      end = gadget_text_piece_get_length (piece);
      if (row->position == range->start.row)
        start = range->start.offset - MIN (begin, range->start.offset);
      if (row->position == range->end.row)
        end = MIN (end, range->end.offset - MIN (begin, range->end.offset));
    }
  gadget_text_piece_set_selection (piece, (guint) MIN (start, end), (guint) end);
}

static void
set_selection (GadgetTranscript *self, GadgetTextRange range)
{
  if (compare (range.start, self->selection.start) == 0
      && compare (range.end, self->selection.end) == 0)
    return;
  self->selection = range;
  for (guint i = 0; i < self->realised->len; i++)
    _gadget_transcript_selection_draw (self, &g_array_index (self->realised, GadgetRealised, i));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "clipboard.copy", !is_empty (&range));
}

/* --- Places --- */

/* The row at @y of the viewport, or the nearest one. */
static GadgetRealised *
get_row_at (GadgetTranscript *self, double y)
{
  GadgetRealised *best = NULL;

  for (guint i = 0; i < self->realised->len; i++)
    {
      GadgetRealised *row = &g_array_index (self->realised, GadgetRealised, i);

      if (best == NULL || row->y + row->gap * 0.5 <= y)
        best = row;
    }
  return best;
}

static gboolean
get_piece_at (GadgetTranscript *self, double x, double y, GadgetRealised **row,
              graphene_point_t *point)
{
  GadgetTextPiece *piece;

  *row = get_row_at (self, y);
  if (*row == NULL)
    return FALSE;
  piece = gadget_row_get_piece ((*row)->widget);
  return piece != NULL
         && gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (piece),
                                      &GRAPHENE_POINT_INIT ((float) x, (float) y), point);
}

/* What is selected by a press at a point: nothing but a place, the word there, or the line. */
static GadgetTextRange
get_range_at (GadgetTranscript *self, double x, double y, guint granularity)
{
  GadgetTextRange range = { 0 };
  GadgetRealised *row;
  GadgetTextPiece *piece;
  graphene_point_t point;
  guint start, end;
  gsize begin;

  if (!get_piece_at (self, x, y, &row, &point))
    {
      if (row != NULL)
        range.start.row = row->position;
      range.end = range.start;
      return range;
    }
  piece = gadget_row_get_piece (row->widget);
  begin = gadget_block_get_start (gadget_row_get_block (row->widget));
  start = end = gadget_text_piece_get_offset_at (piece, point.x, point.y);
  if (granularity == 2)
    gadget_text_piece_get_word_at (piece, start, &start, &end);
  else if (granularity > 2)
    gadget_text_piece_get_line_at (piece, start, &start, &end);
  range.start = (GadgetTextPosition) { row->position, begin + start };
  range.end = (GadgetTextPosition) { row->position, begin + end };
  return range;
}

static void
extend_to (GadgetTranscript *self, double x, double y)
{
  const GadgetTextRange at = get_range_at (self, x, y, self->granularity);
  GadgetTextRange range = self->origin;

  if (compare (at.start, range.start) < 0)
    range.start = at.start;
  if (compare (at.end, range.end) > 0)
    range.end = at.end;
  set_selection (self, range);
}

static GadgetTextPosition
shift (GadgetTranscript *self, GadgetTextPosition at, guint position, guint removed, guint added)
{
  if (at.row >= position + removed)
    at.row += added - removed;
  else if (at.row >= position)
    at = (GadgetTextPosition) { position, 0 };

  /* What was the end of an open piece may be in the next one now. */
  while (at.row + 1 < gadget_transcript_model_get_n_rows (self->model))
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, at.row);
      const GadgetRowSpec *next = gadget_transcript_model_get_row (self->model, at.row + 1);

      if (at.offset <= row->end || row->turn != next->turn || row->kind != next->kind
          || row->item != next->item || row->scope != next->scope)
        break;
      at.row++;
    }
  return at;
}

void
_gadget_transcript_selection_spliced (GadgetTranscript *self, guint position, guint removed,
                                      guint added)
{
  GadgetTextPosition *all[] = { &self->origin.start, &self->origin.end, &self->selection.start,
                                &self->selection.end };

  if (is_empty (&self->selection) && !self->selecting)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    *all[i] = shift (self, *all[i], position, removed, added);
}

/* --- The pointer --- */

static gboolean
autoscroll_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);
  const gint64 now = gdk_frame_clock_get_frame_time (clock);
  const double outside = self->pointer_y < 0 ? self->pointer_y : self->pointer_y - self->height;
  const double speed = CLAMP (outside * AUTOSCROLL_SPEED, -AUTOSCROLL_MAX, AUTOSCROLL_MAX);

  if (self->autoscroll_time != 0)
    _gadget_transcript_scroll_by (self, speed * (double) (now - self->autoscroll_time) / 1e6);
  self->autoscroll_time = now;
  extend_to (self, self->pointer_x, CLAMP (self->pointer_y, 0, self->height));
  return G_SOURCE_CONTINUE;
}

static void
stop_autoscroll (GadgetTranscript *self)
{
  if (self->autoscroll_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->autoscroll_id);
  self->autoscroll_id = 0;
}

static void
update_autoscroll (GadgetTranscript *self)
{
  const gboolean outside = self->pointer_y < 0 || self->pointer_y > self->height;

  if (!outside)
    stop_autoscroll (self);
  else if (self->autoscroll_id == 0)
    {
      self->autoscroll_time = 0;
      self->autoscroll_id =
          gtk_widget_add_tick_callback (GTK_WIDGET (self), autoscroll_cb, NULL, NULL);
    }
}

/* Fingers scroll; only a pointer draws a selection. */
static gboolean
is_touch (GtkGesture *gesture)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  GdkDevice *device = event != NULL ? gdk_event_get_device (event) : NULL;

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, GadgetTranscript *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (self->model == NULL || is_touch (GTK_GESTURE (gesture)))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->selecting = TRUE;
  if ((state & GDK_SHIFT_MASK) != 0 && n_press == 1)
    {
      self->granularity = 1;
      extend_to (self, x, y);
      return;
    }
  self->granularity = (guint) (n_press - 1) % 3 + 1;
  self->origin = get_range_at (self, x, y, self->granularity);
  set_selection (self, self->origin);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, GadgetTranscript *self)
{
  if (is_touch (GTK_GESTURE (gesture)))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, GadgetTranscript *self)
{
  double x, y;

  if (!self->selecting || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), (int) x, (int) y, (int) (x + dx),
                                 (int) (y + dy))
      && is_empty (&self->selection))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->pointer_x = x + dx;
  self->pointer_y = y + dy;
  extend_to (self, self->pointer_x, CLAMP (self->pointer_y, 0, self->height));
  update_autoscroll (self);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, GadgetTranscript *self)
{
  g_autofree char *text = NULL;

  stop_autoscroll (self);
  self->selecting = FALSE;
  text = gadget_transcript_dup_selection (self);
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_primary_clipboard (GTK_WIDGET (self)), text);
}

void
_gadget_transcript_selection_end (GadgetTranscript *self)
{
  stop_autoscroll (self);
  self->selecting = FALSE;
}

/* --- Copying --- */

static gboolean
is_text (GadgetBlockKind kind)
{
  switch (kind)
    {
    case GADGET_BLOCK_PROMPT:
    case GADGET_BLOCK_STEER:
    case GADGET_BLOCK_TEXT:
    case GADGET_BLOCK_NOTE:
    case GADGET_BLOCK_REASONING_TEXT:
    case GADGET_BLOCK_TOOL:
    case GADGET_BLOCK_TOOL_ARGUMENTS:
    case GADGET_BLOCK_TOOL_OUTPUT:
    case GADGET_BLOCK_DIFF:
      return TRUE;
    case GADGET_BLOCK_REASONING:
    case GADGET_BLOCK_SUMMARY:
    case GADGET_BLOCK_ASK:
    case GADGET_BLOCK_ABORTED:
    case GADGET_BLOCK_ERROR:
    case GADGET_BLOCK_UNSAVED:
    case GADGET_BLOCK_FOOTER:
    default:
      return FALSE;
    }
}

/* Between the sources of two rows: nothing if they are one source, a line's end between the lines
 * of tools, else an empty line. */
static const char *
get_separator (const GadgetRowSpec *before, const GadgetRowSpec *row)
{
  if (before->turn == row->turn && before->kind == row->kind && before->item == row->item
      && before->scope == row->scope)
    return "";
  if (before->kind == GADGET_BLOCK_TOOL && row->kind == GADGET_BLOCK_TOOL)
    return "\n";
  return "\n\n";
}

/* What marks code in the line of a tool is not seen, and not copied. */
static void
drop_code_marks (GString *text, gsize from)
{
  g_autoptr (GString) line = g_string_new (text->str + from);

  g_string_replace (line, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (line, GADGET_CODE_END, "", 0);
  g_string_truncate (text, from);
  g_string_append_len (text, line->str, (gssize) line->len);
}

static void
append_row (GadgetTranscript *self, GString *text, guint position)
{
  const GadgetTextRange *range = &self->selection;
  const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, position);
  gsize length = 0;
  const char *source = gadget_transcript_model_get_source (self->model, position, &length);
  gsize start = row->start;
  gsize end = MIN (row->end, length);
  gsize at;

  if (position == range->start.row)
    start = CLAMP (range->start.offset, start, end);
  if (position == range->end.row)
    end = CLAMP (range->end.offset, start, end);
  at = text->len;
  g_string_append_len (text, source + start, (gssize) (end - start));
  if (row->kind == GADGET_BLOCK_TOOL)
    drop_code_marks (text, at);
}

/* Ends of lines at the end of a source are not seen, so they don't count between two of them. */
static void
chop_newlines (GString *text)
{
  while (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
}

char *
gadget_transcript_dup_selection (GadgetTranscript *self)
{
  const GadgetRowSpec *before = NULL;
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);

  if (self->model == NULL || is_empty (&self->selection))
    return NULL;
  text = g_string_new (NULL);
  for (guint i = self->selection.start.row; i <= self->selection.end.row; i++)
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, i);

      if (!is_text (row->kind) || (i == self->selection.end.row && self->selection.end.offset == 0))
        continue;
      if (before != NULL && *get_separator (before, row) != '\0')
        {
          chop_newlines (text);
          g_string_append (text, get_separator (before, row));
        }
      append_row (self, text, i);
      before = row;
    }
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}

void
gadget_transcript_select_all (GadgetTranscript *self)
{
  GadgetTextRange range = { 0 };

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  range.end.row = gadget_transcript_model_get_n_rows (self->model) - 1;
  range.end.offset = G_MAXUINT32;
  self->origin = range;
  set_selection (self, range);
}

void
gadget_transcript_unselect (GadgetTranscript *self)
{
  const GadgetTextRange nothing = { 0 };

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  self->origin = nothing;
  set_selection (self, nothing);
}

/* --- Actions and the menu --- */

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = gadget_transcript_dup_selection (GADGET_TRANSCRIPT (widget));

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
select_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gadget_transcript_select_all (GADGET_TRANSCRIPT (widget));
}

static void
show_menu (GadgetTranscript *self, double x, double y)
{
  const GdkRectangle at = { (int) x, (int) y, 1, 1 };

  if (self->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new ();

      g_menu_append (menu, _ ("_Copy"), "clipboard.copy");
      g_menu_append (menu, _ ("Select _All"), "selection.select-all");
      self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  show_menu (GADGET_TRANSCRIPT (widget), gtk_widget_get_width (widget) / 2.0,
             gtk_widget_get_height (widget) / 2.0);
}

static void
menu_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, GadgetTranscript *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  show_menu (self, x, y);
}

void
_gadget_transcript_selection_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "clipboard.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "selection.select-all", NULL, select_all_action);
  gtk_widget_class_install_action (widget_class, "menu.popup", NULL, menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "clipboard.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK,
                                       "clipboard.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_a, GDK_CONTROL_MASK,
                                       "selection.select-all", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "menu.popup",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "menu.popup", NULL);
}

void
_gadget_transcript_selection_init (GadgetTranscript *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *menu = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (menu));
  gtk_gesture_group (click, drag);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "clipboard.copy", FALSE);
}
