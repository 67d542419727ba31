/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The effects ledger as a table for other programs. Both formats have the same members: texts as
 * they are stored, times in the local time zone with its offset, "" or null for what is not known.
 */

#define G_LOG_DOMAIN "gadget-export"

#include "config.h"

#include "gadget-effect-export.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* So many effects are read and written at a time. */
#define PAGE 500

/* The data of the task. */
typedef struct
{
  GadgetStore *store;
  GadgetEffectQuery query; /* owns its strings */
  GadgetEffectFormat format;
  GString *text;
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  g_object_unref (export->store);
  gadget_effect_query_clear (&export->query);
  g_string_free (export->text, TRUE);
  g_free (export);
}

/* --- Members ---------------------------------------------------------------------------------- */

static const char *const names[] = { "time",   "kind",    "subject", "chat",    "chat_id",
                                     "folder", "outcome", "ended",   "network", "undone" };

/* (transfer full) (nullable) */
static char *
dup_time (gint64 ms)
{
  g_autoptr (GDateTime) time = ms > 0 ? g_date_time_new_from_unix_local (ms / 1000) : NULL;

  return time != NULL ? g_date_time_format_iso8601 (time) : NULL;
}

/* Sets the values in the order of @names; those that are NULL are not known. */
static void
get_values (const GadgetFoundEffect *found, char *values[G_N_ELEMENTS (names)])
{
  const GadgetEffectRow *row = found->row;
  guint n = 0;

  values[n++] = dup_time (row->started_at);
  values[n++] = g_strdup (gadget_effect_kind_to_string (row->kind));
  values[n++] = g_strdup (row->subject);
  values[n++] = g_strdup (found->title);
  values[n++] = g_strdup (found->session_id);
  values[n++] = g_strdup (found->workspace);
  values[n++] = g_strdup (row->outcome);
  values[n++] = dup_time (row->ended_at);
  values[n++] = row->network >= 0 ? g_strdup (row->network ? "yes" : "no") : NULL;
  values[n] = dup_time (found->undone_at);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void
append_cell (GString *text, const char *value)
{
  const char *cell = value != NULL ? value : "";

  if (strpbrk (cell, "\",\r\n") == NULL)
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  for (; *cell != '\0'; cell++)
    {
      if (*cell == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *cell);
    }
  g_string_append_c (text, '"');
}

static void
append_line (GString *text, const char *const *values)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      append_cell (text, values[i]);
    }
  g_string_append (text, "\r\n");
}

static void
append_object (GString *text, const char *const *values)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *json = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (values[i] != NULL)
      json_object_set_string_member (object, names[i], values[i]);
    else
      json_object_set_null_member (object, names[i]);
  json_node_set_object (node, object);
  json = json_to_string (node, FALSE);
  g_string_append_printf (text, "%s%s", text->len > 1 ? ",\n" : "\n", json);
}

static void
append (Export *export, const GadgetFoundEffect *found)
{
  char *values[G_N_ELEMENTS (names)];

  get_values (found, values);
  if (export->format == GADGET_EFFECT_FORMAT_CSV)
    append_line (export->text, (const char *const *) values);
  else
    append_object (export->text, (const char *const *) values);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (values[i]);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void read_page (GTask *task); /* also called for the next page */

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Export *export = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) found =
      gadget_store_find_effects_finish (GADGET_STORE (source), result, &error);

  if (found == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < found->len; i++)
    append (export, g_ptr_array_index (found, i));
  if (found->len == PAGE)
    {
      const GadgetFoundEffect *last = g_ptr_array_index (found, PAGE - 1);

      export->query.before = last->row->started_at;
      export->query.before_number = last->row->number;
      read_page (g_steal_pointer (&task));
      return;
    }
  if (export->format == GADGET_EFFECT_FORMAT_JSON)
    g_string_append (export->text, "\n]\n");
  g_task_return_pointer (task, g_bytes_new (export->text->str, export->text->len),
                         (GDestroyNotify) g_bytes_unref);
}

/* @task is (transfer full). */
static void
read_page (GTask *task)
{
  Export *export = g_task_get_task_data (task);

  gadget_store_find_effects_async (export->store, &export->query, read_cb, task);
}

void
gadget_effect_export_async (GadgetStore *store, const GadgetEffectQuery *query,
                            GadgetEffectFormat format, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Export *export;
  GTask *task;

  g_return_if_fail (GADGET_IS_STORE (store) && query != NULL);

  export = g_new0 (Export, 1);
  export->store = g_object_ref (store);
  export->query = gadget_effect_query_copy (query);
  export->query.before = 0;
  export->query.limit = PAGE;
  export->format = format;
  export->text = g_string_new (format == GADGET_EFFECT_FORMAT_JSON ? "[" : NULL);
  if (format == GADGET_EFFECT_FORMAT_CSV)
    append_line (export->text, names);
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_effect_export_async);
  g_task_set_task_data (task, export, export_free);
  read_page (task);
}

GBytes *
gadget_effect_export_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_effect_export_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
