/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Replies that an earlier process could not save are stored when the window has its engine; a
 * banner says so, and shows their chats one after the other. What still cannot be stored is tried
 * again when a write succeeds; until then the banner shows its file. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "agent/gadget-engine.h"
#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

static const GadgetRecovered *
get_first (GadgetWindow *self)
{
  return self->recovered != NULL && self->recovered->len > 0
             ? g_ptr_array_index (self->recovered, 0)
             : NULL;
}

static void
update_banner (GadgetWindow *self)
{
  const GadgetRecovered *first = get_first (self);
  g_autofree char *title = NULL;

  if (first == NULL)
    {
      adw_banner_set_revealed (self->recovered_banner, FALSE);
      return;
    }
  if (first->path != NULL)
    title = g_strdup (_ ("A reply still could not be saved and is kept in a file"));
  else
    title = g_strdup_printf (ngettext ("A reply that could not be saved was recovered",
                                       "%u replies that could not be saved were recovered",
                                       self->recovered->len),
                             self->recovered->len);
  adw_banner_set_title (self->recovered_banner, title);
  adw_banner_set_button_label (self->recovered_banner,
                               first->path != NULL ? _ ("Show _File") : _ ("_Show"));
  adw_banner_set_revealed (self->recovered_banner, TRUE);
  gadget_announce (GTK_WIDGET (self), title, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
show_file (GadgetWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (self), NULL, NULL, NULL);
}

/* Of one chat all are shown at once. */
static void
forget_session (GadgetWindow *self, const char *id)
{
  for (guint i = self->recovered->len; i > 0; i--)
    {
      const GadgetRecovered *one = g_ptr_array_index (self->recovered, i - 1);

      if (one->path == NULL && g_str_equal (one->session_id, id))
        g_ptr_array_remove_index (self->recovered, i - 1);
    }
}

static void
show_recovered_cb (GadgetWindow *self)
{
  const GadgetRecovered *first = get_first (self);
  g_autofree char *id = NULL;
  GadgetSession *session;

  if (first == NULL)
    return;
  if (first->path != NULL)
    {
      show_file (self, first->path);
      g_ptr_array_remove_index (self->recovered, 0);
      update_banner (self);
      return;
    }
  id = g_strdup (first->session_id);
  session = gadget_engine_find_session (self->engine, id);
  forget_session (self, id);
  if (session != NULL)
    gadget_window_open_session (self, session);
  update_banner (self);
}

static void
written_cb (GadgetWindow *self)
{
  g_signal_handlers_disconnect_by_func (gadget_engine_get_store (self->engine), written_cb, self);
  _gadget_window_recover (self);
}

/* Those that are in files are found again each time. */
static void
forget_files (GadgetWindow *self)
{
  for (guint i = self->recovered->len; i > 0; i--)
    if (((const GadgetRecovered *) g_ptr_array_index (self->recovered, i - 1))->path != NULL)
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
    self->recovered = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_recovered_free);
  while (recovered->len > 0)
    {
      GadgetRecovered *one = g_ptr_array_steal_index (recovered, 0);

      again = again || one->path != NULL;
      g_ptr_array_add (self->recovered, one);
    }
  update_banner (self);
  if (again)
    g_signal_connect_object (gadget_engine_get_store (self->engine), "written",
                             G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
}

void
_gadget_window_bind_recovered (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, recovered_banner);
  gtk_widget_class_bind_template_callback (widget_class, show_recovered_cb);
}

void
_gadget_window_recover (GadgetWindow *self)
{
  gadget_engine_recover_async (self->engine, recovered_cb, g_object_ref (self));
}
