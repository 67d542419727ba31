/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget for one chat: it switches between the pages (welcome, transcript, loading, failure),
 * and follows the session. The other gadget-chat-*.c files have the rest of it,
 * see gadget-chat-private.h. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "gadget-data-failure.h"
#include "gadget-transcript-page.h"
#include "gadget-welcome.h"
#include "agent/gadget-tools-text.h"
#include "session/gadget-attachment.h"
#include "ui/common/gadget-column.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-settings.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

enum
{
  OPEN_SESSION,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetChat, gadget_chat, GTK_TYPE_BOX)

/* --- Pages; each is made when it is first needed ---------------------------------------------- */

static GtkWidget *
get_page (GadgetChat *self, const char *name, GtkWidget *(*make) (void) )
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, name);

  if (page == NULL)
    {
      page = make ();
      gtk_stack_add_named (self->stack, page, name);
    }
  return page;
}

GadgetTranscript *
_gadget_chat_get_transcript (GadgetChat *self)
{
  return gadget_transcript_page_get_transcript (
      GADGET_TRANSCRIPT_PAGE (get_page (self, "transcript", gadget_transcript_page_new)));
}

static void
child_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_engine_load_finish (GADGET_ENGINE (source), result, &error))
    g_message ("the chat of a subagent could not be read: %s", error->message);
}

static void
load_child_cb (GadgetTranscript *transcript, GadgetSession *child, GadgetChat *self)
{
  gadget_engine_load_async (self->engine, child, child_loaded_cb, NULL);
}

/* The user's answer to a question was not used, as when the turn was stopped: it goes into the
 * composer. */
static void
answer_left_cb (GadgetTranscript *transcript, GadgetSession *session, const char *text,
                GadgetChat *self)
{
  gadget_composer_prepend_to (self->composer, session, text);
}

static GtkWidget *
make_loading (void)
{
  GtkWidget *spinner = adw_spinner_new ();

  gtk_widget_set_size_request (spinner, 32, 32);
  gtk_widget_set_halign (spinner, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (spinner, GTK_ALIGN_CENTER);
  return spinner;
}

static void
show_welcome (GadgetChat *self)
{
  GtkWidget *page = get_page (self, "welcome", gadget_welcome_new);

  gadget_welcome_set_engine (GADGET_WELCOME (page), self->engine);
  gadget_welcome_set_incognito (
      GADGET_WELCOME (page), self->session != NULL && gadget_session_get_incognito (self->session));
  gtk_stack_set_visible_child (self->stack, page);
}

static void
set_found_transcript (GadgetChat *self, GadgetTranscript *transcript)
{
  if (self->find_bar != NULL)
    gadget_find_bar_set_transcript (self->find_bar, transcript);
}

static void
show_transcript (GadgetChat *self)
{
  GadgetTranscript *transcript = _gadget_chat_get_transcript (self);

  _gadget_chat_need_pictures (self);
  gadget_transcript_set_remote_pictures (transcript, self->remote_pictures);
  if (gadget_transcript_get_session (transcript) != self->session)
    {
      g_autoptr (GadgetPictureLoader) pictures =
          gadget_picture_loader_new (gadget_engine_get_store (self->engine));

      gadget_transcript_set_providers (transcript,
                                       G_LIST_MODEL (gadget_engine_get_providers (self->engine)));
      _gadget_chat_renew_change_cache (self);
      gadget_transcript_set_change_cache (transcript, self->cache);
      gadget_transcript_set_pictures (transcript, pictures);
      gadget_transcript_set_session (transcript, self->session);
      g_signal_handlers_disconnect_by_func (transcript, load_child_cb, self);
      g_signal_handlers_disconnect_by_func (transcript, answer_left_cb, self);
      g_signal_handlers_disconnect_by_func (transcript, _gadget_chat_queue_position, self);
      g_signal_connect_object (transcript, "load-child", G_CALLBACK (load_child_cb), self,
                               G_CONNECT_DEFAULT);
      g_signal_connect_object (transcript, "answer-left", G_CALLBACK (answer_left_cb), self,
                               G_CONNECT_DEFAULT);
      g_signal_connect_object (transcript, "view-changed", G_CALLBACK (_gadget_chat_queue_position),
                               self, G_CONNECT_SWAPPED);
      g_signal_connect_object (transcript, "notify::following",
                               G_CALLBACK (_gadget_chat_queue_position), self, G_CONNECT_SWAPPED);
    }
  gtk_stack_set_visible_child_name (self->stack, "transcript");
  set_found_transcript (self, transcript);
}

static void
show_failure (GadgetChat *self, const char *title, const char *text)
{
  GtkWidget *page = get_page (self, "failure", adw_status_page_new);
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "dialog-error-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (page), escaped);
  gtk_stack_set_visible_child (self->stack, page);
}

static void
update_page (GadgetChat *self)
{
  if (self->session == NULL || !gadget_session_get_loaded (self->session))
    return;
  if (gadget_session_get_n_turns (self->session) == 0)
    show_welcome (self);
  else
    show_transcript (self);
}

static void
turns_changed_cb (GadgetChat *self)
{
  _gadget_chat_check_edit (self);
  update_page (self);
}

/* The data of an asynchronous call: a chat that is being read. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->chat);
  g_object_unref (loading->session);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  GadgetChat *self = loading->chat;
  g_autoptr (GError) error = NULL;
  const gboolean loaded = gadget_engine_load_finish (GADGET_ENGINE (object), result, &error);

  if (self->session != loading->session)
    return;
  if (loaded)
    {
      if (self->announced_turn == NULL)
        _gadget_chat_announce_switched (self);
      update_page (self);
    }
  else if (gadget_session_get_loaded (self->session))
    g_message ("session %s: %s", gadget_session_get_id (self->session), error->message);
  else if (gadget_session_get_deletion (self->session) == GADGET_DELETION_DONE)
    show_failure (self, _ ("This Chat Was Deleted"), _ ("Another window or a command deleted it."));
  else
    {
      g_message ("session %s: %s", gadget_session_get_id (self->session), error->message);
      show_failure (self, _ ("This Chat Could Not Be Read"),
                    gadget_error_labels_get_reason (error));
    }
}

/* Reads a stored chat. For a chat that is in memory it only checks that it still exists. */
static void
load (GadgetChat *self)
{
  Loading *loading;

  if (gadget_engine_find_session (self->engine, gadget_session_get_id (self->session)) == NULL)
    return;
  loading = g_new0 (Loading, 1);
  loading->chat = g_object_ref (self);
  loading->session = g_object_ref (self->session);
  gadget_engine_load_async (self->engine, self->session, loaded_cb, loading);
}

/* --- The session ------------------------------------------------------------------------------ */

static void
completed_cb (GadgetChat *self, const char *turn_id)
{
  GadgetTurn *turn = self->session ? gadget_session_get_last_turn (self->session) : NULL;

  if (turn == NULL || !g_str_equal (gadget_turn_get_id (turn), turn_id))
    return;
  _gadget_chat_completed (self, turn);
  _gadget_chat_turn_ended (self, turn);
}

static void
tools_left_out_cb (GadgetChat *self, GadgetSession *session, GadgetTurn *turn, guint n_offered,
                   guint n_left_out)
{
  g_autofree char *text = gadget_tools_left_out_dup_text (n_offered, n_left_out);

  if (session == self->session)
    gadget_chat_show_toast (self, text);
}

/* --- Overrides -------------------------------------------------------------------------------- */

static void
gadget_chat_dispose (GObject *object)
{
  GadgetChat *self = GADGET_CHAT (object);

  if (self->clock != NULL)
    _gadget_chat_stop_dispose (self);
  g_clear_handle_id (&self->position_id, g_source_remove);
  g_clear_object (&self->announced_item);
  g_clear_object (&self->announced_turn);
  g_clear_object (&self->announced_receipt);
  g_clear_pointer (&self->editing, g_free);
  _gadget_chat_forget_turns (self);
  g_clear_weak_pointer (&self->files_dialog);
  g_clear_weak_pointer (&self->cover_toasts);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_CHAT);
  g_clear_object (&self->session);
  g_clear_object (&self->cache);
  g_clear_object (&self->bus);
  g_clear_object (&self->engine);
  g_clear_object (&self->clock);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (gadget_chat_parent_class)->dispose (object);
}

static void
gadget_chat_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_CHAT (object)->own_toasts);

  G_OBJECT_CLASS (gadget_chat_parent_class)->finalize (object);
}

static void
gadget_chat_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, GADGET_CHAT (object)->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_narrow (GadgetChat *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  if (narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
  g_object_set (self->composer, "narrow", narrow, NULL);
  _gadget_chat_update_incognito (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
}

static void
gadget_chat_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      set_narrow (GADGET_CHAT (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_chat_class_init (GadgetChatClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_chat_dispose;
  object_class->finalize = gadget_chat_finalize;
  object_class->get_property = gadget_chat_get_property;
  object_class->set_property = gadget_chat_set_property;

  props[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * GadgetChat::open-session:
   * @session: the chat to show
   */
  signals[OPEN_SESSION] =
      g_signal_new ("open-session", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  _gadget_chat_install_actions (widget_class);
  _gadget_chat_install_undo_actions (widget_class);
  _gadget_chat_install_turn_actions (widget_class);
  _gadget_chat_install_commands (widget_class);

  g_type_ensure (GADGET_TYPE_COLUMN_LAYOUT);
  g_type_ensure (GADGET_TYPE_COMPOSER);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-chat.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, toasts);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, incognito_bin);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, incognito_text);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, incognito_remote);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, edit_banner);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, edit_text);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, deleted_banner);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, deleted_text);
  gtk_widget_class_bind_template_child (widget_class, GadgetChat, composer);
  _gadget_chat_bind_sending (widget_class);
}

static void
gadget_chat_init (GadgetChat *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->settings = gadget_settings_new ();
  self->clock = g_object_ref (gadget_clock_get_default ());
  self->own_toasts = g_ptr_array_new_with_free_func (g_object_unref);
  _gadget_chat_stop_init (self);
  _gadget_chat_stop_set_clock (self);
  gadget_composer_take_drops (self->composer, GTK_WIDGET (self));
  _gadget_chat_edit_init (self);
  show_welcome (self);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_chat_set_clock:
 * @clock: the clock for Esc and the Stop button; for tests, the default is the system's
 */
void
gadget_chat_set_clock (GadgetChat *self, GadgetClock *clock)
{
  g_return_if_fail (GADGET_IS_CHAT (self) && GADGET_IS_CLOCK (clock));

  g_set_object (&self->clock, clock);
  _gadget_chat_stop_set_clock (self);
  gadget_composer_set_clock (self->composer, clock);
}

/**
 * gadget_chat_set_bus:
 * @bus: (nullable): the session bus, where other processes that work on chats are reached
 */
void
gadget_chat_set_bus (GadgetChat *self, GDBusConnection *bus)
{
  g_return_if_fail (GADGET_IS_CHAT (self));

  g_set_object (&self->bus, bus);
  gadget_session_watch_set_bus (self->watch, bus);
}

void
gadget_chat_set_engine (GadgetChat *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_CHAT (self) && GADGET_IS_ENGINE (engine) && self->engine == NULL);

  self->engine = g_object_ref (engine);
  _gadget_chat_stop_set_engine (self);
  g_signal_connect_object (gadget_engine_get_agent (engine), "completed", G_CALLBACK (completed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_agent (engine), "tools-left-out",
                           G_CALLBACK (tools_left_out_cb), self, G_CONNECT_SWAPPED);
  _gadget_chat_announce_turns (self);
}

/**
 * gadget_chat_set_failure:
 * @error: why the engine cannot be opened
 *
 * Shows the page for data that cannot be opened. There is no engine then.
 */
void
gadget_chat_set_failure (GadgetChat *self, const GError *error)
{
  GtkWidget *page;

  g_return_if_fail (GADGET_IS_CHAT (self) && error != NULL);
  page = gadget_data_failure_new (error);
  gtk_stack_add_child (self->stack, page);
  gtk_stack_set_visible_child (self->stack, page);
}

static void
own_dismissed_cb (AdwToast *toast, GadgetChat *self)
{
  g_ptr_array_remove (self->own_toasts, toast);
}

/* Dismisses the toasts about the chat that is about to go: they would cover the buttons of the
 * next one, and offer what is not seen there. */
static void
dismiss_own_toasts (GadgetChat *self)
{
  while (self->own_toasts->len > 0)
    {
      g_autoptr (AdwToast) toast =
          g_ptr_array_steal_index (self->own_toasts, self->own_toasts->len - 1);

      gadget_toast_dismiss (toast);
    }
}

void
gadget_chat_set_session (GadgetChat *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) before = NULL;

  g_return_if_fail (GADGET_IS_CHAT (self) && GADGET_IS_SESSION (session) && self->engine != NULL);

  if (session == self->session)
    return;
  dismiss_own_toasts (self);
  _gadget_chat_keep_position (self);
  _gadget_chat_end_edit (self);
  _gadget_chat_forget_turns (self);
  if (self->find_bar != NULL)
    gadget_find_bar_close (self->find_bar);
  set_found_transcript (self, NULL);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->session, turns_changed_cb, self);
      g_signal_handlers_disconnect_by_func (self->session, _gadget_chat_update_turn_actions, self);
    }
  _gadget_chat_close_files (self);
  before = self->session != NULL ? g_object_ref (self->session) : NULL;
  g_set_object (&self->session, session);
  _gadget_chat_watch_deletion (self, before);
  _gadget_chat_watch_incognito (self, before);
  g_signal_connect_object (session, "notify::active-run",
                           G_CALLBACK (_gadget_chat_update_turn_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::last-status",
                           G_CALLBACK (_gadget_chat_update_turn_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::incognito",
                           G_CALLBACK (_gadget_chat_update_turn_actions), self, G_CONNECT_SWAPPED);
  _gadget_chat_update_turn_actions (self);
  g_signal_connect_object (session, "items-changed", G_CALLBACK (turns_changed_cb), self,
                           G_CONNECT_SWAPPED);
  gadget_composer_set_session (self->composer, self->engine, session);
  _gadget_chat_stop_switched (self);
  _gadget_chat_announce_switched (self);
  if (gadget_session_get_loaded (session))
    {
      update_page (self);
    }
  else
    {
      gtk_stack_set_visible_child (self->stack, get_page (self, "loading", make_loading));
      _gadget_chat_read_position (self);
    }
  load (self);
}

/**
 * gadget_chat_add_toast:
 * @toast: (transfer full): shown over the chat, and announced
 */
void
gadget_chat_add_toast (GadgetChat *self, AdwToast *toast)
{
  AdwToastOverlay *overlay;

  g_return_if_fail (GADGET_IS_CHAT (self));

  overlay = _gadget_chat_get_overlay (self);
  /* The window was closed meanwhile. */
  if (overlay == NULL)
    {
      g_object_unref (toast);
      return;
    }
  /* A toast with a button is useful for a moment only, so it does not wait for older toasts; but it
   * must not replace the toast that says that Esc is armed. */
  if (adw_toast_get_button_label (toast) != NULL && self->escape_toast == NULL)
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  gadget_toast_show (overlay, toast);
}

/* Shows a toast about the chat that is shown; it is dismissed when another chat is. @toast:
 * (transfer full) */
void
_gadget_chat_add_own_toast (GadgetChat *self, AdwToast *toast)
{
  g_ptr_array_add (self->own_toasts, g_object_ref (toast));
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (own_dismissed_cb), self,
                           G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self, toast);
}

void
gadget_chat_show_toast (GadgetChat *self, const char *text)
{
  gadget_chat_add_toast (self, gadget_toast_new (text));
}

void
gadget_chat_set_cover (GadgetChat *self, AdwToastOverlay *toasts)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  g_set_weak_pointer (&self->cover_toasts, toasts);
}

/* Returns where toasts are seen now. (transfer none) */
AdwToastOverlay *
_gadget_chat_get_overlay (GadgetChat *self)
{
  return self->cover_toasts != NULL ? self->cover_toasts : self->toasts;
}

/**
 * gadget_chat_get_toasts:
 *
 * Returns: (transfer none): the toast overlay around the conversation
 */
GtkWidget *
gadget_chat_get_toasts (GadgetChat *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT (self), NULL);
  return GTK_WIDGET (self->toasts);
}

/**
 * gadget_chat_get_find_bar:
 *
 * The first call makes the bar, since the first frame of the window would wait for it.
 *
 * Returns: (transfer none): the bar in which text of the chat is found
 */
GadgetFindBar *
gadget_chat_get_find_bar (GadgetChat *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT (self), NULL);

  if (self->find_bar == NULL)
    {
      self->find_bar = g_object_new (GADGET_TYPE_FIND_BAR, NULL);
      g_object_bind_property (self, "narrow", self->find_bar, "narrow", G_BINDING_SYNC_CREATE);
      gtk_box_prepend (GTK_BOX (self), GTK_WIDGET (self->find_bar));
      if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "transcript") == 0)
        set_found_transcript (self, _gadget_chat_get_transcript (self));
    }
  return self->find_bar;
}

void
gadget_chat_focus (GadgetChat *self)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  gadget_composer_focus (self->composer);
}

/**
 * gadget_chat_is_empty:
 *
 * Returns: whether the composer has no message
 */
gboolean
gadget_chat_is_empty (GadgetChat *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT (self), TRUE);
  return gadget_composer_is_empty (self->composer);
}

/**
 * gadget_chat_focus_ask:
 *
 * Shows the card that waits for an answer, and gives it the focus.
 *
 * Returns: whether there is one
 */
gboolean
gadget_chat_focus_ask (GadgetChat *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT (self), FALSE);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "transcript") != 0)
    return FALSE;
  return gadget_transcript_focus_ask (_gadget_chat_get_transcript (self));
}

void
gadget_chat_open_models (GadgetChat *self)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  gadget_composer_open_models (self->composer);
}

/**
 * gadget_chat_show_turn:
 * @call_id: (nullable): a call in the turn
 *
 * Scrolls the chat to a call or to the beginning of a turn, as soon as its turns are loaded.
 */
void
gadget_chat_show_turn (GadgetChat *self, const char *turn_id, const char *call_id)
{
  GadgetTranscript *transcript;

  g_return_if_fail (GADGET_IS_CHAT (self) && self->session != NULL && turn_id != NULL);

  transcript = _gadget_chat_get_transcript (self);
  if (gadget_transcript_get_session (transcript) != self->session)
    gadget_transcript_begin_at (self->session, turn_id, call_id);
  else if (call_id != NULL)
    gadget_transcript_show_call (transcript, turn_id, call_id);
  else
    gadget_transcript_show_turn (transcript, turn_id);
}

/**
 * gadget_chat_go_to_turn:
 * @direction: -1 for the previous turn, 1 for the next
 */
void
gadget_chat_go_to_turn (GadgetChat *self, int direction)
{
  g_return_if_fail (GADGET_IS_CHAT (self));

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "transcript") == 0)
    gadget_transcript_go_to_turn (_gadget_chat_get_transcript (self), direction);
}

/* See gadget_composer_keep_draft (). */
void
gadget_chat_keep_draft (GadgetChat *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  gadget_composer_keep_draft (self->composer, session);
}

/* See gadget_composer_discard_drafts (). */
void
gadget_chat_discard_drafts (GadgetChat *self)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  gadget_composer_discard_drafts (self->composer);
}
