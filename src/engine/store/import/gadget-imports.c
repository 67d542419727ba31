/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The imports of a process: they wait for each other, and their reports stay until the process
 * ends. An import that is cancelled has no report. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include "gadget-imports.h"

#include "common/gadget-clock.h"
#include "gadget-import-clean-up.h"
#include "gadget-import-error.h"
#include "gadget-import-undo.h"

/* The thread of an import that was stopped ends within less, and then others may take its lease. */
#define CLEAN_UP_SECONDS 2

struct _GadgetImports
{
  GObject parent_instance;

  GadgetStore *store;
  GPtrArray *waiting;  /* of char ** */
  GPtrArray *finished; /* of GadgetImported */
  char *running;       /* (nullable) */
  GCancellable *cancellable;
  guint clean_up; /* the source that removes what a stopped import wrote */
  double fraction;
  guint n_chats;
};

/* An undo that goes on. */
typedef struct
{
  GadgetImports *imports;
  GadgetImported *imported; /* which the imports own */
} Undo;

enum
{
  CHANGED,
  ENDED,
  PROGRESSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetImports, gadget_imports, G_TYPE_OBJECT)

static void start_next (GadgetImports *self); /* called by the end of the import before it */

static void
imported_free (gpointer data)
{
  GadgetImported *imported = data;

  g_free (imported->name);
  g_free (imported->report);
  g_free (imported->problem);
  g_clear_error (&imported->error);
  g_free (imported);
}

static void
progressed_cb (double fraction, guint n_chats, gpointer user_data)
{
  GadgetImports *self = user_data;

  self->fraction = fraction;
  self->n_chats = n_chats;
  g_signal_emit (self, signals[PROGRESSED], 0);
}

static void
clean_up_cb (gpointer data)
{
  GadgetImports *self = data;

  self->clean_up = 0;
  gadget_import_clean_up (self->store);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetImports) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree GadgetImportReport *report = gadget_import_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_handle_id (&self->clean_up, g_source_remove);
      self->clean_up = g_timeout_add_seconds_once (CLEAN_UP_SECONDS, clean_up_cb, self);
      g_source_set_name_by_id (self->clean_up, "[gadget] remove a stopped import");
    }
  else
    {
      GadgetImported *imported = g_new0 (GadgetImported, 1);

      imported->name = g_strdup (self->running);
      imported->ended_at = gadget_clock_wall_ms ();
      imported->report = g_steal_pointer (&report);
      if (error != NULL && error->domain == GADGET_IMPORT_ERROR)
        imported->problem = g_strdup (error->message);
      imported->error = g_steal_pointer (&error);
      g_ptr_array_insert (self->finished, 0, imported);
      g_signal_emit (self, signals[ENDED], 0, imported);
    }
  g_clear_pointer (&self->running, g_free);
  g_clear_object (&self->cancellable);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
start_next (GadgetImports *self)
{
  g_auto (GStrv) paths = NULL;
  g_autoptr (GStrvBuilder) names = NULL;
  g_auto (GStrv) list = NULL;

  if (self->running != NULL || self->waiting->len == 0)
    return;
  paths = g_ptr_array_steal_index (self->waiting, 0);
  names = g_strv_builder_new ();
  for (guint i = 0; paths[i] != NULL; i++)
    g_strv_builder_take (names, g_filename_display_basename (paths[i]));
  list = g_strv_builder_end (names);
  self->running = g_strjoinv (", ", list);
  self->fraction = 0;
  self->n_chats = 0;
  self->cancellable = g_cancellable_new ();
  gadget_import_async (gadget_store_get_directory (self->store), (const char *const *) paths,
                       self->cancellable, progressed_cb, imported_cb, g_object_ref (self));
}

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Undo *undo = user_data;
  g_autoptr (GadgetImports) self = undo->imports;
  g_autoptr (GError) error = NULL;
  guint n_removed;

  undo->imported->undoing = FALSE;
  undo->imported->undone =
      gadget_import_undo_finish (result, &n_removed, &undo->imported->n_kept, &error);
  if (error != NULL)
    g_message ("an import could not be undone: %s", error->message);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
gadget_imports_finalize (GObject *object)
{
  GadgetImports *self = GADGET_IMPORTS (object);

  g_clear_handle_id (&self->clean_up, g_source_remove);
  g_object_unref (self->store);
  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->finished);

  G_OBJECT_CLASS (gadget_imports_parent_class)->finalize (object);
}

static void
gadget_imports_class_init (GadgetImportsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_imports_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[PROGRESSED] = g_signal_new ("progressed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_imports_init (GadgetImports *self)
{
  self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->finished = g_ptr_array_new_with_free_func (imported_free);
}

GadgetImports *
gadget_imports_new (GadgetStore *store)
{
  GadgetImports *self = g_object_new (GADGET_TYPE_IMPORTS, NULL);

  self->store = g_object_ref (store);
  return self;
}

void
gadget_imports_start (GadgetImports *self, const char *const *paths)
{
  g_return_if_fail (GADGET_IS_IMPORTS (self) && paths != NULL && paths[0] != NULL);

  g_ptr_array_add (self->waiting, g_strdupv ((char **) paths));
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gadget_imports_cancel (GadgetImports *self)
{
  g_return_if_fail (GADGET_IS_IMPORTS (self));

  g_ptr_array_set_size (self->waiting, 0);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

const char *
gadget_imports_get_running (GadgetImports *self)
{
  g_return_val_if_fail (GADGET_IS_IMPORTS (self), NULL);
  return self->running;
}

double
gadget_imports_get_fraction (GadgetImports *self)
{
  g_return_val_if_fail (GADGET_IS_IMPORTS (self), 0);
  return self->fraction;
}

guint
gadget_imports_get_n_chats (GadgetImports *self)
{
  g_return_val_if_fail (GADGET_IS_IMPORTS (self), 0);
  return self->n_chats;
}

GPtrArray *
gadget_imports_get_finished (GadgetImports *self)
{
  g_return_val_if_fail (GADGET_IS_IMPORTS (self), NULL);
  return self->finished;
}

void
gadget_imports_undo (GadgetImports *self, GadgetImported *imported)
{
  Undo *undo;

  g_return_if_fail (GADGET_IS_IMPORTS (self) && imported != NULL);

  if (imported->undoing || imported->undone || imported->report == NULL
      || imported->report->number == 0)
    return;
  imported->undoing = TRUE;
  undo = g_new0 (Undo, 1);
  undo->imports = g_object_ref (self);
  undo->imported = imported;
  gadget_import_undo_async (gadget_store_get_directory (self->store), imported->report->number,
                            FALSE, NULL, undone_cb, undo);
  g_signal_emit (self, signals[CHANGED], 0);
}
