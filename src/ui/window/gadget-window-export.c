/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens the dialog that exports chats, and shows where the file is. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "gadget-export-dialog.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

static void
show_cb (AdwToast *toast, GadgetWindow *self)
{
  g_autoptr (GtkFileLauncher) launcher =
      gtk_file_launcher_new (g_object_get_data (G_OBJECT (toast), "file"));

  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (self), NULL, NULL, NULL);
}

static void
exported_cb (GtkWidget *dialog, GFile *file, guint n_chats, GadgetWindow *self)
{
  g_autofree char *text =
      n_chats == 1 ? g_strdup (_ ("Chat exported"))
                   : g_strdup_printf (ngettext ("%'u chat exported", "%'u chats exported", n_chats),
                                      n_chats);
  AdwToast *toast = gadget_toast_new (text);

  adw_toast_set_button_label (toast, _ ("_Show"));
  g_object_set_data_full (G_OBJECT (toast), "file", g_object_ref (file), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (show_cb), self, G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self->chat, toast);
}

static void
print_cb (GtkWidget *dialog, const char *const *ids, guint parts, GadgetWindow *self)
{
  _gadget_window_print (self, ids, (GadgetExportParts) parts);
}

void
_gadget_window_export (GadgetWindow *self, GadgetSession *session, GPtrArray *selected)
{
  AdwDialog *dialog = gadget_export_dialog_new (self->engine, session, selected);

  g_signal_connect_object (dialog, "exported", G_CALLBACK (exported_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (dialog, "print", G_CALLBACK (print_cb), self, G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}
