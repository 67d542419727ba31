/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Navigating with the keyboard. Tab enters the transcript at the last row in sight. From a row, the
 * arrow keys go to the neighboring rows, Ctrl with them to the neighboring turns, and Tab to the
 * buttons of the row. While the transcript itself has the focus, for example after a click, the
 * arrow keys scroll. A widget that gets the focus is scrolled into sight. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "ui/common/gadget-announcer.h"

/* How far a line step scrolls, in pixels. */
#define LINE_STEP 63

/* A focused widget is scrolled this far inside the viewport, in pixels. */
#define FOCUS_MARGIN 24

typedef enum
{
  SCROLL_LINE_UP,
  SCROLL_LINE_DOWN,
  SCROLL_PAGE_UP,
  SCROLL_PAGE_DOWN,
  SCROLL_START,
  SCROLL_END,
} Scroll;

static GtkWindow *
get_window (GadgetTranscript *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static gboolean
focus_row (GadgetTranscript *self, GadgetRow *row)
{
  if (row == NULL)
    return FALSE;
  /* Focus is made visible as after a key press, so that the row is outlined and scrolled into
   * sight. */
  if (get_window (self) != NULL)
    gtk_window_set_focus_visible (get_window (self), TRUE);
  return gtk_widget_grab_focus (GTK_WIDGET (row));
}

GadgetRow *
_gadget_transcript_reach_row (GadgetTranscript *self, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (self, position);

  if (row == NULL || !_gadget_transcript_is_near (self, row))
    {
      _gadget_transcript_scroll_to (self, position,
                                    position > self->anchor ? self->height / 2.0 : FOCUS_MARGIN);
      _gadget_transcript_layout (self, self->width, self->height);
      row = _gadget_transcript_get_realized (self, position);
    }
  return row != NULL ? row->widget : NULL;
}

/* Returns the row that itself has the focus and is in or near the viewport, or NULL. */
static const GadgetRealizedRow *
get_focused_row (GadgetTranscript *self)
{
  GtkWidget *focus = get_window (self) != NULL ? gtk_window_get_focus (get_window (self)) : NULL;

  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i);

      if (GTK_WIDGET (row->widget) == focus && _gadget_transcript_is_near (self, row))
        return row;
    }
  return NULL;
}

static gboolean
is_in_sight (GadgetTranscript *self, const GadgetRealizedRow *row)
{
  return _gadget_transcript_is_near (self, row) && row->y + row->gap < self->height
         && row->y + row->gap + row->height > 0;
}

/* Focuses the last row in sight, but a footer only when there is no other row. */
gboolean
_gadget_transcript_enter (GadgetTranscript *self)
{
  const GadgetRealizedRow *found = NULL;

  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i);
      const GadgetRowKind kind = gadget_row_data_get_kind (gadget_row_get_data (row->widget));

      if (is_in_sight (self, row) && (found == NULL || kind != GADGET_ROW_KIND_FOOTER))
        found = row;
    }
  return found != NULL && focus_row (self, found->widget);
}

/* Moves the focus by @distance rows; FALSE when no row has the focus. */
static gboolean
step_row (GadgetTranscript *self, int distance)
{
  const GadgetRealizedRow *row = get_focused_row (self);
  const guint n = gadget_transcript_model_get_n_rows (self->model);

  if (row == NULL)
    return FALSE;
  if (distance < 0 ? row->position > 0 : row->position + 1 < n)
    focus_row (self, _gadget_transcript_reach_row (self, row->position + distance));
  return TRUE;
}

/* Scrolls to an end of the chat. The focus moves along when a row itself has it, even one out of
 * sight; it stays when a part of a row has it, such as a button of a card. */
static void
go_to_end (GadgetTranscript *self, gboolean start)
{
  GtkWidget *child = gtk_widget_get_focus_child (GTK_WIDGET (self));
  const gboolean focused = child != NULL && gtk_widget_is_focus (child);
  const guint n = gadget_transcript_model_get_n_rows (self->model);

  if (start)
    _gadget_transcript_scroll_to (self, 0, 0);
  else
    gadget_transcript_follow (self);
  if (!focused)
    return;
  _gadget_transcript_layout (self, self->width, self->height);
  focus_row (self, _gadget_transcript_reach_row (self, start ? 0 : n - 1));
}

void
gadget_transcript_scroll_page (GadgetTranscript *self, int direction)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (self->model != NULL && gadget_transcript_model_get_n_rows (self->model) > 0)
    _gadget_transcript_scroll_by (
        self, direction * gadget_selection_host_get_page (GADGET_SELECTION_HOST (self)));
}

static void
scroll_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  switch ((Scroll) g_variant_get_int32 (parameter))
    {
    case SCROLL_LINE_UP:
      if (!step_row (self, -1))
        _gadget_transcript_scroll_by (self, -LINE_STEP);
      break;
    case SCROLL_LINE_DOWN:
      if (!step_row (self, 1))
        _gadget_transcript_scroll_by (self, LINE_STEP);
      break;
    case SCROLL_PAGE_UP:
      gadget_transcript_scroll_page (self, -1);
      break;
    case SCROLL_PAGE_DOWN:
      gadget_transcript_scroll_page (self, 1);
      break;
    case SCROLL_START:
      go_to_end (self, TRUE);
      break;
    case SCROLL_END:
    default:
      go_to_end (self, FALSE);
      break;
    }
}

static void
turn_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gadget_transcript_go_to_turn (GADGET_TRANSCRIPT (widget), g_variant_get_int32 (parameter));
}

static void
bind_scroll (GtkWidgetClass *widget_class, guint key, guint keypad, Scroll scroll)
{
  gtk_widget_class_add_binding_action (widget_class, key, 0, "transcript.scroll", "i", scroll);
  gtk_widget_class_add_binding_action (widget_class, keypad, 0, "transcript.scroll", "i", scroll);
}

/* Scrolls to the widget that got the focus by the keyboard; one that was clicked is in sight
 * already. */
static void
focus_cb (GadgetTranscript *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  graphene_rect_t box;

  if (focus == NULL || focus == GTK_WIDGET (self)
      || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self))
      || !gtk_window_get_focus_visible (GTK_WINDOW (root))
      || !gtk_widget_compute_bounds (focus, GTK_WIDGET (self), &box))
    return;
  /* For a widget that is taller than the viewport, its beginning is shown. */
  if (box.origin.y < 0 || box.size.height > (float) (self->height - FOCUS_MARGIN))
    _gadget_transcript_scroll_by (self, box.origin.y - FOCUS_MARGIN);
  else if (box.origin.y + box.size.height > (float) self->height)
    _gadget_transcript_scroll_by (self, box.origin.y + box.size.height - (float) self->height
                                            + FOCUS_MARGIN);
}

void
_gadget_transcript_watch_focus (GadgetTranscript *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    self->focus_id =
        g_signal_connect_swapped (root, "notify::focus-widget", G_CALLBACK (focus_cb), self);
}

void
_gadget_transcript_unwatch_focus (GadgetTranscript *self)
{
  if (self->focus_id != 0)
    g_clear_signal_handler (&self->focus_id, gtk_widget_get_root (GTK_WIDGET (self)));
}

void
_gadget_transcript_keys_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.scroll", "i", scroll_action);
  gtk_widget_class_install_action (widget_class, "transcript.turn", "i", turn_action);

  bind_scroll (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, SCROLL_LINE_UP);
  bind_scroll (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, SCROLL_LINE_DOWN);
  bind_scroll (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, SCROLL_PAGE_UP);
  bind_scroll (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, SCROLL_PAGE_DOWN);
  bind_scroll (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, SCROLL_START);
  bind_scroll (widget_class, GDK_KEY_End, GDK_KEY_KP_End, SCROLL_END);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_CONTROL_MASK,
                                       "transcript.turn", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_CONTROL_MASK,
                                       "transcript.turn", "i", 1);
}

/* Returns the turn that is being read: the turn of the focused row, or else of the row at the top
 * of the viewport. @begun: (out): whether a part of the turn is above that place */
static guint
get_current_turn (GadgetTranscript *self, gboolean *begun)
{
  const GadgetRealizedRow *row = get_focused_row (self);
  /* Until the next frame the anchor may be behind the last row. */
  const guint position =
      row != NULL ? row->position
                  : MIN (self->anchor, gadget_transcript_model_get_n_rows (self->model) - 1);
  const guint turn = gadget_transcript_model_get_row (self->model, position)->turn;

  *begun = position > gadget_transcript_model_get_turn_row (self->model, turn)
           || (row == NULL && self->anchor_y < 0);
  return turn;
}

/* The focus moves along when it is in the transcript; a screen reader then reads the focused row.
 * Otherwise the prompt of the turn is announced. */
static void
show_turn (GadgetTranscript *self, guint turn)
{
  const guint position = gadget_transcript_model_get_turn_row (self->model, turn);

  _gadget_transcript_scroll_to (self, position, 0);
  if (gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL
      || gtk_widget_is_focus (GTK_WIDGET (self)))
    {
      _gadget_transcript_layout (self, self->width, self->height);
      focus_row (self, _gadget_transcript_reach_row (self, position));
    }
  else
    gadget_announce (GTK_WIDGET (self),
                     gadget_turn_get_prompt (gadget_transcript_model_get_turn (self->model, turn)),
                     GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/**
 * gadget_transcript_show_turn:
 *
 * Scrolls so that the beginning of that turn of the chat is at the top, if there is such a turn.
 */
void
gadget_transcript_show_turn (GadgetTranscript *self, const char *turn_id)
{
  int turn;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self) && self->model != NULL && turn_id != NULL);

  turn = gadget_session_find_turn (gadget_transcript_model_get_session (self->model), turn_id);
  if (turn >= 0)
    show_turn (self, (guint) turn);
}

/**
 * gadget_transcript_go_to_turn:
 * @direction: -1 for the previous turn, 1 for the next one
 *
 * Scrolls so that the beginning of a turn is at the top. The previous turn is the one that is being
 * read when its beginning is above the viewport. After the last turn, the end of the chat is
 * followed.
 */
void
gadget_transcript_go_to_turn (GadgetTranscript *self, int direction)
{
  guint n_turns, turn;
  gboolean begun;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  n_turns = gadget_transcript_model_get_n_turns (self->model);
  turn = get_current_turn (self, &begun);

  if (direction > 0 && turn + 1 >= n_turns)
    {
      gadget_transcript_follow (self);
      return;
    }
  if (direction > 0)
    turn++;
  else if (!begun && turn > 0)
    turn--;
  show_turn (self, turn);
}
