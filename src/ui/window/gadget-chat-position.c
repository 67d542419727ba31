/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stores where each chat is scrolled to and what is unfolded in it, as a setting in the store, so
 * that both survive a restart. It is written a moment after the user scrolled or unfolded
 * something, since the process may be killed, when another chat is shown, and when the window
 * closes. A chat at its end, with nothing unfolded, has no such setting. It is read before the
 * turns are, so that it is there when they arrive. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "store/gadget-store-providers.h"

#define SAVE_DELAY_MS 1000

/* Data of a session: the position in the store, "" when there is none. NULL when it was not read
 * because the chat was in memory before it was shown. */
#define STORED_KEY "gadget-stored-position"

static char *
dup_key (GadgetSession *session)
{
  return g_strconcat ("position:", gadget_session_get_id (session), NULL);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error))
    g_message ("how a chat was left could not be saved: %s", error->message);
}

static void
save (GadgetChat *self, GadgetSession *session, const char *position)
{
  const char *stored = g_object_get_data (G_OBJECT (session), STORED_KEY);
  g_autofree char *key = dup_key (session);

  if (g_strcmp0 (stored, position != NULL ? position : "") == 0)
    return;
  g_object_set_data_full (G_OBJECT (session), STORED_KEY,
                          g_strdup (position != NULL ? position : ""), g_free);
  gadget_store_set_setting_async (gadget_engine_get_store (self->engine), key, position, saved_cb,
                                  NULL);
}

/* Saves the position of the chat that is shown. */
void
_gadget_chat_keep_position (GadgetChat *self)
{
  GadgetTranscript *transcript;
  g_autofree char *position = NULL;

  g_clear_handle_id (&self->position_id, g_source_remove);
  if (self->session == NULL || self->engine == NULL
      || gadget_engine_find_session (self->engine, gadget_session_get_id (self->session)) == NULL)
    return;
  transcript = _gadget_chat_get_transcript (self);
  if (gadget_transcript_get_session (transcript) != self->session)
    return;
  position = gadget_transcript_dup_view (transcript);
  save (self, self->session, position);
}

static gboolean
keep_cb (gpointer data)
{
  GadgetChat *self = data;

  self->position_id = 0;
  _gadget_chat_keep_position (self);
  return G_SOURCE_REMOVE;
}

/* Saves the position soon: the user may go on scrolling. */
void
_gadget_chat_queue_position (GadgetChat *self)
{
  if (self->position_id != 0)
    return;
  self->position_id = g_timeout_add (SAVE_DELAY_MS, keep_cb, self);
  g_source_set_name_by_id (self->position_id, "gadget-chat position");
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSession) session = user_data;
  g_autofree char *position = NULL;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_get_setting_finish (GADGET_STORE (source), result, &position, &error))
    {
      g_message ("how a chat was left could not be read: %s", error->message);
      return;
    }
  g_object_set_data_full (G_OBJECT (session), STORED_KEY,
                          g_strdup (position != NULL ? position : ""), g_free);
  if (position != NULL)
    gadget_transcript_load_view (session, position);
}

/* Reads the position of the chat that is shown, before its turns are read. */
void
_gadget_chat_read_position (GadgetChat *self)
{
  g_autofree char *key = dup_key (self->session);

  gadget_store_get_setting_async (gadget_engine_get_store (self->engine), key, read_cb,
                                  g_object_ref (self->session));
}
