/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prints chats. What is not saved yet is saved first; then they are read and cut into pieces in
 * threads. The pieces are placed on pages in steps, when GTK is idle, and so is each page drawn. */

#define G_LOG_DOMAIN "gadget-print"

#include "config.h"

#include "gadget-print.h"

#include "gadget-print-pages.h"
#include "store/export/gadget-export-blocks.h"

#include <adwaita.h>

/* How long unsaved text may take to be saved, in milliseconds. */
#define SETTLE_MS 1000

#define MARGIN_MM 18

typedef struct
{
  char **ids;
  GadgetExportParts parts;
  char *title;
  char *font;
  char *monospace;
  GPtrArray *blocks; /* (nullable): once the chats are read */
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *preparation = data;

  g_strfreev (preparation->ids);
  g_free (preparation->title);
  g_free (preparation->font);
  g_free (preparation->monospace);
  g_clear_pointer (&preparation->blocks, g_ptr_array_unref);
  g_free (preparation);
}

/* --- The operation ---------------------------------------------------------------------------- */

static gboolean
paginate_cb (GtkPrintOperation *operation, GtkPrintContext *context, GadgetPrintPages *pages)
{
  if (!gadget_print_pages_place (pages, context))
    return FALSE;
  gtk_print_operation_set_n_pages (operation, (int) gadget_print_pages_get_n (pages));
  return TRUE;
}

static void
draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page,
              GadgetPrintPages *pages)
{
  gadget_print_pages_draw (pages, context, (guint) page);
}

static void
set_margins (GtkPrintOperation *operation)
{
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();

  gtk_page_setup_set_top_margin (setup, MARGIN_MM, GTK_UNIT_MM);
  gtk_page_setup_set_bottom_margin (setup, MARGIN_MM / 2.0, GTK_UNIT_MM);
  gtk_page_setup_set_left_margin (setup, MARGIN_MM, GTK_UNIT_MM);
  gtk_page_setup_set_right_margin (setup, MARGIN_MM, GTK_UNIT_MM);
  gtk_print_operation_set_default_page_setup (operation, setup);
}

static void
free_pages (gpointer pages)
{
  gadget_print_pages_free (pages);
}

/* @pieces: (transfer full) */
static GtkPrintOperation *
make_operation (const Preparation *preparation, GPtrArray *pieces)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPrintSettings) settings = gtk_print_settings_new ();
  g_autofree char *name = g_strdup (preparation->title);
  GadgetPrintPages *pages = gadget_print_pages_new (pieces, preparation->title, preparation->font,
                                                    preparation->monospace);

  g_object_set_data_full (G_OBJECT (operation), "pages", pages, free_pages);
  g_signal_connect (operation, "paginate", G_CALLBACK (paginate_cb), pages);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), pages);
  gtk_print_settings_set (settings, GTK_PRINT_SETTINGS_OUTPUT_BASENAME,
                          g_strdelimit (name, "/", ' '));
  gtk_print_operation_set_print_settings (operation, settings);
  set_margins (operation);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, preparation->title);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  gtk_print_operation_set_show_progress (operation, TRUE);
  gtk_print_operation_set_allow_async (operation, TRUE);
  return operation;
}

/* --- Preparing -------------------------------------------------------------------------------- */

static void
cut_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Preparation *preparation = data;
  GPtrArray *pieces =
      gadget_print_pieces_new (preparation->blocks, preparation->monospace, cancellable);

  if (pieces != NULL)
    g_task_return_pointer (task, pieces, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error_if_cancelled (task);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *preparation = g_task_get_task_data (task);
  GError *error = NULL;

  preparation->blocks = gadget_export_blocks_finish (result, &error);
  if (preparation->blocks != NULL)
    g_task_run_in_thread (task, cut_in_thread);
  else
    g_task_return_error (task, error);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Preparation *preparation = g_task_get_task_data (task);
  GadgetStore *store = gadget_engine_get_store (GADGET_ENGINE (source));
  GCancellable *cancellable = g_task_get_cancellable (task);

  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  gadget_export_blocks_async (gadget_store_get_directory (store),
                              (const char *const *) preparation->ids, preparation->parts,
                              cancellable, read_cb, g_steal_pointer (&task));
}

static char *
dup_family (const char *name)
{
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string (name);
  const char *family = pango_font_description_get_family (font);

  return g_strdup (family != NULL ? family : "Sans");
}

void
gadget_print_prepare_async (GadgetEngine *engine, const char *const *ids, GadgetExportParts parts,
                            const char *title, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  Preparation *preparation;
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (engine) && ids != NULL && title != NULL);

  preparation = g_new0 (Preparation, 1);
  preparation->ids = g_strdupv ((char **) ids);
  preparation->parts = parts;
  preparation->title = g_strdup (title);
  preparation->font = dup_family (adw_style_manager_get_document_font_name (style));
  preparation->monospace = dup_family (adw_style_manager_get_monospace_font_name (style));
  task = g_task_new (engine, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_print_prepare_async);
  g_task_set_task_data (task, preparation, preparation_free);
  gadget_engine_settle_async (engine, SETTLE_MS, settled_cb, task);
}

GtkPrintOperation *
gadget_print_prepare_finish (GadgetEngine *engine, GAsyncResult *result, GError **error)
{
  GPtrArray *pieces;

  g_return_val_if_fail (g_task_is_valid (result, engine), NULL);

  pieces = g_task_propagate_pointer (G_TASK (result), error);
  return pieces != NULL ? make_operation (g_task_get_task_data (G_TASK (result)), pieces) : NULL;
}
