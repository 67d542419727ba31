/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the list of chats. It follows its session, the turn that runs, and the chat that it is a
 * branch of, and updates the title, the subtitle, the mark at the end and the accessible
 * description. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-chat-row.h"

#include "common/gadget-clock.h"
#include "common/gadget-day-watch.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-motion.h"

#include <glib/gi18n.h>

/* The mark at the end of the row. */
typedef enum
{
  MARK_NONE,
  MARK_UNREAD,
  MARK_RUNNING,
  MARK_WAITING,
  MARK_ABORTED,
  MARK_FAILED,
} Mark;

struct _GadgetChatRow
{
  AdwBin parent_instance;

  GtkCheckButton *check;
  GtkLabel *title;
  GtkImage *subtitle_icon;
  GtkLabel *subtitle;
  AdwBin *slot;

  GadgetSession *session;
  GadgetTurn *turn;      /* (nullable): the turn that runs */
  GadgetSession *origin; /* (nullable): the chat that this one is a branch of */
  char *description;
  Mark mark;
  gboolean moves; /* the mark is a spinner, and not its still image */
  guint rest_id;  /* timeout after which the spinner is replaced by its still image */
};

enum
{
  PROP_0,
  PROP_DESCRIPTION,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetChatRow, gadget_chat_row, ADW_TYPE_BIN)

static Mark
read_mark (GadgetChatRow *self)
{
  if (gadget_session_is_working (self->session))
    return self->turn != NULL && gadget_turn_get_phase (self->turn) == GADGET_PHASE_ASKING
               ? MARK_WAITING
               : MARK_RUNNING;
  switch (gadget_session_get_last_status (self->session))
    {
    case GADGET_TURN_ABORTED:
      return MARK_ABORTED;
    case GADGET_TURN_ERROR:
      return MARK_FAILED;
    case GADGET_TURN_PROCESSING:
    case GADGET_TURN_FINISHED:
    default:
      return gadget_session_get_unread (self->session) ? MARK_UNREAD : MARK_NONE;
    }
}

static gboolean
is_interrupted (GadgetChatRow *self)
{
  return self->mark == MARK_ABORTED
         && gadget_session_get_last_stop_reason (self->session) == GADGET_STOP_INTERRUPTED;
}

static const char *
get_mark_label (Mark mark)
{
  switch (mark)
    {
    case MARK_RUNNING:
      return _ ("running");
    case MARK_WAITING:
      return _ ("waiting for you");
    case MARK_ABORTED:
      return _ ("aborted");
    case MARK_FAILED:
      return _ ("failed");
    case MARK_NONE:
    case MARK_UNREAD:
    default:
      return NULL;
    }
}

static GtkWidget *
make_mark (Mark mark, gboolean moves)
{
  static const struct
  {
    const char *icon;
    const char *style;
  } marks[] = {
    [MARK_WAITING] = { "dialog-question-symbolic", "accent" },
    [MARK_ABORTED] = { "dialog-warning-symbolic", "warning" },
    [MARK_FAILED] = { "dialog-error-symbolic", "error" },
  };
  GtkWidget *image;

  if (mark == MARK_NONE)
    return NULL;
  if (mark == MARK_UNREAD)
    {
      GtkWidget *dot = adw_bin_new ();

      gtk_widget_add_css_class (dot, "unread-dot");
      gtk_widget_set_halign (dot, GTK_ALIGN_CENTER);
      return dot;
    }
  if (mark == MARK_RUNNING)
    return moves ? adw_spinner_new () : gtk_image_new_from_icon_name ("content-loading-symbolic");
  image = gtk_image_new_from_icon_name (marks[mark].icon);
  gtk_widget_add_css_class (image, marks[mark].style);
  return image;
}

static void update_mark (GadgetChatRow *self); /* also called by rest_cb () */

static void
rest_cb (gpointer user_data)
{
  GadgetChatRow *self = user_data;

  self->rest_id = 0;
  update_mark (self);
}

static void
update_mark (GadgetChatRow *self)
{
  const Mark mark = read_mark (self);
  const guint left_ms =
      mark == MARK_RUNNING && self->turn != NULL ? gadget_motion_get_left_ms (self->turn) : 0;

  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (left_ms > 0)
    {
      self->rest_id = g_timeout_add_once (left_ms, rest_cb, self);
      g_source_set_name_by_id (self->rest_id, "[gadget] a spinner comes to rest");
    }
  if (mark == self->mark && (left_ms > 0) == self->moves)
    return;
  self->mark = mark;
  self->moves = left_ms > 0;
  adw_bin_set_child (self->slot, make_mark (mark, self->moves));
  gtk_widget_set_visible (GTK_WIDGET (self->slot), mark != MARK_NONE);
}

/* Returns what the subtitle says of the state of the chat instead of the time. (nullable) */
static const char *
get_state (GadgetChatRow *self)
{
  switch (self->mark)
    {
    case MARK_WAITING:
    case MARK_FAILED:
      return get_mark_label (self->mark);
    case MARK_RUNNING:
      return self->turn != NULL && gadget_turn_get_model (self->turn) != NULL
                 ? gadget_turn_get_model (self->turn)
                 : get_mark_label (self->mark);
    case MARK_ABORTED:
      return is_interrupted (self) ? _ ("interrupted") : NULL;
    case MARK_NONE:
    case MARK_UNREAD:
    default:
      return NULL;
    }
}

/* Returns what a screen reader has to say besides the subtitle. (nullable) */
static const char *
get_silent_state (GadgetChatRow *self)
{
  const char *state = get_state (self);

  /* A model that works. */
  if (self->mark == MARK_RUNNING)
    return g_strcmp0 (state, get_mark_label (MARK_RUNNING)) != 0 ? get_mark_label (MARK_RUNNING)
                                                                 : NULL;
  return state == NULL ? get_mark_label (self->mark) : NULL;
}

static char *
make_branch_subtitle (GadgetChatRow *self)
{
  if (self->origin == NULL || gadget_session_get_deletion (self->origin) != GADGET_DELETION_NONE)
    return g_strdup (_ ("Branch of a deleted chat"));
  /* Translators: the title of another chat */
  return g_strdup_printf (_ ("Branch of %s"), gadget_labels_title (self->origin));
}

static char *
make_subtitle (GadgetChatRow *self)
{
  const char *state = get_state (self);
  g_autofree char *workspace =
      gadget_labels_workspace (gadget_session_get_workspace (self->session));
  g_autofree char *when = NULL;

  if (gadget_session_get_incognito (self->session))
    return g_strdup (state != NULL ? state : _ ("Gone when you close it"));
  if (gadget_session_get_loaded (self->session) && gadget_session_get_n_turns (self->session) == 0)
    return g_steal_pointer (&workspace);
  if (state == NULL)
    when = gadget_labels_moment (gadget_session_get_updated_at (self->session),
                                 gadget_clock_wall_ms ());
  /* Translators: below the title of a chat: its folder, and a model, "running" or a time */
  return g_strdup_printf (_ ("%s · %s"), workspace, state != NULL ? state : when);
}

static void
describe (GadgetChatRow *self)
{
  g_autoptr (GString) text = g_string_new (gadget_labels_title (self->session));
  const char *const parts[] = {
    gtk_label_get_label (self->subtitle),
    get_silent_state (self),
    gadget_session_get_unread (self->session) ? _ ("unread") : NULL,
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      {
        /* Translators: separates what a screen reader says of a chat: its title, what is below it,
         * and its state */
        g_string_append (text, _ (", "));
        g_string_append (text, parts[i]);
      }
  g_free (self->description);
  self->description = g_string_free_and_steal (g_steal_pointer (&text));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DESCRIPTION]);
}

static void
update (GadgetChatRow *self)
{
  g_autofree char *subtitle = NULL;
  gboolean branch;

  update_mark (self);
  branch = gadget_session_get_origin_id (self->session) != NULL && get_state (self) == NULL;
  subtitle = branch ? make_branch_subtitle (self) : make_subtitle (self);
  gtk_label_set_label (self->title, gadget_labels_title (self->session));
  if (gadget_session_get_unread (self->session))
    gtk_widget_add_css_class (GTK_WIDGET (self->title), "unread");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->title), "unread");
  gtk_image_set_from_icon_name (self->subtitle_icon,
                                branch ? "gadget-branch-symbolic" : "gadget-incognito-symbolic");
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_icon),
                          branch || gadget_session_get_incognito (self->session));
  gtk_label_set_label (self->subtitle, subtitle);
  describe (self);
}

static void
set_origin (GadgetChatRow *self, GadgetSession *origin)
{
  /* The origin may be the chat of another row, but never of this one. */
  if (self->origin != NULL)
    g_signal_handlers_disconnect_by_data (self->origin, self);
  g_set_object (&self->origin, origin);
  if (origin == NULL)
    return;
  g_signal_connect_object (origin, "notify::title", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (origin, "notify::deletion", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
}

static void
set_turn (GadgetChatRow *self, GadgetTurn *turn)
{
  if (turn == self->turn)
    return;
  if (self->turn != NULL)
    g_signal_handlers_disconnect_by_data (self->turn, self);
  g_set_object (&self->turn, turn);
  if (turn != NULL)
    g_signal_connect_object (turn, "notify::phase", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
follow_run (GadgetChatRow *self)
{
  gboolean active = gadget_session_is_working (self->session);

  set_turn (self, active ? gadget_session_get_last_turn (self->session) : NULL);
  update (self);
}

static void
release (GadgetChatRow *self)
{
  g_clear_handle_id (&self->rest_id, g_source_remove);
  set_turn (self, NULL);
  set_origin (self, NULL);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (gadget_day_watch_get_default (), self);
    }
  g_clear_object (&self->session);
}

static void
gadget_chat_row_dispose (GObject *object)
{
  release (GADGET_CHAT_ROW (object));
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_CHAT_ROW);

  G_OBJECT_CLASS (gadget_chat_row_parent_class)->dispose (object);
}

static void
gadget_chat_row_finalize (GObject *object)
{
  g_free (GADGET_CHAT_ROW (object)->description);

  G_OBJECT_CLASS (gadget_chat_row_parent_class)->finalize (object);
}

static void
gadget_chat_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_DESCRIPTION:
      g_value_set_string (value, GADGET_CHAT_ROW (object)->description);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_chat_row_class_init (GadgetChatRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_chat_row_dispose;
  object_class->finalize = gadget_chat_row_finalize;
  object_class->get_property = gadget_chat_row_get_property;

  props[PROP_DESCRIPTION] =
      g_param_spec_string ("description", NULL, NULL, NULL,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/library/gadget-chat-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetChatRow, check);
  gtk_widget_class_bind_template_child (widget_class, GadgetChatRow, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetChatRow, subtitle_icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetChatRow, subtitle);
  gtk_widget_class_bind_template_child (widget_class, GadgetChatRow, slot);
}

static void
gadget_chat_row_init (GadgetChatRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_chat_row_new (void)
{
  return g_object_new (GADGET_TYPE_CHAT_ROW, NULL);
}

/**
 * gadget_chat_row_set_session:
 * @session: (nullable): the chat; %NULL for a row that is not in use
 * @engine: (nullable): knows the chat that @session is a branch of
 */
void
gadget_chat_row_set_session (GadgetChatRow *self, GadgetSession *session, GadgetEngine *engine)
{
  static const char *const names[] = { "notify::title",      "notify::workspace",
                                       "notify::updated-at", "notify::last-status",
                                       "notify::loaded",     "notify::unread" };

  g_return_if_fail (GADGET_IS_CHAT_ROW (self));

  release (self);
  if (session == NULL)
    return;
  self->session = g_object_ref (session);
  if (engine != NULL && gadget_session_get_origin_id (session) != NULL)
    set_origin (self, gadget_engine_find_session (engine, gadget_session_get_origin_id (session)));
  g_signal_connect_object (gadget_day_watch_get_default (), "changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::active-run", G_CALLBACK (follow_run), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::remote-run", G_CALLBACK (follow_run), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "items-changed", G_CALLBACK (follow_run), self,
                           G_CONNECT_SWAPPED);
  follow_run (self);
}

GadgetSession *
gadget_chat_row_get_session (GadgetChatRow *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_ROW (self), NULL);
  return self->session;
}

const char *
gadget_chat_row_get_description (GadgetChatRow *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_ROW (self), NULL);
  return self->description;
}

/**
 * gadget_chat_row_set_depth:
 * @depth: how many folders the chat is in, as the list shows it
 */
void
gadget_chat_row_set_depth (GadgetChatRow *self, guint depth)
{
  g_return_if_fail (GADGET_IS_CHAT_ROW (self));
  gtk_widget_set_margin_start (adw_bin_get_child (ADW_BIN (self)),
                               (int) depth * GADGET_CHAT_ROW_INDENT);
}

void
gadget_chat_row_set_check (GadgetChatRow *self, gboolean shown, gboolean checked)
{
  g_return_if_fail (GADGET_IS_CHAT_ROW (self));
  gtk_check_button_set_active (self->check, shown && checked);
  gtk_widget_set_visible (GTK_WIDGET (self->check), shown);
}

GtkWidget *
gadget_chat_row_get_title (GadgetChatRow *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_ROW (self), NULL);
  return GTK_WIDGET (self->title);
}
