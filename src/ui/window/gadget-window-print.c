/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prints chats by GTK's dialog. Of a long chat, the dialog comes a moment later; meanwhile a toast
 * says so, by which the user can cancel. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-toast.h"
#include "ui/print/gadget-print.h"

#include <glib/gi18n.h>

/* The toast is shown when the preparation takes longer than this, in milliseconds. */
#define TOAST_MS 300

typedef struct
{
  GadgetWindow *window;
  GCancellable *cancellable;
  AdwToast *toast; /* (nullable): while it is shown */
  guint toast_id;
} Printing;

static void
printing_free (Printing *printing)
{
  g_clear_handle_id (&printing->toast_id, g_source_remove);
  if (printing->toast != NULL)
    gadget_toast_dismiss (printing->toast);
  g_clear_object (&printing->toast);
  g_object_unref (printing->cancellable);
  g_object_unref (printing->window);
  g_free (printing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Printing, printing_free)

static void
fail (GadgetWindow *self, const GError *error)
{
  g_autofree char *text = NULL;

  if (self->engine == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  text = gadget_error_labels_dup (_ ("The chat could not be printed."), error);
  gadget_chat_add_toast (self->chat, gadget_toast_new (text));
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, GadgetWindow *self)
{
  g_autoptr (GError) error = NULL;

  if (result != GTK_PRINT_OPERATION_RESULT_ERROR)
    return;
  gtk_print_operation_get_error (operation, &error);
  fail (self, error);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Printing) printing = user_data;
  GadgetWindow *self = printing->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation =
      gadget_print_prepare_finish (GADGET_ENGINE (source), result, &error);

  if (operation == NULL)
    {
      fail (self, error);
      return;
    }
  if (self->engine == NULL)
    return;
  g_signal_connect_object (operation, "done", G_CALLBACK (done_cb), self, G_CONNECT_DEFAULT);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (self),
                           NULL);
}

static void
cancel_cb (GCancellable *cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
show_toast_cb (gpointer user_data)
{
  Printing *printing = user_data;
  AdwToast *toast;

  printing->toast_id = 0;
  /* The window was closed. */
  if (printing->window->engine == NULL)
    {
      cancel_cb (printing->cancellable);
      return;
    }
  toast = gadget_toast_new (_ ("Preparing to print…"));
  printing->toast = g_object_ref (toast);
  adw_toast_set_button_label (toast, _ ("_Cancel"));
  adw_toast_set_timeout (toast, 0);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (cancel_cb), printing->cancellable,
                           G_CONNECT_SWAPPED);
  gadget_chat_add_toast (printing->window->chat, toast);
}

/**
 * _gadget_window_print:
 * @ids: (array zero-terminated=1): the ids of the chats
 *
 * Asks how to print chats, and prints them.
 */
void
_gadget_window_print (GadgetWindow *self, const char *const *ids, GadgetExportParts parts)
{
  GadgetSession *session =
      ids[1] == NULL ? gadget_engine_find_session (self->engine, ids[0]) : NULL;
  const char *title = session != NULL ? gadget_labels_title (session) : _ ("Chats");
  Printing *printing = g_new0 (Printing, 1);

  printing->window = g_object_ref (self);
  printing->cancellable = g_cancellable_new ();
  printing->toast_id = g_timeout_add_once (TOAST_MS, show_toast_cb, printing);
  g_source_set_name_by_id (printing->toast_id, "gadget-window printing");
  gadget_print_prepare_async (self->engine, ids, parts, title, printing->cancellable, prepared_cb,
                              printing);
}
