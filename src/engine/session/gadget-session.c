/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat: its properties, and notifications about each change. The turns are in
 * gadget-session-turns.c and the queue in gadget-session-queue.c. Strings that getters return
 * belong to the session. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-session-private.h"

#include "common/gadget-array-model.h"
#include "common/gadget-bidi.h"
#include "common/gadget-clock.h"

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_WORKSPACE,
  PROP_PROVIDER,
  PROP_MODEL,
  PROP_MODE,
  PROP_PINNED,
  PROP_ARCHIVED,
  PROP_UNREAD,
  PROP_CHAT_FOLDER,
  PROP_UPDATED_AT,
  PROP_LAST_STATUS,
  PROP_LOADED,
  PROP_ACTIVE_RUN,
  PROP_REMOTE_RUN,
  PROP_HAS_REMOVED,
  PROP_DELETION,
  PROP_INCOGNITO,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

GADGET_DEFINE_ARRAY_MODEL (GadgetSession, gadget_session, GADGET_TYPE_TURN, turns)

static void
notify (GadgetSession *self, guint prop)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[prop]);
}

static void
gadget_session_finalize (GObject *object)
{
  GadgetSession *self = GADGET_SESSION (object);

  g_free (self->id);
  g_free (self->parent_id);
  g_free (self->title);
  g_free (self->workspace);
  g_free (self->provider);
  g_free (self->folder_facts);
  g_free (self->instructions);
  g_free (self->denied_instructions);
  g_free (self->model);
  g_free (self->chat_folder);
  g_free (self->origin_id);
  g_free (self->origin_turn_id);
  g_free (self->active_run);
  g_free (self->remote_run);
  g_ptr_array_unref (self->turns);
  g_clear_pointer (&self->pending_removals, g_hash_table_unref);
  g_clear_object (&self->queue);

  G_OBJECT_CLASS (gadget_session_parent_class)->finalize (object);
}

static void
gadget_session_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetSession *self = GADGET_SESSION (object);

  switch (prop_id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_WORKSPACE:
      g_value_set_string (value, self->workspace);
      break;
    case PROP_PROVIDER:
      g_value_set_string (value, self->provider);
      break;
    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;
    case PROP_MODE:
      g_value_set_int (value, (int) self->mode);
      break;
    case PROP_PINNED:
      g_value_set_boolean (value, self->pinned);
      break;
    case PROP_ARCHIVED:
      g_value_set_boolean (value, self->archived);
      break;
    case PROP_UNREAD:
      g_value_set_boolean (value, self->unread);
      break;
    case PROP_CHAT_FOLDER:
      g_value_set_string (value, self->chat_folder);
      break;
    case PROP_UPDATED_AT:
      g_value_set_int64 (value, self->updated_at);
      break;
    case PROP_LAST_STATUS:
      g_value_set_int (value, (int) self->last_status);
      break;
    case PROP_LOADED:
      g_value_set_boolean (value, self->loaded);
      break;
    case PROP_ACTIVE_RUN:
      g_value_set_string (value, self->active_run);
      break;
    case PROP_REMOTE_RUN:
      g_value_set_string (value, self->remote_run);
      break;
    case PROP_HAS_REMOVED:
      g_value_set_boolean (value, self->has_removed);
      break;
    case PROP_DELETION:
      g_value_set_int (value, (int) self->deletion);
      break;
    case PROP_INCOGNITO:
      g_value_set_boolean (value, self->incognito);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_session_class_init (GadgetSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_session_finalize;
  object_class->get_property = gadget_session_get_property;

  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_WORKSPACE] = g_param_spec_string ("workspace", NULL, NULL, NULL, flags);
  props[PROP_PROVIDER] = g_param_spec_string ("provider", NULL, NULL, NULL, flags);
  props[PROP_MODEL] = g_param_spec_string ("model", NULL, NULL, NULL, flags);
  props[PROP_MODE] = g_param_spec_int ("mode", NULL, NULL, 0, GADGET_MODE_SANDBOX, 0, flags);
  props[PROP_PINNED] = g_param_spec_boolean ("pinned", NULL, NULL, FALSE, flags);
  props[PROP_ARCHIVED] = g_param_spec_boolean ("archived", NULL, NULL, FALSE, flags);
  props[PROP_UNREAD] = g_param_spec_boolean ("unread", NULL, NULL, FALSE, flags);
  props[PROP_CHAT_FOLDER] = g_param_spec_string ("chat-folder", NULL, NULL, NULL, flags);
  props[PROP_UPDATED_AT] = g_param_spec_int64 ("updated-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  props[PROP_LAST_STATUS] =
      g_param_spec_int ("last-status", NULL, NULL, 0, GADGET_TURN_ERROR, 0, flags);
  props[PROP_LOADED] = g_param_spec_boolean ("loaded", NULL, NULL, FALSE, flags);
  props[PROP_ACTIVE_RUN] = g_param_spec_string ("active-run", NULL, NULL, NULL, flags);
  props[PROP_REMOTE_RUN] = g_param_spec_string ("remote-run", NULL, NULL, NULL, flags);
  props[PROP_HAS_REMOVED] = g_param_spec_boolean ("has-removed", NULL, NULL, FALSE, flags);
  props[PROP_DELETION] =
      g_param_spec_int ("deletion", NULL, NULL, 0, GADGET_DELETION_DONE, 0, flags);
  props[PROP_INCOGNITO] = g_param_spec_boolean ("incognito", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_session_init (GadgetSession *self)
{
  self->turns = g_ptr_array_new_with_free_func (g_object_unref);
  self->created_at = self->updated_at = gadget_clock_wall_ms ();
  self->last_status = GADGET_TURN_FINISHED;
}

/**
 * gadget_session_new:
 * @id: the id of the chat
 *
 * Returns: (transfer full): a session without turns, not loaded, created now
 */
GadgetSession *
gadget_session_new (const char *id)
{
  GadgetSession *self;

  g_return_val_if_fail (id != NULL, NULL);

  self = g_object_new (GADGET_TYPE_SESSION, NULL);
  self->id = g_strdup (id);
  return self;
}

/* gadget_session_get_id: returns the id, which is unique among all sessions and never changes.
 * (transfer none) */
const char *
gadget_session_get_id (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->id;
}

const char *
gadget_session_get_parent_id (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->parent_id;
}

/**
 * gadget_session_set_parent_id:
 * @parent_id: (nullable): the chat whose agent made this one; %NULL for a chat of the user
 *
 * Nothing is notified.
 */
void
gadget_session_set_parent_id (GadgetSession *self, const char *parent_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  g_set_str (&self->parent_id, parent_id);
}

/**
 * gadget_session_get_title:
 *
 * Returns: (transfer none) (nullable): the title; %NULL for a chat without one
 */
const char *
gadget_session_get_title (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->title;
}

/* A model may have written the title, and it is shown in one line with other text, so characters
 * that would reorder that line are made visible. */
void
gadget_session_set_title (GadgetSession *self, const char *title)
{
  g_autofree char *ordered = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self));

  ordered = title != NULL ? gadget_bidi_escape (title) : NULL;
  if (g_set_str (&self->title, ordered))
    notify (self, PROP_TITLE);
}

/**
 * gadget_session_get_workspace:
 *
 * Returns: (transfer none) (nullable): the absolute path of the chat's folder
 */
const char *
gadget_session_get_workspace (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->workspace;
}

/**
 * gadget_session_set_workspace:
 * @path: (nullable): an absolute path, which is copied; %NULL for a chat without a folder
 *
 * The property "workspace" is notified.
 */
void
gadget_session_set_workspace (GadgetSession *self, const char *path)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && (path == NULL || g_path_is_absolute (path)));

  if (!g_set_str (&self->workspace, path))
    return;
  g_clear_pointer (&self->folder_facts, g_free);
  g_clear_pointer (&self->instructions, g_free);
  g_clear_pointer (&self->denied_instructions, g_free);
  notify (self, PROP_WORKSPACE);
}

/**
 * gadget_session_get_folder_facts:
 *
 * Returns: (transfer none) (nullable): what gadget_session_set_folder_facts () was given since the
 *   chat's folder was set; %NULL if that function was not called
 */
const char *
gadget_session_get_folder_facts (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->folder_facts;
}

/**
 * gadget_session_set_folder_facts:
 * @facts: sentences about the chat's folder for the model; "" for none
 *
 * The facts are not stored. They stay as they were when the first turn of this process began, also
 * when they change: each change of the instructions makes the provider read the whole chat again.
 */
void
gadget_session_set_folder_facts (GadgetSession *self, const char *facts)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && facts != NULL);
  g_set_str (&self->folder_facts, facts);
}

/**
 * gadget_session_get_instructions:
 *
 * Returns: (transfer none) (nullable): the instructions of the chat's folder, as the model is told
 *   them; %NULL if it is told none
 */
const char *
gadget_session_get_instructions (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->instructions;
}

/**
 * gadget_session_set_instructions:
 * @instructions: (nullable): what the user has allowed to tell the model; %NULL for nothing
 *
 * The instructions are not stored: each turn reads the file again.
 *
 * Returns: whether they are other ones than before
 */
gboolean
gadget_session_set_instructions (GadgetSession *self, const char *instructions)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return g_set_str (&self->instructions, instructions);
}

/* The digest of the instructions that the user has denied without a rule, so that they are not
 * asked about again as long as Gadget runs; NULL if there are none. (transfer none) */
const char *
gadget_session_get_denied_instructions (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->denied_instructions;
}

void
gadget_session_set_denied_instructions (GadgetSession *self, const char *digest)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  g_set_str (&self->denied_instructions, digest);
}

/* gadget_session_get_provider () and gadget_session_get_model () return what
 * gadget_session_set_model () was given: %NULL for the default. (transfer none) */
const char *
gadget_session_get_provider (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->provider;
}

const char *
gadget_session_get_model (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->model;
}

/**
 * gadget_session_set_model:
 * @provider: (nullable): the id of a provider; %NULL for the default provider
 * @model: (nullable): the provider's name of a model; %NULL for the provider's default
 *
 * Sets the model that the next turn asks.
 */
void
gadget_session_set_model (GadgetSession *self, const char *provider, const char *model)
{
  gboolean provider_changed;
  gboolean model_changed;

  g_return_if_fail (GADGET_IS_SESSION (self));

  provider_changed = g_set_str (&self->provider, provider);
  model_changed = g_set_str (&self->model, model);
  if (provider_changed)
    notify (self, PROP_PROVIDER);
  if (model_changed)
    notify (self, PROP_MODEL);
}

/* Returns what the agent, and the agents of its subagents, may do without asking. */
GadgetMode
gadget_session_get_mode (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), GADGET_MODE_READ_ONLY);
  return self->mode;
}

/**
 * gadget_session_set_mode:
 * @mode: what the agent may do without asking
 *
 * The property "mode" is notified.
 */
void
gadget_session_set_mode (GadgetSession *self, GadgetMode mode)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && (guint) mode <= GADGET_MODE_SANDBOX);

  if (self->mode == mode)
    return;
  self->mode = mode;
  notify (self, PROP_MODE);
}

gboolean
gadget_session_get_pinned (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->pinned;
}

/* Sets a boolean of the session, and notifies its property. */
static void
set_boolean (GadgetSession *self, gboolean *member, gboolean value, guint prop)
{
  if (*member == value)
    return;
  *member = value;
  notify (self, prop);
}

/**
 * gadget_session_set_pinned:
 * @pinned: whether the chat stays at the top of the list
 *
 * The property "pinned" is notified.
 */
void
gadget_session_set_pinned (GadgetSession *self, gboolean pinned)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  set_boolean (self, &self->pinned, pinned, PROP_PINNED);
}

gboolean
gadget_session_get_archived (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->archived;
}

/**
 * gadget_session_set_archived:
 * @archived: whether only the archive lists the chat
 *
 * The property "archived" is notified.
 */
void
gadget_session_set_archived (GadgetSession *self, gboolean archived)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  set_boolean (self, &self->archived, archived, PROP_ARCHIVED);
}

gboolean
gadget_session_get_unread (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->unread;
}

/**
 * gadget_session_set_unread:
 * @unread: whether something happened in the chat that the user has not seen
 *
 * The property "unread" is notified.
 */
void
gadget_session_set_unread (GadgetSession *self, gboolean unread)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  set_boolean (self, &self->unread, unread, PROP_UNREAD);
}

/* gadget_session_get_chat_folder: returns the id of the folder of chats that the chat is in.
 * (transfer none) (nullable) */
const char *
gadget_session_get_chat_folder (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->chat_folder;
}

/**
 * gadget_session_set_chat_folder:
 * @folder_id: (nullable): the id of a folder of chats; %NULL for none
 *
 * The property "chat-folder" is notified.
 */
void
gadget_session_set_chat_folder (GadgetSession *self, const char *folder_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (g_set_str (&self->chat_folder, folder_id))
    notify (self, PROP_CHAT_FOLDER);
}

const char *
gadget_session_get_origin_id (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->origin_id;
}

/**
 * gadget_session_set_origin_id:
 * @session_id: (nullable): the chat that this one is a branch of
 *
 * Nothing is notified.
 */
void
gadget_session_set_origin_id (GadgetSession *self, const char *session_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  g_set_str (&self->origin_id, session_id);
}

const char *
gadget_session_get_origin_turn_id (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->origin_turn_id;
}

/**
 * gadget_session_set_origin_turn_id:
 * @turn_id: (nullable): the last turn of the origin that this branch contains
 *
 * Nothing is notified.
 */
void
gadget_session_set_origin_turn_id (GadgetSession *self, const char *turn_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  g_set_str (&self->origin_turn_id, turn_id);
}

/* gadget_session_get_created_at () and gadget_session_set_created_at () are about when the chat was
 * made, in milliseconds since 1970; 0 before it is known. Nothing is notified. */
gint64
gadget_session_get_created_at (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return self->created_at;
}

void
gadget_session_set_created_at (GadgetSession *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  self->created_at = ms;
}

/* gadget_session_get_updated_at () and gadget_session_set_updated_at () are about when the chat
 * last changed, in milliseconds since 1970. The property "updated-at" is notified. */
gint64
gadget_session_get_updated_at (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return self->updated_at;
}

void
gadget_session_set_updated_at (GadgetSession *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->updated_at == ms)
    return;
  self->updated_at = ms;
  notify (self, PROP_UPDATED_AT);
}

gboolean
gadget_session_get_interrupted (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->interrupted;
}

/* gadget_session_set_interrupted: is for the list of chats, and for the engine once the user was
 * told. Nothing is notified. */
void
gadget_session_set_interrupted (GadgetSession *self, gboolean interrupted)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  self->interrupted = interrupted;
}

GadgetTurnStatus
gadget_session_get_last_status (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), GADGET_TURN_FINISHED);
  return self->last_status;
}

/* gadget_session_set_last_status: is for the list of chats and the agent. The property
 * "last-status" is notified. */
void
gadget_session_set_last_status (GadgetSession *self, GadgetTurnStatus status)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->last_status == status)
    return;
  self->last_status = status;
  notify (self, PROP_LAST_STATUS);
}

GadgetStopReason
gadget_session_get_last_stop_reason (GadgetSession *self)
{
  GadgetTurn *last;

  g_return_val_if_fail (GADGET_IS_SESSION (self), GADGET_STOP_NONE);

  last = gadget_session_get_last_turn (self);
  return last != NULL ? gadget_turn_get_stop_reason (last) : self->last_stop_reason;
}

/* gadget_session_set_last_stop_reason: is for the list of chats. Nothing is notified: it changes
 * together with the last status. */
void
gadget_session_set_last_stop_reason (GadgetSession *self, GadgetStopReason reason)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  self->last_stop_reason = reason;
}

/**
 * gadget_session_get_loaded:
 *
 * Returns: whether the turns are in memory; for a new session its creator sets this
 */
gboolean
gadget_session_get_loaded (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->loaded;
}

/* gadget_session_set_loaded: is for whoever has set the turns. The property "loaded" is
 * notified. */
void
gadget_session_set_loaded (GadgetSession *self, gboolean loaded)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->loaded == loaded)
    return;
  self->loaded = loaded;
  notify (self, PROP_LOADED);
}

/**
 * gadget_session_get_active_run:
 *
 * Returns: (transfer none) (nullable): see #GadgetSession
 */
const char *
gadget_session_get_active_run (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->active_run;
}

/**
 * gadget_session_set_active_run:
 * @run_id: (nullable): the run of this process; %NULL when it has ended
 *
 * The property "active-run" is notified.
 */
void
gadget_session_set_active_run (GadgetSession *self, const char *run_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (g_set_str (&self->active_run, run_id))
    notify (self, PROP_ACTIVE_RUN);
}

/**
 * gadget_session_get_remote_run:
 *
 * Returns: (transfer none) (nullable): see #GadgetSession
 */
const char *
gadget_session_get_remote_run (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->remote_run;
}

/**
 * gadget_session_set_remote_run:
 * @run_id: (nullable): the run of another process; %NULL when none is known
 *
 * The property "remote-run" is notified.
 */
void
gadget_session_set_remote_run (GadgetSession *self, const char *run_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (g_set_str (&self->remote_run, run_id))
    notify (self, PROP_REMOTE_RUN);
}

/**
 * gadget_session_is_working:
 *
 * Returns: whether a turn is going on in the chat, in this process or another
 */
gboolean
gadget_session_is_working (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->active_run != NULL || self->remote_run != NULL;
}

/**
 * gadget_session_get_queue:
 *
 * Returns: (transfer none): the queue, a #GListModel of #GadgetQueuedMessage
 */
GListModel *
gadget_session_get_queue (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);

  if (self->queue == NULL)
    self->queue = g_list_store_new (GADGET_TYPE_QUEUED_MESSAGE);
  return G_LIST_MODEL (self->queue);
}

/**
 * gadget_session_get_has_removed:
 *
 * Returns: whether turns were removed from the chat that can be put back
 */
gboolean
gadget_session_get_has_removed (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->has_removed;
}

/**
 * gadget_session_set_has_removed:
 * @has_removed: whether turns that the user removed can be restored
 *
 * The property "has-removed" is notified.
 */
void
gadget_session_set_has_removed (GadgetSession *self, gboolean has_removed)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->has_removed == has_removed)
    return;
  self->has_removed = has_removed;
  notify (self, PROP_HAS_REMOVED);
}

/**
 * gadget_session_get_deletion:
 *
 * Returns: whether the session was deleted or is about to be
 */
GadgetDeletionState
gadget_session_get_deletion (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), GADGET_DELETION_NONE);
  return self->deletion;
}

/* gadget_session_set_deletion: has no effect once the session was deleted. The property "deletion"
 * is notified. */
void
gadget_session_set_deletion (GadgetSession *self, GadgetDeletionState deletion)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->deletion == deletion || self->deletion == GADGET_DELETION_DONE)
    return;
  self->deletion = deletion;
  notify (self, PROP_DELETION);
}

/**
 * gadget_session_get_incognito:
 *
 * Returns: whether nothing of the chat is stored, now
 */
gboolean
gadget_session_get_incognito (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->incognito;
}

/* gadget_session_set_incognito: is for the engine, before the chat has turns, and when the user
 * keeps it. The property "incognito" is notified. */
void
gadget_session_set_incognito (GadgetSession *self, gboolean incognito)
{
  g_return_if_fail (GADGET_IS_SESSION (self));

  if (self->incognito == incognito)
    return;
  self->incognito = incognito;
  notify (self, PROP_INCOGNITO);
}
