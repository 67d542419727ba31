/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Restores what an earlier process left behind.
 *
 * Turns and changes that it could not save are stored when the window gets its engine. A banner
 * tells of recovered replies, and shows their chats one after the other. What still cannot be
 * stored is tried again after a write succeeds; until then the banner offers to show its file.
 * Last, the banner tells which replies were cut off when the process ended.
 *
 * The id of the chat that is shown is kept in the store, and the next start shows that chat again.
 * When the user closes the window, the next start shows a new chat instead. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "agent/gadget-engine.h"
#include "store/gadget-store-providers.h"
#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

/* The delay, in milliseconds, between a successful write and the next try to store what could not
 * be stored; it doubles with each failure. */
#define FIRST_RETRY_MS 250
#define LAST_RETRY_MS 30000

/* The store's setting for the id of the chat that is shown. */
#define SHOWN_CHAT "shown-chat"

/* --- The banner ------------------------------------------------------------------------------- */

/* Returns what the banner shows next; entries that are still in files come first. (nullable) */
static const GadgetRecoveredChat *
get_first (GadgetWindow *self)
{
  const guint n = self->recovered != NULL ? self->recovered->len : 0;

  for (guint i = 0; i < n; i++)
    {
      const GadgetRecoveredChat *one = g_ptr_array_index (self->recovered, i);

      if (one->path != NULL)
        return one;
    }
  return n > 0 ? g_ptr_array_index (self->recovered, 0) : NULL;
}

/* Counts the entries of the same sort as @first, which is not in a file; then no entry is, see
 * get_first (). */
static guint
count_like (GadgetWindow *self, const GadgetRecoveredChat *first)
{
  guint n = 0;

  for (guint i = 0; i < self->recovered->len; i++)
    n += ((const GadgetRecoveredChat *) g_ptr_array_index (self->recovered, i))->interrupted
         == first->interrupted;
  return n;
}

static char *
dup_title (GadgetWindow *self, const GadgetRecoveredChat *first)
{
  guint n;

  if (first->path != NULL && first->turn_id == NULL)
    return g_strdup (_ ("Changes to a chat still could not be saved and are kept in a file"));
  if (first->path != NULL)
    return g_strdup (_ ("A reply still could not be saved and is kept in a file"));
  n = count_like (self, first);
  if (first->interrupted)
    return g_strdup_printf (ngettext ("A reply was cut off when Gadget was closed",
                                      "Replies in %u chats were cut off when Gadget was closed", n),
                            n);
  return g_strdup_printf (ngettext ("A reply that could not be saved was recovered",
                                    "%u replies that could not be saved were recovered", n),
                          n);
}

static void
update_banner (GadgetWindow *self)
{
  const GadgetRecoveredChat *first = get_first (self);
  g_autofree char *title = NULL;
  gboolean was_revealed;

  if (first == NULL)
    {
      adw_banner_set_revealed (self->recovered_banner, FALSE);
      return;
    }
  title = dup_title (self, first);
  was_revealed = adw_banner_get_revealed (self->recovered_banner)
                 && g_strcmp0 (adw_banner_get_title (self->recovered_banner), title) == 0;
  adw_banner_set_title (self->recovered_banner, title);
  adw_banner_set_button_label (self->recovered_banner,
                               first->path != NULL ? _ ("Show _File") : _ ("_Show"));
  adw_banner_set_revealed (self->recovered_banner, TRUE);
  if (!was_revealed)
    gadget_announce (GTK_WIDGET (self), title, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
show_file (GadgetWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (self), NULL, NULL, NULL);
}

/* Removes the entries of a chat, which is shown with all of them. Returns whether there were
 * any. */
static gboolean
forget_session (GadgetWindow *self, const char *id, gboolean interrupted_only)
{
  const guint n = self->recovered->len;

  for (guint i = self->recovered->len; i > 0; i--)
    {
      const GadgetRecoveredChat *one = g_ptr_array_index (self->recovered, i - 1);

      if (one->path == NULL && g_str_equal (one->session_id, id)
          && (one->interrupted || !interrupted_only))
        g_ptr_array_remove_index (self->recovered, i - 1);
    }
  return self->recovered->len < n;
}

static void
show_recovered_cb (GadgetWindow *self)
{
  const GadgetRecoveredChat *first = get_first (self);
  g_autofree char *id = NULL;
  GadgetSession *session;

  if (first == NULL)
    return;
  if (first->path != NULL)
    {
      show_file (self, first->path);
      g_ptr_array_remove (self->recovered, (gpointer) first);
      update_banner (self);
      return;
    }
  id = g_strdup (first->session_id);
  session = gadget_engine_find_session (self->engine, id);
  if (session != NULL)
    gadget_window_open_session (self, session);
  if (forget_session (self, id, FALSE))
    update_banner (self);
}

static void
recover_cb (gpointer user_data)
{
  GadgetWindow *self = user_data;

  self->recover_id = 0;
  _gadget_window_recover (self);
}

/* Disconnects itself, and delays the next try: other writes may succeed ten times a second while
 * this one cannot, because another process works on the chat. */
static void
written_cb (GadgetWindow *self)
{
  g_signal_handlers_disconnect_by_func (gadget_engine_get_store (self->engine), written_cb, self);
  self->recover_ms =
      self->recover_ms == 0 ? FIRST_RETRY_MS : MIN (self->recover_ms * 2, LAST_RETRY_MS);
  self->recover_id = g_timeout_add_once (self->recover_ms, recover_cb, self);
  g_source_set_name_by_id (self->recover_id, "[gadget] recover again");
}

/* Removes the entries that are in files; each try finds these again. */
static void
forget_files (GadgetWindow *self)
{
  for (guint i = self->recovered->len; i > 0; i--)
    if (((const GadgetRecoveredChat *) g_ptr_array_index (self->recovered, i - 1))->path != NULL)
      g_ptr_array_remove_index (self->recovered, i - 1);
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) recovered =
      gadget_engine_recover_finish (GADGET_ENGINE (source), result, &error);
  gboolean again = FALSE;

  if (error != NULL)
    g_message ("replies that could not be saved are not recovered: %s", error->message);
  if (recovered == NULL || self->engine == NULL)
    return;
  if (self->recovered != NULL)
    forget_files (self);
  else
    self->recovered = g_ptr_array_new_with_free_func (gadget_recovered_chat_free);
  while (recovered->len > 0)
    {
      GadgetRecoveredChat *one = g_ptr_array_steal_index (recovered, 0);

      again = again || one->path != NULL;
      if (one->turn_id != NULL || one->interrupted || one->path != NULL)
        g_ptr_array_add (self->recovered, one);
      else
        gadget_recovered_chat_free (one);
    }
  /* The chat that is shown tells of its own cut-off replies. */
  forget_session (self, gadget_session_get_id (self->session), TRUE);
  update_banner (self);
  if (!again)
    self->recover_ms = 0;
  else
    g_signal_connect_object (gadget_engine_get_store (self->engine), "written",
                             G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
}

/* --- The chat that is shown ------------------------------------------------------------------- */

static void
record (GadgetWindow *self, const char *id)
{
  /* The window may still show another chat while the program leaves. */
  if (self->closed || g_strcmp0 (self->recorded_chat, id) == 0)
    return;
  g_set_str (&self->recorded_chat, id);
  gadget_store_set_setting_async (gadget_engine_get_store (self->engine), SHOWN_CHAT, id, NULL,
                                  NULL);
}

void
_gadget_window_record_chat (GadgetWindow *self)
{
  const char *id = gadget_session_get_id (self->session);

  /* A new chat is in the store only from its first turn on. */
  record (self, gadget_engine_find_session (self->engine, id) != NULL ? id : NULL);
  if (self->recovered != NULL && forget_session (self, id, TRUE))
    update_banner (self);
}

/* Called when the window is used again: another one may have recorded its chat meanwhile. */
void
_gadget_window_record_again (GadgetWindow *self)
{
  g_clear_pointer (&self->recorded_chat, g_free);
  _gadget_window_record_chat (self);
}

void
_gadget_window_forget_chat (GadgetWindow *self)
{
  record (self, NULL);
  self->closed = TRUE;
}

static gboolean
is_in_use (GadgetWindow *self)
{
  return self->asked_for_chat || self->recorded_chat != NULL || !gadget_chat_is_empty (self->chat);
}

static void
shown_chat_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWindow) self = user_data;
  g_autofree char *id = NULL;
  g_autoptr (GError) error = NULL;
  GadgetSession *session;

  if (!gadget_store_get_setting_finish (GADGET_STORE (source), result, &id, &error))
    g_message ("which chat was shown could not be read: %s", error->message);
  if (id == NULL || self->engine == NULL)
    return;
  session = gadget_engine_find_session (self->engine, id);
  if (session != NULL && !is_in_use (self))
    gadget_window_open_session (self, session);
  if (self->recorded_chat != NULL)
    return;
  g_set_str (&self->recorded_chat, id);
  _gadget_window_record_chat (self);
}

void
_gadget_window_bind_recovered (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, recovered_banner);
  gtk_widget_class_bind_template_callback (widget_class, show_recovered_cb);
}

void
_gadget_window_restore_chat (GadgetWindow *self)
{
  gadget_store_get_setting_async (gadget_engine_get_store (self->engine), SHOWN_CHAT,
                                  shown_chat_read_cb, g_object_ref (self));
}

void
_gadget_window_recover (GadgetWindow *self)
{
  gadget_engine_recover_async (self->engine, recovered_cb, g_object_ref (self));
}
