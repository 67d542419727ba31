/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scrolling with the keyboard, and to what it gives the focus. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

/* A page keeps this much of the one before in sight. */
#define PAGE_OVERLAP 42
#define LINE_STEP 63

/* How far inside the viewport what has the focus comes. */
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

static void
scroll_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);
  const double page = MAX (self->height - PAGE_OVERLAP, self->height / 2.0);

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  switch ((Scroll) g_variant_get_int32 (parameter))
    {
    case SCROLL_LINE_UP:
      _gadget_transcript_scroll_by (self, -LINE_STEP);
      break;
    case SCROLL_LINE_DOWN:
      _gadget_transcript_scroll_by (self, LINE_STEP);
      break;
    case SCROLL_PAGE_UP:
      _gadget_transcript_scroll_by (self, -page);
      break;
    case SCROLL_PAGE_DOWN:
      _gadget_transcript_scroll_by (self, page);
      break;
    case SCROLL_START:
      _gadget_transcript_scroll_to (self, 0, 0);
      break;
    case SCROLL_END:
    default:
      gadget_transcript_follow (self);
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

/* What Tab went to comes into sight; what is pointed at is there. */
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
  if (box.origin.y < 0)
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

/**
 * gadget_transcript_go_to_turn:
 * @direction: -1 for the turn before, 1 for the one after
 *
 * Shows the beginning of a turn at the top. The one before is the one that is being read, if its
 * beginning is out of sight.
 */
void
gadget_transcript_go_to_turn (GadgetTranscript *self, int direction)
{
  guint n_turns, turn, first;
  gboolean above;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  n_turns = gadget_transcript_model_get_n_turns (self->model);
  turn = gadget_transcript_model_get_row (self->model, self->anchor)->turn;
  first = gadget_transcript_model_get_turn_row (self->model, turn);
  above = self->anchor > first || self->anchor_y < 0;

  if (direction < 0 && !above && turn > 0)
    turn--;
  else if (direction > 0 && turn + 1 >= n_turns)
    {
      gadget_transcript_follow (self);
      return;
    }
  else if (direction > 0)
    turn++;
  _gadget_transcript_scroll_to (self, gadget_transcript_model_get_turn_row (self->model, turn), 0);
}
