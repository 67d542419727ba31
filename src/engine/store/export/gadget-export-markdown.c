/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as Markdown. A chat is a heading of the first level, a message one of the second; the
 * answer of a model is Markdown already and is left as it is. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-json.h"
#include "gadget-export-private.h"
#include "session/gadget-call-summary.h"
#include "session/gadget-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The columns of the query for the items of a turn. */
enum
{
  ITEM_KIND,
  ITEM_TEXT,
  ITEM_NAME,
  ITEM_SUMMARY,
  ITEM_CALL_SUMMARY,
  ITEM_ATTACHMENTS,
};

static char *
dup_text (sqlite3_stmt *stmt, int column)
{
  char *text = _gadget_sql_dup_text (stmt, column);

  return text != NULL ? text : g_strdup ("");
}

static char *
dup_time (gint64 ms)
{
  g_autoptr (GDateTime) time = ms > 0 ? g_date_time_new_from_unix_local (ms / 1000) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : NULL;
}

static gboolean G_GNUC_PRINTF (3, 4)
    print (GadgetExport *self, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return _gadget_export_write (self, text, error);
}

/* Returns the text as a block of code: between fences that are longer than any in the text. */
static char *
dup_code_block (const char *text)
{
  guint longest = 2;
  guint length = 0;
  g_autofree char *fence = NULL;
  const gboolean has_end = g_str_has_suffix (text, "\n");

  for (const char *at = text; *at != '\0'; at++)
    {
      length = *at == '`' ? length + 1 : 0;
      longest = MAX (longest, length);
    }
  fence = g_strnfill (longest + 1, '`');
  return g_strdup_printf ("%s\n%s%s%s", fence, text, has_end ? "" : "\n", fence);
}

/* Returns the text as a quotation, each line of it. */
static char *
dup_quotation (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\n> ", lines);

  return g_strconcat ("> ", joined, NULL);
}

/* Writes the names of the files that are attached to a message. */
static gboolean
write_attachments (GadgetExport *self, const char *json, GError **error)
{
  g_autoptr (JsonNode) node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonArray *array =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      const char *name = gadget_json_get_string (gadget_json_get_element (array, i), "name");
      /* Translators: the name of a file */
      g_autofree char *line = name != NULL ? g_strdup_printf (_ ("Attached: %s"), name)
                                           : g_strdup (_ ("Attached: a picture"));

      if (!print (self, error, "*%s*\n\n", line))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_call (GadgetExport *self, sqlite3_stmt *stmt, const char *output, GError **error)
{
  g_autofree char *json = _gadget_sql_dup_text (stmt, ITEM_CALL_SUMMARY);
  g_autoptr (GadgetCallSummary) summary =
      json != NULL ? gadget_call_summary_from_json (json) : NULL;
  g_autofree char *text = summary != NULL ? gadget_call_summary_dup_plain_text (summary)
                                          : dup_text (stmt, ITEM_SUMMARY);
  g_autofree char *name = dup_text (stmt, ITEM_NAME);
  g_autofree char *quotation = dup_quotation (*text != '\0' ? text : name);
  g_autofree char *code = *output != '\0' ? dup_code_block (output) : NULL;

  return print (self, error, "%s\n\n", quotation)
         && (code == NULL || print (self, error, "%s\n\n", code));
}

static gboolean
write_reasoning (GadgetExport *self, const char *text, GError **error)
{
  g_autofree char *quotation = dup_quotation (text);

  return print (self, error, "**%s**\n\n%s\n\n", _ ("Reasoning"), quotation);
}

static gboolean
write_message (GadgetExport *self, const char *text, const char *attachments, GError **error)
{
  return print (self, error, "## %s\n\n%s\n\n", _ ("You"), text)
         && write_attachments (self, attachments, error);
}

static gboolean
write_item (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *kind = dup_text (stmt, ITEM_KIND);
  g_autofree char *text = dup_text (stmt, ITEM_TEXT);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, ITEM_ATTACHMENTS);

  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      return print (self, error, "%s\n\n", text);
    case GADGET_ITEM_STEER:
      return write_message (self, text, attachments, error);
    case GADGET_ITEM_TOOL_CALL:
      return (self->parts & GADGET_EXPORT_TOOLS) == 0 || write_call (self, stmt, text, error);
    case GADGET_ITEM_REASONING:
      return (self->parts & GADGET_EXPORT_REASONING) == 0 || *text == '\0'
             || write_reasoning (self, text, error);
    case GADGET_ITEM_SUMMARY:
    case GADGET_ITEM_NOTE:
    default:
      return TRUE;
    }
}

/* Returns what is to be said of a turn that did not simply finish; NULL for one that did. */
static const char *
get_ending (const char *status)
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

static gboolean
write_turn (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *prompt = dup_text (stmt, 1);
  g_autofree char *status = dup_text (stmt, 2);
  g_autofree char *model = dup_text (stmt, 3);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, 4);
  const char *ending = get_ending (status);

  return write_message (self, prompt, attachments, error)
         && print (self, error, "## %s\n\n", *model != '\0' ? model : _ ("Gadget"))
         && _gadget_export_foreach (
             self,
             "SELECT kind, text, name, summary, call_summary, attachments FROM item"
             " WHERE turn = ?1 ORDER BY position",
             sqlite3_column_int64 (stmt, 0), write_item, error)
         && (ending == NULL || print (self, error, "*%s*\n\n", ending));
}

static gboolean
write_session (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *title = dup_text (stmt, 1);
  g_autofree char *workspace = _gadget_sql_dup_text (stmt, 2);
  g_autofree char *time = dup_time (sqlite3_column_int64 (stmt, 3));

  return print (self, error, "%s# %s\n\n", self->n_chats > 0 ? "---\n\n" : "",
                *title != '\0' ? title : _ ("New chat"))
         && (time == NULL || print (self, error, "*%s*\n\n", time))
         /* Translators: the path of a folder */
         && (workspace == NULL || print (self, error, _ ("*Folder: %s*\n\n"), workspace))
         && _gadget_export_foreach (self,
                                    "SELECT number, prompt, status, model, attachments FROM turn"
                                    " WHERE session = ?1 AND removed_at IS NULL ORDER BY position",
                                    sqlite3_column_int64 (stmt, 0), write_turn, error);
}

gboolean
_gadget_export_markdown_chat (GadgetExport *self, gint64 number, GError **error)
{
  return _gadget_export_foreach (
      self, "SELECT number, title, workspace, created_at FROM session WHERE number = ?1", number,
      write_session, error);
}
