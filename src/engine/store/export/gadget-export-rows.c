/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the formats that are read by people have in common: the words for the rows of a chat. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-json.h"
#include "common/gadget-types.h"
#include "gadget-export-private.h"
#include "session/gadget-call-summary.h"

#include <glib/gi18n-lib.h>

gboolean
_gadget_export_print (GadgetExport *self, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return _gadget_export_write (self, text, error);
}

char *
_gadget_export_dup_text (sqlite3_stmt *stmt, int column)
{
  char *text = _gadget_sql_dup_text (stmt, column);

  return text != NULL ? text : g_strdup ("");
}

char *
_gadget_export_dup_title (sqlite3_stmt *chat)
{
  g_autofree char *title = _gadget_export_dup_text (chat, GADGET_EXPORT_CHAT_TITLE);

  return *title != '\0' ? g_steal_pointer (&title) : g_strdup (_ ("New chat"));
}

char *
_gadget_export_dup_time (gint64 ms)
{
  g_autoptr (GDateTime) time = ms > 0 ? g_date_time_new_from_unix_local (ms / 1000) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : NULL;
}

char *
_gadget_export_dup_call (sqlite3_stmt *item)
{
  g_autofree char *json = _gadget_sql_dup_text (item, GADGET_EXPORT_ITEM_CALL_SUMMARY);
  g_autoptr (GadgetCallSummary) summary =
      json != NULL ? gadget_call_summary_from_json (json) : NULL;
  g_autofree char *text = summary != NULL
                              ? gadget_call_summary_dup_plain_text (summary)
                              : _gadget_export_dup_text (item, GADGET_EXPORT_ITEM_SUMMARY);

  return *text != '\0' ? g_steal_pointer (&text)
                       : _gadget_export_dup_text (item, GADGET_EXPORT_ITEM_NAME);
}

char *
_gadget_export_dup_attachment_name (JsonObject *attachment)
{
  const char *name = gadget_json_get_string (attachment, "name");

  /* Translators: the name of a file */
  return name != NULL ? g_strdup_printf (_ ("Attached: %s"), name)
                      : g_strdup (_ ("Attached: a picture"));
}

JsonArray *
_gadget_export_get_attachments (JsonNode *root)
{
  return root != NULL && JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL;
}

const char *
_gadget_export_get_ending (const char *status)
{
  switch (gadget_turn_status_from_string (status))
    {
    case GADGET_TURN_PROCESSING:
      return _ ("The turn is going on.");
    case GADGET_TURN_ABORTED:
      return _ ("Stopped");
    case GADGET_TURN_ERROR:
      return _ ("Failed");
    case GADGET_TURN_FINISHED:
    default:
      return NULL;
    }
}
