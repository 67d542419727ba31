/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget itself: properties, the session, and the update that runs once a frame. The other
 * parts are gadget-transcript-layout.c (where the rows are, and how scrolling is designed),
 * -selecting.c (what the folder "selection" needs to select text), -find.c (what is found in the
 * text), -menu.c, -keys.c, -footers.c (the actions offered at the end of turns) and -position.c
 * (where a chat was left).
 *
 * Every change of the model or of the scroll position requests one update in the next frame; a
 * growing text may be delayed by some frames (gadget-frame-throttle.h). The update applies the
 * changes that the model has gathered, places the rows, and lets GTK allocate them. Nothing is done
 * while the transcript is not mapped. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-font-warming.h"
#include "gadget-transcript-private.h"

#include <glib/gi18n.h>

enum
{
  PROP_0,
  PROP_SESSION,
  PROP_FOLLOWING,
  PROP_HAS_NEW,
  PROP_ASK_HIDDEN,
  PROP_END_HIDDEN,
  N_PROPS,
  PROP_HADJUSTMENT = N_PROPS,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY
};

enum
{
  LOAD_CHILD,
  ANSWER_LEFT,
  FOUND,
  FOUND_WRAPPED,
  VIEW_CHANGED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (
    GadgetTranscript, gadget_transcript, GTK_TYPE_WIDGET,
    G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL)
        G_IMPLEMENT_INTERFACE (GADGET_TYPE_ROW_HOST, _gadget_transcript_row_host_init)
            G_IMPLEMENT_INTERFACE (GADGET_TYPE_SELECTION_HOST,
                                   _gadget_transcript_selection_host_init))

/* --- The frame --- */

static gboolean
update_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  g_clear_handle_id (&self->throttle_id, g_source_remove);
  gadget_frame_throttle_begin (&self->throttle, g_get_monotonic_time ());
  if (self->model != NULL)
    gadget_transcript_model_flush (self->model);
  /* The rows that the flush changed are placed now. The tick id is cleared first, so that changes
   * caused by placing them can request the next frame. */
  self->tick_id = 0;
  _gadget_transcript_place (self);
  _gadget_transcript_find_update (self);
  if (self->unfolded && !self->end_hidden)
    _gadget_transcript_set_following (self, TRUE);
  self->unfolded = FALSE;
  _gadget_transcript_update_footers (self);
  gtk_widget_queue_allocate (widget);
  return G_SOURCE_REMOVE;
}

void
_gadget_transcript_queue_update (GadgetTranscript *self)
{
  if (self->tick_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), update_cb, NULL, NULL);
}

static void
painted_cb (GadgetTranscript *self)
{
  gadget_frame_throttle_end (&self->throttle, g_get_monotonic_time ());
}

static void
gadget_transcript_map (GtkWidget *widget)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  GTK_WIDGET_CLASS (gadget_transcript_parent_class)->map (widget);
  self->painted_id = g_signal_connect_swapped (gtk_widget_get_frame_clock (widget), "after-paint",
                                               G_CALLBACK (painted_cb), self);
  _gadget_transcript_watch_focus (GADGET_TRANSCRIPT (widget));
  _gadget_transcript_queue_update (GADGET_TRANSCRIPT (widget));
  gadget_font_warming_start (widget);
}

static void
gadget_transcript_unmap (GtkWidget *widget)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (widget, self->tick_id);
  self->tick_id = 0;
  g_clear_handle_id (&self->throttle_id, g_source_remove);
  g_clear_signal_handler (&self->painted_id, gtk_widget_get_frame_clock (widget));
  gadget_transcript_selection_end (self->selection);
  _gadget_transcript_unwatch_focus (self);
  GTK_WIDGET_CLASS (gadget_transcript_parent_class)->unmap (widget);
}

/* The focus enters the transcript at a row, not at the first button in it. */
static gboolean
gadget_transcript_focus (GtkWidget *widget, GtkDirectionType direction)
{
  if (gtk_widget_get_focus_child (widget) == NULL
      && !(gtk_widget_is_focus (widget) && direction == GTK_DIR_TAB_BACKWARD)
      && _gadget_transcript_enter (GADGET_TRANSCRIPT (widget)))
    return TRUE;
  return GTK_WIDGET_CLASS (gadget_transcript_parent_class)->focus (widget, direction);
}

static void
gadget_transcript_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = 0;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 720 : 480;
}

static void
gadget_transcript_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  _gadget_transcript_layout (self, width, height);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
gadget_transcript_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);

  if (self->model != NULL)
    _gadget_transcript_snapshot_guides (self, snapshot);
  GTK_WIDGET_CLASS (gadget_transcript_parent_class)->snapshot (widget, snapshot);
  gadget_transcript_selection_snapshot_caret (self->selection, snapshot);
}

/* --- The model --- */

static void
rows_changed_cb (GListModel *model, guint position, guint removed, guint added,
                 GadgetTranscript *self)
{
  _gadget_transcript_rows_spliced (self, position, removed, added);
  _gadget_transcript_announce_asks (self, position, added);
}

static void
row_changed_cb (GadgetTranscriptModel *model, guint position, GadgetTranscript *self)
{
  _gadget_transcript_row_changed (self, position);
}

static gboolean
throttle_cb (gpointer data)
{
  GadgetTranscript *self = data;

  self->throttle_id = 0;
  _gadget_transcript_queue_update (self);
  return G_SOURCE_REMOVE;
}

/* New text may be delayed by the frame throttle; every other change is shown in the next frame. */
static void
dirty_cb (GadgetTranscriptModel *model, gboolean urgent, GadgetTranscript *self)
{
  const gint64 delay =
      urgent ? 0 : gadget_frame_throttle_get_delay (&self->throttle, g_get_monotonic_time ());

  if (delay == 0)
    _gadget_transcript_queue_update (self);
  else if (self->throttle_id == 0 && self->tick_id == 0)
    {
      self->throttle_id = g_timeout_add ((guint) (delay / 1000), throttle_cb, self);
      g_source_set_name_by_id (self->throttle_id, "gadget-transcript throttle");
    }
}

static void
load_child_cb (GadgetTranscriptModel *model, GadgetSession *child, GadgetTranscript *self)
{
  g_signal_emit (self, signals[LOAD_CHILD], 0, child);
}

static void
drop_model (GadgetTranscript *self)
{
  if (self->model == NULL)
    return;
  _gadget_transcript_save_position (self);
  self->pointed_at = NULL;
  _gadget_transcript_find_end (self);
  gadget_transcript_selection_end (self->selection);
  gadget_transcript_unselect (self);
  _gadget_transcript_clear_rows (self);
  gadget_heights_splice (self->heights, 0, gadget_heights_get_n (self->heights), 0);
  g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
}

/* --- Scrollable --- */

static void
set_adjustment (GadgetTranscript *self, GtkAdjustment **field, GtkAdjustment *adjustment,
                const char *property)
{
  if (adjustment != NULL && *field == adjustment)
    return;
  if (*field != NULL)
    g_signal_handlers_disconnect_by_data (*field, self);
  if (adjustment == NULL)
    adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  g_object_ref_sink (adjustment);
  g_clear_object (field);
  *field = adjustment;
  if (field == &self->vadjustment)
    {
      self->last_value = gtk_adjustment_get_value (adjustment);
      g_signal_connect_swapped (adjustment, "value-changed",
                                G_CALLBACK (_gadget_transcript_value_changed), self);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), property);
}

/* --- Object --- */

static void
gadget_transcript_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (object);

  switch (prop_id)
    {
    case PROP_SESSION:
      g_value_set_object (value, gadget_transcript_get_session (self));
      break;
    case PROP_FOLLOWING:
      g_value_set_boolean (value, self->following);
      break;
    case PROP_HAS_NEW:
      g_value_set_boolean (value, self->has_new);
      break;
    case PROP_ASK_HIDDEN:
      g_value_set_boolean (value, self->ask_hidden);
      break;
    case PROP_END_HIDDEN:
      g_value_set_boolean (value, self->end_hidden);
      break;
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[0]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[1]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_transcript_set_property (GObject *object, guint prop_id, const GValue *value,
                                GParamSpec *pspec)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (object);

  switch (prop_id)
    {
    case PROP_SESSION:
      gadget_transcript_set_session (self, g_value_get_object (value));
      break;
    case PROP_HADJUSTMENT:
      set_adjustment (self, &self->hadjustment, g_value_get_object (value), "hadjustment");
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, &self->vadjustment, g_value_get_object (value), "vadjustment");
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[0] = (guint) g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[1] = (guint) g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_transcript_dispose (GObject *object)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (object);

  gadget_transcript_selection_end (self->selection);
  g_clear_handle_id (&self->scroll_end_id, g_source_remove);
  g_clear_handle_id (&self->throttle_id, g_source_remove);
  g_clear_weak_pointer (&self->ask_origin);
  drop_model (self);
  gadget_transcript_selection_clear_primary (self->selection);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  if (self->vadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->vadjustment, self);
  g_clear_object (&self->vadjustment);
  g_clear_object (&self->hadjustment);
  g_clear_object (&self->providers);
  g_clear_object (&self->cache);
  g_clear_object (&self->pictures);
  g_clear_object (&self->remote_pictures);

  G_OBJECT_CLASS (gadget_transcript_parent_class)->dispose (object);
}

static void
gadget_transcript_finalize (GObject *object)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (object);

  gadget_transcript_selection_free (self->selection);
  gadget_heights_free (self->heights);
  g_array_unref (self->realized_rows);

  G_OBJECT_CLASS (gadget_transcript_parent_class)->finalize (object);
}

static void
gadget_transcript_class_init (GadgetTranscriptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = gadget_transcript_dispose;
  object_class->finalize = gadget_transcript_finalize;
  object_class->get_property = gadget_transcript_get_property;
  object_class->set_property = gadget_transcript_set_property;
  widget_class->focus = gadget_transcript_focus;
  widget_class->map = gadget_transcript_map;
  widget_class->unmap = gadget_transcript_unmap;
  widget_class->measure = gadget_transcript_measure;
  widget_class->size_allocate = gadget_transcript_size_allocate;
  widget_class->snapshot = gadget_transcript_snapshot;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, GADGET_TYPE_SESSION, G_PARAM_READWRITE | flags);
  props[PROP_FOLLOWING] =
      g_param_spec_boolean ("following", NULL, NULL, TRUE, G_PARAM_READABLE | flags);
  props[PROP_HAS_NEW] =
      g_param_spec_boolean ("has-new", NULL, NULL, FALSE, G_PARAM_READABLE | flags);
  props[PROP_ASK_HIDDEN] =
      g_param_spec_boolean ("ask-hidden", NULL, NULL, FALSE, G_PARAM_READABLE | flags);
  props[PROP_END_HIDDEN] =
      g_param_spec_boolean ("end-hidden", NULL, NULL, FALSE, G_PARAM_READABLE | flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /**
   * GadgetTranscript::load-child:
   * @child: the chat of a subagent that is to be shown; the handler loads its turns from the store
   */
  signals[LOAD_CHILD] = g_signal_new ("load-child", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  /**
   * GadgetTranscript::answer-left:
   * @session: the chat of the question, which may not be shown any more
   * @text: what the user had typed into the ask card, which was closed without that answer
   */
  signals[ANSWER_LEFT] =
      g_signal_new ("answer-left", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, GADGET_TYPE_SESSION, G_TYPE_STRING);

  /**
   * GadgetTranscript::found:
   *
   * The numbers of what is found are other ones.
   */
  signals[FOUND] = g_signal_new ("found", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GadgetTranscript::found-wrapped:
   * @forward: whether the first match follows the last one, and not the other way round
   */
  signals[FOUND_WRAPPED] =
      g_signal_new ("found-wrapped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);

  /**
   * GadgetTranscript::view-changed:
   *
   * The user scrolled, or folded or unfolded something.
   */
  signals[VIEW_CHANGED] = g_signal_new ("view-changed", G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  _gadget_transcript_keys_class_init (widget_class);
  _gadget_transcript_selecting_class_init (widget_class);
  _gadget_transcript_menu_class_init (widget_class);
  _gadget_transcript_files_class_init (widget_class);
  gtk_widget_class_set_css_name (widget_class, "transcript");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
gadget_transcript_init (GadgetTranscript *self)
{
  self->heights = gadget_heights_new ();
  self->realized_rows = g_array_new (FALSE, FALSE, sizeof (GadgetRealizedRow));
  self->following = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  /* Translators: what screen readers call the list of messages */
                                  _ ("Conversation"), -1);
  self->selection = gadget_transcript_selection_new (GADGET_SELECTION_HOST (self));
  _gadget_transcript_menu_init (self);
  _gadget_transcript_footers_init (self);
}

static void
set_flag (GadgetTranscript *self, gboolean *flag, gboolean value, GParamSpec *property)
{
  if (*flag == value)
    return;
  *flag = value;
  g_object_notify_by_pspec (G_OBJECT (self), property);
}

void
_gadget_transcript_set_following (GadgetTranscript *self, gboolean following)
{
  if (following)
    _gadget_transcript_set_has_new (self, FALSE);
  set_flag (self, &self->following, following, props[PROP_FOLLOWING]);
}

void
_gadget_transcript_set_has_new (GadgetTranscript *self, gboolean has_new)
{
  set_flag (self, &self->has_new, has_new, props[PROP_HAS_NEW]);
}

void
_gadget_transcript_set_ask_hidden (GadgetTranscript *self, gboolean hidden)
{
  set_flag (self, &self->ask_hidden, hidden, props[PROP_ASK_HIDDEN]);
}

void
_gadget_transcript_set_end_hidden (GadgetTranscript *self, gboolean hidden)
{
  set_flag (self, &self->end_hidden, hidden, props[PROP_END_HIDDEN]);
}

void
_gadget_transcript_emit_answer_left (GadgetTranscript *self, GadgetSession *session,
                                     const char *text)
{
  g_signal_emit (self, signals[ANSWER_LEFT], 0, session, text);
}

void
_gadget_transcript_emit_found (GadgetTranscript *self)
{
  g_signal_emit (self, signals[FOUND], 0);
}

void
_gadget_transcript_emit_found_wrapped (GadgetTranscript *self, gboolean forward)
{
  g_signal_emit (self, signals[FOUND_WRAPPED], 0, forward);
}

void
_gadget_transcript_emit_view_changed (GadgetTranscript *self)
{
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

/* gadget_transcript_new: returns a transcript that shows no chat. (transfer floating) */
GtkWidget *
gadget_transcript_new (void)
{
  return g_object_new (GADGET_TYPE_TRANSCRIPT, NULL);
}

/**
 * gadget_transcript_set_session:
 * @session: (nullable): the chat to show, from where it was left, or else from its end
 */
void
gadget_transcript_set_session (GadgetTranscript *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (gadget_transcript_get_session (self) == session)
    return;
  drop_model (self);
  if (session != NULL)
    {
      self->model = gadget_transcript_model_new (session);
      gadget_transcript_model_set_providers (self->model, self->providers);
      gadget_transcript_model_set_change_cache (self->model, self->cache);
      g_signal_connect (self->model, "items-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect (self->model, "row-changed", G_CALLBACK (row_changed_cb), self);
      g_signal_connect (self->model, "dirty", G_CALLBACK (dirty_cb), self);
      g_signal_connect (self->model, "load-child", G_CALLBACK (load_child_cb), self);
      gadget_transcript_follow (self);
      _gadget_transcript_rows_spliced (self, 0, 0,
                                       gadget_transcript_model_get_n_rows (self->model));
      _gadget_transcript_announce_asks (self, 0, gadget_transcript_model_get_n_rows (self->model));
      _gadget_transcript_restore_position (self);
      gadget_transcript_model_load_children (self->model);
    }
  _gadget_transcript_queue_update (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SESSION]);
}

/* gadget_transcript_get_session: returns the chat that is shown. (transfer none) (nullable) */
GadgetSession *
gadget_transcript_get_session (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);
  return self->model != NULL ? gadget_transcript_model_get_session (self->model) : NULL;
}

gboolean
gadget_transcript_get_ask_hidden (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), FALSE);
  return self->ask_hidden;
}

void
gadget_transcript_follow (GadgetTranscript *self)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));
  _gadget_transcript_set_following (self, TRUE);
  _gadget_transcript_queue_update (self);
}

gboolean
gadget_transcript_get_following (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), FALSE);
  return self->following;
}

gboolean
gadget_transcript_get_has_new (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), FALSE);
  return self->has_new;
}

gboolean
gadget_transcript_get_end_hidden (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), FALSE);
  return self->end_hidden;
}
