/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The composer: the text, its keys and its size; the other gadget-composer-*.c files have the rest,
 * see gadget-composer-private.h.
 *
 * Enter is handled before the text view gets it, because the text view would insert a line break;
 * but the input method gets it first, because Enter may end a composition. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"
#include "gadget-long-words.h"
#include "ui/common/gadget-column.h"
#include "ui/common/gadget-immediate-button.h"

/* In pixels: three lines, for the smallest window. */
#define MIN_HEIGHT 80

/* In pixels: a queued message and a part of the next one. */
#define MIN_QUEUE_HEIGHT 60

#define MODIFIERS (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
guint _gadget_composer_signals[GADGET_COMPOSER_N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetComposer, gadget_composer, ADW_TYPE_BIN)

static GtkTextBuffer *
get_buffer (GadgetComposer *self)
{
  return gtk_text_view_get_buffer (self->text);
}

static gboolean
is_text_empty (GadgetComposer *self)
{
  return gtk_text_buffer_get_char_count (get_buffer (self)) == 0;
}

/* --- The text ----------------------------------------------------------------------------------
 */

static void
update_placeholder (GadgetComposer *self)
{
  gtk_widget_set_visible (self->placeholder, is_text_empty (self) && !self->composing);
}

/* Puts the caret where the placeholder begins. In an empty text GTK puts it where text of the
 * keyboard's direction would begin, which may be the other side. */
static void
update_justification (GadgetComposer *self)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self->text)));
  GdkDevice *keyboard = seat != NULL ? gdk_seat_get_keyboard (seat) : NULL;
  const gboolean empty = is_text_empty (self);
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self->text)) == GTK_TEXT_DIR_RTL;
  const gboolean keyboard_mirrored =
      keyboard != NULL && gdk_device_get_direction (keyboard) == PANGO_DIRECTION_RTL;

  gtk_text_view_set_justification (
      self->text, empty && mirrored != keyboard_mirrored ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
}

/* Resizes the view in the frame of a change, so that GTK validates the text before it draws. GTK
 * validates changed text in an idle, or else while it draws, and then does not place the scroll bar
 * again, which already has its place. */
static void
place_text (GadgetComposer *self)
{
  gtk_widget_queue_resize (GTK_WIDGET (self->text));
}

static void
text_changed_cb (GadgetComposer *self)
{
  place_text (self);
  update_placeholder (self);
  update_justification (self);
  _gadget_composer_update_buttons (self);
  _gadget_composer_draft_changed (self);
  _gadget_composer_update_commands (self);
  _gadget_composer_update_mentions (self, TRUE);
}

/* Keeps the first line in view while the text view grows. GTK scrolls to the caret step by step,
 * and does not notice that the view grows with the text meanwhile: the first line would stay cut
 * off until the next key. The adjustment is corrected in the same frame, since the text would jump
 * otherwise. This changes the value at most once more, because the page is then as high as the
 * view. */
static void
scrolled_cb (GadgetComposer *self, GtkAdjustment *adjustment)
{
  const double height = gtk_widget_get_height (GTK_WIDGET (self->text));
  const double upper = gtk_adjustment_get_upper (adjustment);
  const double value = gtk_adjustment_get_value (adjustment);

  if (gtk_adjustment_get_page_size (adjustment) < height)
    gtk_adjustment_configure (adjustment, CLAMP (value, 0, MAX (upper - height, 0)), 0,
                              MAX (upper, height), gtk_adjustment_get_step_increment (adjustment),
                              gtk_adjustment_get_page_increment (adjustment), height);
}

static void
cursor_moved_cb (GadgetComposer *self)
{
  _gadget_composer_update_mentions (self, FALSE);
}

/* A click into a popover does not take the focus, so it does not close it. */
static void
focus_left_cb (GadgetComposer *self)
{
  _gadget_composer_close_commands (self);
  _gadget_composer_close_mentions (self);
}

static void
preedit_changed_cb (GadgetComposer *self, const char *preedit)
{
  self->composing = *preedit != '\0';
  place_text (self);
  update_placeholder (self);
}

static gboolean
is_enter (guint keyval)
{
  return keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
}

static gboolean
is_arrow (guint keyval, gboolean *up)
{
  *up = keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up;
  return *up || keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down;
}

static gboolean
is_page (guint keyval, gboolean *up)
{
  *up = keyval == GDK_KEY_Page_Up || keyval == GDK_KEY_KP_Page_Up;
  return *up || keyval == GDK_KEY_Page_Down || keyval == GDK_KEY_KP_Page_Down;
}

/* Tells whether the text is higher than the view. */
static gboolean
is_scrolled (GadgetComposer *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->text));

  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment);
}

/* Scrolls the chat by a page. Returns FALSE when no transcript is shown. */
static gboolean
scroll_chat (GadgetComposer *self, gboolean up)
{
  gboolean scrolled = FALSE;

  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_SCROLL_PAGE], 0, up ? -1 : 1,
                 &scrolled);
  return scrolled;
}

static gboolean
key_pressed_cb (GadgetComposer *self, guint keyval, guint keycode, GdkModifierType state,
                GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  gboolean up;

  if ((state & MODIFIERS) == 0
      && (gadget_suggestions_wants (self->command_popover, keyval)
          || gadget_suggestions_wants (self->mention_popover, keyval)))
    {
      /* The input method gets the key before a popover does. */
      if (!gtk_text_view_im_context_filter_keypress (self->text, event)
          && !_gadget_composer_command_key (self, keyval))
        _gadget_composer_mention_key (self, keyval);
      return GDK_EVENT_STOP;
    }
  if (is_arrow (keyval, &up) && (state & MODIFIERS) == 0 && _gadget_composer_can_recall (self, up))
    {
      if (!gtk_text_view_im_context_filter_keypress (self->text, event))
        _gadget_composer_recall (self, up);
      return GDK_EVENT_STOP;
    }
  /* In a text these keys move by paragraphs; in an empty one they go from turn to turn in the
   * chat. */
  if (is_arrow (keyval, &up) && (state & MODIFIERS) == GDK_CONTROL_MASK && is_text_empty (self))
    {
      if (!gtk_text_view_im_context_filter_keypress (self->text, event))
        gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-turn", "i", up ? -1 : 1);
      return GDK_EVENT_STOP;
    }
  /* When all of the text is visible, Page Up and Page Down scroll the chat. */
  if (is_page (keyval, &up) && (state & MODIFIERS) == 0 && !is_scrolled (self))
    return gtk_text_view_im_context_filter_keypress (self->text, event) || scroll_chat (self, up);
  if (!is_enter (keyval) || (state & MODIFIERS & ~GDK_CONTROL_MASK) != 0)
    return GDK_EVENT_PROPAGATE;
  if (gtk_text_view_im_context_filter_keypress (self->text, event))
    return GDK_EVENT_STOP;
  if ((state & GDK_CONTROL_MASK) == 0)
    _gadget_composer_submit (self);
  else if (!_gadget_composer_attach_mention (self))
    _gadget_composer_steer (self);
  return GDK_EVENT_STOP;
}

static void
steer_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetComposer *self = GADGET_COMPOSER (widget);

  gadget_composer_focus (self);
  _gadget_composer_steer (self);
}

/* --- What is around it -------------------------------------------------------------------------
 */

static void
model_chosen_cb (GadgetComposer *self, const char *provider, const char *model)
{
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_MODEL_CHOSEN], 0, provider, model);
}

static void
mode_chosen_cb (GadgetComposer *self, int mode)
{
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_MODE_CHOSEN], 0, mode);
}

static void
update_queue (GadgetComposer *self)
{
  gadget_queue_list_set_busy (self->queue, gadget_stop_control_get_phase (self->control)
                                               != GADGET_STOP_PHASE_IDLE);
}

static void
control_changed_cb (GadgetComposer *self)
{
  _gadget_composer_update_buttons (self);
  update_queue (self);
}

/* --- Overrides ---------------------------------------------------------------------------------
 */

static void
gadget_composer_finalize (GObject *object)
{
  g_free (GADGET_COMPOSER (object)->recalled_text);

  G_OBJECT_CLASS (gadget_composer_parent_class)->finalize (object);
}

static void
gadget_composer_dispose (GObject *object)
{
  GadgetComposer *self = GADGET_COMPOSER (object);

  if (self->text != NULL)
    _gadget_composer_close_draft (self);
  g_clear_handle_id (&self->draft_id, g_source_remove);
  _gadget_composer_drop_commands (self);
  _gadget_composer_drop_mentions (self);
#ifdef HAVE_SPELLING
  /* A thread may still hold a reference. */
  if (self->spelling != NULL)
    g_object_run_dispose (G_OBJECT (self->spelling));
  g_clear_object (&self->spelling);
#endif
  g_clear_object (&self->receipt);
  g_clear_pointer (&self->saved_draft_text, g_free);
  g_clear_pointer (&self->saved_draft_attachments, g_ptr_array_unref);
  g_clear_pointer (&self->edited_text, g_free);
  g_clear_pointer (&self->edited_attachments, g_ptr_array_unref);
  _gadget_composer_forget_place (self);
  g_clear_object (&self->control);
  g_clear_object (&self->engine);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_COMPOSER);

  G_OBJECT_CLASS (gadget_composer_parent_class)->dispose (object);
}

/* The text gets at most a third of the window's height, the queue at most a fifth. */
static void
height_changed_cb (GadgetComposer *self, GParamSpec *pspec, GdkSurface *surface)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  double x;
  double shadow;
  int height;

  if (self->scroller == NULL || native == NULL)
    return;
  gtk_native_get_surface_transform (native, &x, &shadow);
  height = gdk_surface_get_height (surface) - 2 * (int) shadow;
  gtk_scrolled_window_set_max_content_height (self->scroller, MAX (height / 3, MIN_HEIGHT));
  gadget_queue_list_set_max_height (self->queue, MAX (height / 5, MIN_QUEUE_HEIGHT));
}

static void
gadget_composer_realize (GtkWidget *widget)
{
  GdkSurface *surface;

  GTK_WIDGET_CLASS (gadget_composer_parent_class)->realize (widget);
  surface = gtk_native_get_surface (gtk_widget_get_native (widget));
  g_signal_connect_object (surface, "notify::height", G_CALLBACK (height_changed_cb), widget,
                           G_CONNECT_SWAPPED);
  height_changed_cb (GADGET_COMPOSER (widget), NULL, surface);
}

static void
gadget_composer_unrealize (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_native_get_surface (gtk_widget_get_native (widget)),
                                        height_changed_cb, widget);

  GTK_WIDGET_CLASS (gadget_composer_parent_class)->unrealize (widget);
}

/* Saves the draft, also when the window is about to be closed. */
static void
gadget_composer_unmap (GtkWidget *widget)
{
  _gadget_composer_save_draft (GADGET_COMPOSER (widget));

  GTK_WIDGET_CLASS (gadget_composer_parent_class)->unmap (widget);
}

static void
gadget_composer_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, GADGET_COMPOSER (object)->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_narrow (GadgetComposer *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  gadget_queue_list_set_narrow (self->queue, narrow);
  _gadget_composer_update_button_label (self);
  _gadget_composer_update_queue_button_label (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
}

static void
gadget_composer_set_property (GObject *object, guint prop_id, const GValue *value,
                              GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      set_narrow (GADGET_COMPOSER (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-composer.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, card);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, attachments);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, picture_note);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, command_note);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, command_note_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, draft_note);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, draft_note_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, attach_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, scroller);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, text);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, placeholder);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, tools);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, queue_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, button_icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, button_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposer, queue);
}

static void
gadget_composer_class_init (GadgetComposerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = gadget_composer_dispose;
  object_class->finalize = gadget_composer_finalize;
  object_class->get_property = gadget_composer_get_property;
  object_class->set_property = gadget_composer_set_property;
  GTK_WIDGET_CLASS (klass)->unmap = gadget_composer_unmap;
  GTK_WIDGET_CLASS (klass)->realize = gadget_composer_realize;
  GTK_WIDGET_CLASS (klass)->unrealize = gadget_composer_unrealize;

  props[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  _gadget_composer_signals[GADGET_COMPOSER_SUBMIT] = g_signal_new (
      "submit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  _gadget_composer_signals[GADGET_COMPOSER_STEER] = g_signal_new (
      "steer", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  _gadget_composer_signals[GADGET_COMPOSER_STOP] =
      g_signal_new ("stop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  _gadget_composer_signals[GADGET_COMPOSER_SEND_QUEUED] = g_signal_new (
      "send-queued", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  _gadget_composer_signals[GADGET_COMPOSER_MODEL_CHOSEN] =
      g_signal_new ("model-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                    G_TYPE_STRING, G_TYPE_STRING);

  _gadget_composer_signals[GADGET_COMPOSER_MODE_CHOSEN] = g_signal_new (
      "mode-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  _gadget_composer_signals[GADGET_COMPOSER_TOAST] = g_signal_new (
      "toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, ADW_TYPE_TOAST);

  _gadget_composer_signals[GADGET_COMPOSER_SCROLL_PAGE] =
      g_signal_new ("scroll-page", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                    NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_INT);

  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "composer.steer", NULL, steer_action);
  _gadget_composer_install_commands (GTK_WIDGET_CLASS (klass));
  g_type_ensure (GADGET_TYPE_ATTACHMENT_LIST);
  g_type_ensure (GADGET_TYPE_COLUMN_LAYOUT);
  g_type_ensure (GADGET_TYPE_COMPOSER_TOOLS);
  g_type_ensure (GADGET_TYPE_IMMEDIATE_BUTTON);
  g_type_ensure (GADGET_TYPE_PICTURE_NOTE);
  g_type_ensure (GADGET_TYPE_QUEUE_LIST);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
add_controllers (GadgetComposer *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text), keys);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text), focus);
}

static void
follow_keyboard (GadgetComposer *self)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));

  if (seat != NULL && gdk_seat_get_keyboard (seat) != NULL)
    g_signal_connect_object (gdk_seat_get_keyboard (seat), "notify::direction",
                             G_CALLBACK (update_justification), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->text, "direction-changed", G_CALLBACK (update_justification),
                            self);
  update_justification (self);
}

static void
gadget_composer_init (GadgetComposer *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  gadget_long_words_watch (get_buffer (self));
#ifdef HAVE_SPELLING
  self->spelling = gadget_spelling_new (self->text);
#endif
  self->mention_offset = -1;
  add_controllers (self);
  _gadget_composer_init_button (self);
  _gadget_composer_init_draft (self);
  _gadget_composer_init_attach (self);
  g_signal_connect_swapped (get_buffer (self), "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (get_buffer (self), "notify::cursor-position",
                            G_CALLBACK (cursor_moved_cb), self);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed",
                           G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->text, "preedit-changed", G_CALLBACK (preedit_changed_cb), self);
  _gadget_composer_init_queue (self);
  g_signal_connect_swapped (self->tools, "model-chosen", G_CALLBACK (model_chosen_cb), self);
  g_signal_connect_swapped (self->tools, "mode-chosen", G_CALLBACK (mode_chosen_cb), self);
  gadget_composer_set_clock (self, gadget_clock_get_default ());
  follow_keyboard (self);
}

/* --- Public ------------------------------------------------------------------------------------
 */

/**
 * gadget_composer_set_clock:
 * @clock: the clock for the button; for tests, the default is the system's
 */
void
gadget_composer_set_clock (GadgetComposer *self, GadgetClock *clock)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self));

  g_clear_object (&self->control);
  self->control = gadget_stop_control_new (clock);
  g_signal_connect_object (self->control, "changed", G_CALLBACK (control_changed_cb), self,
                           G_CONNECT_SWAPPED);
  control_changed_cb (self);
}

GadgetStopControl *
gadget_composer_get_control (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), NULL);
  return self->control;
}

/**
 * gadget_composer_set_session:
 * @engine: (nullable): %NULL until it is open
 * @session: (nullable): the chat to write to
 *
 * Keeps the draft of the chat before, which comes back with that chat.
 */
void
gadget_composer_set_session (GadgetComposer *self, GadgetEngine *engine, GadgetSession *session)
{
  gboolean first;

  g_return_if_fail (GADGET_IS_COMPOSER (self));

  if (session == self->session)
    return;
  _gadget_composer_close_draft (self);
  _gadget_composer_forget_place (self);
  /* Text that was typed before there was a chat belongs to the first one. */
  first = self->session == NULL;
  if (g_set_object (&self->engine, engine) && engine != NULL)
    _gadget_composer_watch_drafts (self);
  g_set_object (&self->session, session);
  gadget_queue_list_set_session (self->queue, session);
  gadget_attachment_list_set_engine (self->attachments, engine);
  _gadget_composer_open_draft (self, first);
  gadget_composer_tools_set_session (self->tools, engine, session);
  gadget_picture_note_set_session (self->picture_note, engine, session);
  _gadget_composer_update_buttons (self);
}

/**
 * gadget_composer_dup_text:
 *
 * Returns: (transfer full): the text of the composer
 */
char *
gadget_composer_dup_text (GadgetComposer *self)
{
  GtkTextIter start;
  GtkTextIter end;

  g_return_val_if_fail (GADGET_IS_COMPOSER (self), NULL);

  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  return gtk_text_buffer_get_text (get_buffer (self), &start, &end, FALSE);
}

void
_gadget_composer_set_text (GadgetComposer *self, const char *text)
{
  GtkTextIter end;

  gtk_text_buffer_set_text (get_buffer (self), text, -1);
  gtk_text_buffer_get_end_iter (get_buffer (self), &end);
  gtk_text_buffer_place_cursor (get_buffer (self), &end);
}

gboolean
_gadget_composer_has_text (GadgetComposer *self)
{
  GtkTextIter iter;

  gtk_text_buffer_get_start_iter (get_buffer (self), &iter);
  while (!gtk_text_iter_is_end (&iter))
    {
      if (!g_unichar_isspace (gtk_text_iter_get_char (&iter)))
        return TRUE;
      gtk_text_iter_forward_char (&iter);
    }
  return FALSE;
}

/**
 * gadget_composer_is_empty:
 *
 * Returns: whether there is nothing to send: no attachment, and no text but white space
 */
gboolean
gadget_composer_is_empty (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), TRUE);
  return !gtk_widget_get_visible (GTK_WIDGET (self->attachments))
         && !_gadget_composer_has_text (self);
}

gboolean
gadget_composer_is_reading (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), FALSE);
  return gadget_attachment_list_is_reading (self->attachments);
}

/**
 * gadget_composer_dup_attachments:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetAttachment): the attachments that are
 * read; %NULL for none
 */
GPtrArray *
gadget_composer_dup_attachments (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), NULL);
  return gadget_attachment_list_dup (self->attachments);
}

void
gadget_composer_clear (GadgetComposer *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self));
  gtk_text_buffer_set_text (get_buffer (self), "", 0);
  gadget_attachment_list_clear (self->attachments);
  _gadget_composer_forget_place (self);
  _gadget_composer_save_draft (self);
}

void
gadget_composer_prepend (GadgetComposer *self, const char *text)
{
  GtkTextBuffer *buffer;
  GtkTextIter start;
  gboolean empty;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && text != NULL);

  buffer = get_buffer (self);
  empty = !_gadget_composer_has_text (self);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  if (!empty)
    gtk_text_buffer_insert (buffer, &start, "\n\n", -1);
  gtk_text_buffer_end_user_action (buffer);
  gtk_text_buffer_place_cursor (buffer, &start);
}

/**
 * gadget_composer_bring_back:
 * @attachments: (nullable) (element-type GadgetAttachment):
 *
 * Puts a message, which was sent or queued, before the draft. While an earlier message is edited,
 * the draft is what was put aside, and the edit stays as it is.
 */
void
gadget_composer_bring_back (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self) && text != NULL);

  _gadget_composer_gather_draft (self);
  if (!_gadget_composer_bring_back_aside (self, text, attachments))
    {
      if (*text != '\0')
        gadget_composer_prepend (self, text);
      gadget_attachment_list_add (self->attachments, attachments);
    }
  /* At once in all windows that show the chat, in one of which the user may go on writing. */
  _gadget_composer_gather_draft (self);
}

void
gadget_composer_focus (GadgetComposer *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
}

void
gadget_composer_open_models (GadgetComposer *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self));
  gadget_composer_tools_open_models (self->tools);
}
