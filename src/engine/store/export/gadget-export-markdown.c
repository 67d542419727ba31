/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as Markdown. A chat is a heading of the first level, a message one of the second; the
 * answer of a model is Markdown already and is left as it is. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-json.h"
#include "gadget-export-private.h"
#include "session/gadget-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

/* Writes the names of the files that are attached to a message, and the texts of those that are
 * texts. */
static gboolean
write_attachments (GadgetExport *self, const char *json, GError **error)
{
  g_autoptr (JsonNode) root = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonArray *array = _gadget_export_get_attachments (root);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *attachment = gadget_json_get_element (array, i);
      g_autofree char *name = _gadget_export_dup_attachment_name (attachment);
      const char *text = (self->parts & GADGET_EXPORT_ATTACHMENTS) != 0
                             ? gadget_json_get_string (attachment, "text")
                             : NULL;
      g_autofree char *code = text != NULL ? dup_code_block (text) : NULL;

      if (!_gadget_export_print (self, error, "*%s*\n\n", name)
          || (code != NULL && !_gadget_export_print (self, error, "%s\n\n", code)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_call (GadgetExport *self, sqlite3_stmt *stmt, const char *output, GError **error)
{
  g_autofree char *text = _gadget_export_dup_call (stmt);
  g_autofree char *quotation = dup_quotation (text);
  g_autofree char *code = *output != '\0' ? dup_code_block (output) : NULL;

  return _gadget_export_print (self, error, "%s\n\n", quotation)
         && (code == NULL || _gadget_export_print (self, error, "%s\n\n", code));
}

static gboolean
write_reasoning (GadgetExport *self, const char *text, GError **error)
{
  g_autofree char *quotation = dup_quotation (text);

  return _gadget_export_print (self, error, "**%s**\n\n%s\n\n", _ ("Reasoning"), quotation);
}

static gboolean
write_message (GadgetExport *self, const char *text, const char *attachments, GError **error)
{
  return _gadget_export_print (self, error, "## %s\n\n%s\n\n", _ ("You"), text)
         && write_attachments (self, attachments, error);
}

static gboolean
write_item (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *kind = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_KIND);
  g_autofree char *text = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_TEXT);
  g_autofree char *attachments = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_ATTACHMENTS);

  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      return _gadget_export_print (self, error, "%s\n\n", text);
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

static gboolean
write_turn (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *prompt = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_PROMPT);
  g_autofree char *status = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_STATUS);
  g_autofree char *model = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_MODEL);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, GADGET_EXPORT_TURN_ATTACHMENTS);
  const char *ending = _gadget_export_get_ending (status);

  return write_message (self, prompt, attachments, error)
         && _gadget_export_print (self, error, "## %s\n\n", *model != '\0' ? model : _ ("Gadget"))
         && _gadget_export_foreach (self, GADGET_EXPORT_ITEMS_SQL, sqlite3_column_int64 (stmt, 0),
                                    write_item, error)
         && (ending == NULL || _gadget_export_print (self, error, "*%s*\n\n", ending));
}

static gboolean
write_session (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *title = _gadget_export_dup_title (stmt);
  g_autofree char *workspace = _gadget_sql_dup_text (stmt, GADGET_EXPORT_CHAT_WORKSPACE);
  g_autofree char *time =
      _gadget_export_dup_time (sqlite3_column_int64 (stmt, GADGET_EXPORT_CHAT_TIME));

  return _gadget_export_print (self, error, "%s# %s\n\n", self->n_chats > 0 ? "---\n\n" : "", title)
         && (time == NULL || _gadget_export_print (self, error, "*%s*\n\n", time))
         /* Translators: the path of a folder */
         && (workspace == NULL
             || _gadget_export_print (self, error, _ ("*Folder: %s*\n\n"), workspace))
         && _gadget_export_foreach (self, GADGET_EXPORT_TURNS_SQL, sqlite3_column_int64 (stmt, 0),
                                    write_turn, error);
}

gboolean
_gadget_export_markdown_chat (GadgetExport *self, gint64 number, GError **error)
{
  return _gadget_export_foreach (self, GADGET_EXPORT_CHAT_SQL, number, write_session, error);
}
