/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inspector of a chat. All of it is updated when something changes, at most once a frame, and
 * once a second for the times; not while it is unmapped. */

#define G_LOG_DOMAIN "gadget-inspector"

#include "config.h"

#include "gadget-inspector.h"

#include "common/gadget-bidi.h"
#include "gadget-meter-row.h"
#include "gadget-operation-list.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

struct _GadgetInspector
{
  AdwBin parent_instance;

  GtkStack *stack;
  AdwPreferencesGroup *running;
  GadgetOperationList *operations;
  AdwPreferencesGroup *queue;
  GtkListBox *queue_list;
  AdwPreferencesGroup *used;
  GtkListBox *meters;
  GadgetMeterRow *time;
  GadgetMeterRow *steps;
  GadgetMeterRow *tokens;
  GadgetMeterRow *cost;

  GadgetAgent *agent;     /* (nullable) */
  GadgetSession *session; /* (nullable) */
  GadgetTurn *turn;       /* (nullable): the last turn of the session, whose signals are
                           * connected */
  GadgetReceipt *receipt; /* (nullable): its receipt; the turn may get another one */
  guint tick_id;
  guint second_id;
};

G_DEFINE_FINAL_TYPE (GadgetInspector, gadget_inspector, ADW_TYPE_BIN)

/* --- What is used ----------------------------------------------------------------------------- */

static char *
join (const char *spent, const char *allowed)
{
  if (allowed == NULL)
    return g_strdup (spent);
  /* Translators: how much of a limit is used: "3 of 50", "12 s of 10 min" */
  return g_strdup_printf (_ ("%s of %s"), spent, allowed);
}

static double
divide (gint64 spent, gint64 allowed)
{
  return allowed > 0 ? (double) spent / (double) allowed : -1;
}

static char *
dup_limit_of_time (guint ms)
{
  if (ms % 60000 != 0)
    return gadget_dup_duration (ms);
  /* Translators: a limit of whole minutes */
  return g_strdup_printf (_ ("%u min"), ms / 60000);
}

static void
show_time (GadgetInspector *self, gint64 spent, guint allowed)
{
  g_autofree char *text = gadget_dup_duration (spent);
  g_autofree char *limit = allowed > 0 ? dup_limit_of_time (allowed) : NULL;
  g_autofree char *value = join (text, limit);

  _gadget_meter_row_set (self->time, value, divide (spent, allowed));
}

static char *
dup_number (gint64 n)
{
  return g_strdup_printf ("%'" G_GINT64_FORMAT, n);
}

static void
show_amount (GadgetMeterRow *row, gint64 spent, gint64 allowed, gboolean estimated)
{
  g_autofree char *number = dup_number (spent);
  /* Translators: a number that is estimated */
  g_autofree char *text = g_strdup_printf (estimated ? _ ("about %s") : "%s", number);
  g_autofree char *limit = allowed > 0 ? dup_number (allowed) : NULL;
  g_autofree char *value = join (text, limit);

  _gadget_meter_row_set (row, value, divide (spent, allowed));
}

/* As long as no cost is known, the limit does not count. */
static void
show_cost (GadgetInspector *self, const GadgetUsage *usage, gint64 spent, gint64 allowed)
{
  const gboolean known = spent > 0 || (usage->known & GADGET_USAGE_COST) != 0;
  g_autofree char *sum = gadget_cost_dup_text (spent);
  g_autofree char *text = known ? g_strdup_printf (usage->estimated ? _ ("about %s") : "%s", sum)
                                : g_strdup (_ ("unknown"));
  g_autofree char *limit = allowed > 0 ? gadget_cost_dup_text (allowed) : NULL;
  g_autofree char *value = join (text, limit);

  _gadget_meter_row_set (self->cost, value, divide (spent, allowed));
  gtk_widget_set_visible (GTK_WIDGET (self->cost), known || allowed > 0);
}

/* Returns the number of steps of a turn: each item has the number of its step. */
static guint
count_steps (GadgetTurn *turn)
{
  guint n = gadget_turn_get_n_items (turn);

  return n > 0 ? gadget_item_get_step (gadget_turn_get_item (turn, n - 1)) + 1 : 0;
}

/* Tells whether the last turn goes on, here or in another process. */
static gboolean
is_working (GadgetInspector *self)
{
  return self->turn != NULL && gadget_session_is_working (self->session)
         && gadget_turn_get_status (self->turn) == GADGET_TURN_PROCESSING;
}

static void
show_used (GadgetInspector *self)
{
  const gboolean working = is_working (self);
  const GadgetUsage *usage = gadget_turn_get_usage (self->turn);
  GadgetLimits spent = { 0 };
  GadgetLimits allowed = { 0 };

  /* The limits of a turn of another process are not known here. */
  if (!gadget_agent_get_spending (self->agent, self->session, &spent, &allowed))
    {
      gint64 ended =
          working ? gadget_turn_get_now (self->turn) : gadget_turn_get_ended_at (self->turn);
      gint64 started = gadget_turn_get_started_at (self->turn);

      spent.time_ms = ended > started ? (guint) (ended - started) : 0;
      spent.steps = count_steps (self->turn);
      spent.tokens = usage->input_tokens + usage->output_tokens;
      spent.cost = usage->cost;
    }
  adw_preferences_group_set_title (self->used, working ? _ ("Used So Far") : _ ("Last Reply"));
  show_time (self, spent.time_ms, allowed.time_ms);
  show_amount (self->steps, spent.steps, allowed.steps, FALSE);
  show_amount (self->tokens, spent.tokens, allowed.tokens, usage->estimated);
  show_cost (self, usage, spent.cost, allowed.cost);
  /* Before the provider has told the tokens they are unknown, and not zero. */
  gtk_widget_set_visible (GTK_WIDGET (self->tokens), spent.tokens > 0 || allowed.tokens > 0);
}

/* --- What waits ------------------------------------------------------------------------------- */

static GtkWidget *
make_queued (gpointer item, gpointer user_data)
{
  GadgetQueuedMessage *message = item;
  g_autofree char *text = gadget_bidi_escape (gadget_queued_message_get_text (message));
  GtkWidget *row = gadget_ui_row_new (
      *text != '\0' ? text : _ ("Attachments"),
      gadget_queued_message_get_steering (message) ? _ ("Goes into this reply") : NULL);

  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  return row;
}

/* --- Everything ------------------------------------------------------------------------------- */

static gboolean second_cb (gpointer user_data); /* declared here because update () starts it */

static void
update (GadgetInspector *self)
{
  const gboolean working = is_working (self);
  const gboolean running = working && gadget_session_get_active_run (self->session) != NULL;
  const gboolean waiting =
      self->session != NULL
      && g_list_model_get_n_items (gadget_session_get_queue (self->session)) > 0;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  _gadget_operation_list_show (self->operations,
                               running ? gadget_turn_get_receipt (self->turn) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->running), running);
  gtk_widget_set_visible (GTK_WIDGET (self->queue), waiting);
  if (self->turn != NULL)
    show_used (self);
  gtk_stack_set_visible_child_name (self->stack, self->turn != NULL || waiting ? "work" : "idle");

  if (working && self->second_id == 0)
    {
      self->second_id = g_timeout_add_seconds (1, second_cb, self);
      g_source_set_name_by_id (self->second_id, "[gadget] times in the inspector");
    }
  if (!working)
    g_clear_handle_id (&self->second_id, g_source_remove);
}

static gboolean
second_cb (gpointer user_data)
{
  GadgetInspector *self = user_data;

  if (is_working (self) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      update (self);
      return G_SOURCE_CONTINUE;
    }
  self->second_id = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GADGET_INSPECTOR (widget)->tick_id = 0;
  update (GADGET_INSPECTOR (widget));
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GadgetInspector *self)
{
  if (self->tick_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
forget_turn (GadgetInspector *self)
{
  if (self->turn == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->turn, self);
  g_signal_handlers_disconnect_by_data (self->receipt, self);
  g_clear_object (&self->receipt);
  g_clear_object (&self->turn);
}

static void
follow_turn (GadgetInspector *self)
{
  GadgetTurn *turn = self->session != NULL ? gadget_session_get_last_turn (self->session) : NULL;

  if (turn != self->turn)
    forget_turn (self);
  if (turn != NULL && self->turn == NULL)
    {
      self->turn = g_object_ref (turn);
      g_signal_connect_swapped (turn, "notify::phase", G_CALLBACK (changed_cb), self);
      g_signal_connect_swapped (turn, "notify::status", G_CALLBACK (changed_cb), self);
      self->receipt = g_object_ref (gadget_turn_get_receipt (turn));
      g_signal_connect_object (self->receipt, "changed", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  changed_cb (self);
}

static void
forget_session (GadgetInspector *self)
{
  forget_turn (self);
  gtk_list_box_bind_model (self->queue_list, NULL, NULL, NULL, NULL);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (gadget_session_get_queue (self->session), self);
    }
  g_clear_object (&self->session);
}

/* --- Size ---------------------------------------------------------------------------------------
 *
 * When the window becomes narrow, a split view lays out its pane once more in the width that is
 * left beside the chat, and only then collapses. The pane is cut off then, instead of requiring its
 * minimum width. */

static void
gadget_inspector_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = adw_bin_get_child (ADW_BIN (widget));

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    for_size = MAX (for_size, gadget_ui_get_minimum_width (child));
  gtk_widget_measure (child, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
}

static void
gadget_inspector_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *child = adw_bin_get_child (ADW_BIN (widget));

  gtk_widget_allocate (child, MAX (width, gadget_ui_get_minimum_width (child)), height, baseline,
                       NULL);
}

static void
gadget_inspector_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_inspector_parent_class)->map (widget);
  update (GADGET_INSPECTOR (widget));
}

static void
gadget_inspector_unmap (GtkWidget *widget)
{
  GadgetInspector *self = GADGET_INSPECTOR (widget);

  g_clear_handle_id (&self->second_id, g_source_remove);
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (widget, self->tick_id);
  self->tick_id = 0;
  GTK_WIDGET_CLASS (gadget_inspector_parent_class)->unmap (widget);
}

static void
gadget_inspector_dispose (GObject *object)
{
  GadgetInspector *self = GADGET_INSPECTOR (object);

  if (self->queue_list != NULL)
    forget_session (self);
  g_clear_object (&self->agent);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_INSPECTOR);

  G_OBJECT_CLASS (gadget_inspector_parent_class)->dispose (object);
}

static void
gadget_inspector_class_init (GadgetInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_inspector_dispose;
  widget_class->measure = gadget_inspector_measure;
  widget_class->size_allocate = gadget_inspector_size_allocate;
  widget_class->map = gadget_inspector_map;
  widget_class->unmap = gadget_inspector_unmap;

  /* The role of a bin allows no name. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  g_type_ensure (GADGET_TYPE_OPERATION_LIST);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/inspector/gadget-inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, running);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, operations);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, queue);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, queue_list);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, used);
  gtk_widget_class_bind_template_child (widget_class, GadgetInspector, meters);
}

static GadgetMeterRow *
add_meter (GadgetInspector *self, const char *name)
{
  GtkWidget *row = _gadget_meter_row_new (name);

  gtk_list_box_append (self->meters, row);
  return GADGET_METER_ROW (row);
}

static void
gadget_inspector_init (GadgetInspector *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->time = add_meter (self, _ ("Time"));
  self->steps = add_meter (self, _ ("Steps"));
  self->tokens = add_meter (self, _ ("Tokens"));
  self->cost = add_meter (self, _ ("Money"));
}

/**
 * gadget_inspector_set_session:
 * @session: (nullable): the chat that is shown
 */
void
gadget_inspector_set_session (GadgetInspector *self, GadgetAgent *agent, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_INSPECTOR (self) && GADGET_IS_AGENT (agent));
  g_return_if_fail (session == NULL || GADGET_IS_SESSION (session));

  g_set_object (&self->agent, agent);
  if (session == self->session)
    return;
  forget_session (self);
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      GListModel *queue = gadget_session_get_queue (session);

      g_signal_connect_swapped (session, "items-changed", G_CALLBACK (follow_turn), self);
      g_signal_connect_swapped (session, "notify::active-run", G_CALLBACK (changed_cb), self);
      g_signal_connect_swapped (session, "notify::remote-run", G_CALLBACK (changed_cb), self);
      g_signal_connect_swapped (queue, "items-changed", G_CALLBACK (changed_cb), self);
      gtk_list_box_bind_model (self->queue_list, queue, make_queued, NULL, NULL);
    }
  follow_turn (self);
}
