/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as one page of HTML that looks like the window. It has no scripts and loads nothing, and
 * its policy (Content Security Policy Level 3) keeps a browser from either, should the escaping in
 * gadget-export-render.c ever fail. What is folded in the window can be unfolded. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-json.h"
#include "gadget-export-private.h"
#include "gadget-export-render.h"
#include "session/gadget-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define POLICY                                                                                     \
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"                 \
  " form-action 'none'"

static char *
dup_escaped (const char *text)
{
  GString *html = g_string_new (NULL);

  gadget_export_render_text (html, text);
  return g_string_free_and_steal (html);
}

/* Writes a line that unfolds to show a block of text. */
static gboolean
write_fold (GadgetExport *self, const char *line, const char *output, GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);

  gadget_export_render_output (html, output);
  return _gadget_export_print (self, error,
                               "<details><summary>%s</summary><pre dir=\"ltr\">%s</pre>"
                               "</details>\n",
                               line, html->str);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static gboolean
write_picture (GadgetExport *self, sqlite3_stmt *stmt, const char *name, const char *mime_type,
               GError **error)
{
  static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp", NULL };
  g_autofree char *alternative = dup_escaped (name);
  g_autofree char *base64 = NULL;

  if (mime_type == NULL || !g_strv_contains (types, mime_type))
    return TRUE;
  base64 = g_base64_encode (sqlite3_column_blob (stmt, 0), (gsize) sqlite3_column_bytes (stmt, 0));
  return _gadget_export_print (self, error, "<p><img alt=\"%s\" src=\"data:%s;base64,", alternative,
                               mime_type)
         && _gadget_export_write (self, base64, error)
         && _gadget_export_write (self, "\"></p>\n", error);
}

static gboolean
write_result_picture (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *name = _gadget_export_dup_text (stmt, 1);
  g_autofree char *mime_type = _gadget_sql_dup_text (stmt, 2);

  return write_picture (self, stmt, name, mime_type, error);
}

static gboolean
write_attached_picture (GadgetExport *self, JsonObject *attachment, const char *name,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (self->db, "SELECT data FROM attachment WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, gadget_json_get_string (attachment, "picture"));
  return _gadget_sql_next (stmt, &has_row, error)
         && (!has_row
             || write_picture (self, stmt, name, gadget_json_get_string (attachment, "mime_type"),
                               error));
}

/* --- Messages --------------------------------------------------------------------------------- */

static gboolean
write_attachment (GadgetExport *self, JsonObject *attachment, GError **error)
{
  g_autofree char *name = _gadget_export_dup_attachment_name (attachment);
  g_autofree char *line = dup_escaped (name);
  const gboolean whole = (self->parts & GADGET_EXPORT_ATTACHMENTS) != 0;
  const char *text = whole ? gadget_json_get_string (attachment, "text") : NULL;

  if (text != NULL)
    return write_fold (self, line, text, error);
  return _gadget_export_print (self, error, "<p class=\"dim\">%s</p>\n", line)
         && (!whole || gadget_json_get_string (attachment, "picture") == NULL
             || write_attached_picture (self, attachment, name, error));
}

static gboolean
write_message (GadgetExport *self, const char *text, const char *json, GError **error)
{
  g_autofree char *prompt = dup_escaped (text);
  g_autoptr (JsonNode) root = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonArray *array = _gadget_export_get_attachments (root);

  if (!_gadget_export_print (self, error,
                             "<section class=\"message\">\n<h2>%s</h2>\n"
                             "<div class=\"prompt\" dir=\"auto\">%s</div>\n",
                             _ ("You"), prompt))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    if (!write_attachment (self, gadget_json_get_element (array, i), error))
      return FALSE;
  return _gadget_export_write (self, "</section>\n", error);
}

/* --- Items ------------------------------------------------------------------------------------ */

static gboolean
write_answer (GadgetExport *self, const char *text, GError **error)
{
  g_autoptr (GString) html = g_string_new ("<div class=\"answer\" dir=\"auto\">\n");

  gadget_export_render_markdown (html, text);
  g_string_append (html, "</div>\n");
  return _gadget_export_write (self, html->str, error);
}

static gboolean
write_reasoning (GadgetExport *self, const char *text, GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);

  g_string_append_printf (html, "<details><summary>%s</summary>\n", _ ("Reasoning"));
  g_string_append (html, "<div class=\"answer dim\" dir=\"auto\">\n");
  gadget_export_render_markdown (html, text);
  g_string_append (html, "</div></details>\n");
  return _gadget_export_write (self, html->str, error);
}

static gboolean
write_call (GadgetExport *self, sqlite3_stmt *stmt, const char *output, GError **error)
{
  g_autofree char *call = _gadget_export_dup_call (stmt);
  g_autofree char *line = dup_escaped (call);

  if (*output != '\0')
    {
      if (!write_fold (self, line, output, error))
        return FALSE;
    }
  else if (!_gadget_export_print (self, error, "<p class=\"line\" dir=\"auto\">%s</p>\n", line))
    return FALSE;
  return (self->parts & GADGET_EXPORT_ATTACHMENTS) == 0
         || _gadget_export_foreach (self,
                                    "SELECT picture.data, picture.name, picture.mime_type"
                                    " FROM item JOIN picture"
                                    " ON picture.turn = item.turn AND picture.item = item.position"
                                    " WHERE item.number = ?1 ORDER BY picture.position",
                                    sqlite3_column_int64 (stmt, GADGET_EXPORT_ITEM_NUMBER),
                                    write_result_picture, error);
}

static gboolean
write_item (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *kind = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_KIND);
  g_autofree char *text = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_TEXT);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, GADGET_EXPORT_ITEM_ATTACHMENTS);

  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      return write_answer (self, text, error);
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

/* --- Chats ------------------------------------------------------------------------------------ */

/* The line below an answer: how its turn ended, unless it simply finished, and the model. */
static gboolean
write_footer (GadgetExport *self, const char *status, const char *model, GError **error)
{
  const char *ending = _gadget_export_get_ending (status);
  g_autofree char *escaped = dup_escaped (model);

  if (ending == NULL)
    return _gadget_export_print (self, error, "<p class=\"footer dim\">%s</p>\n", escaped);
  return _gadget_export_print (self, error,
                               "<p class=\"footer dim\"><b class=\"%s\">%s</b>%s%s</p>\n",
                               g_str_equal (status, "error") ? "failed" : "stopped", ending,
                               *model != '\0' ? " · " : "", escaped);
}

static gboolean
write_turn (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *prompt = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_PROMPT);
  g_autofree char *status = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_STATUS);
  g_autofree char *model = _gadget_export_dup_text (stmt, GADGET_EXPORT_TURN_MODEL);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, GADGET_EXPORT_TURN_ATTACHMENTS);
  g_autofree char *name = dup_escaped (*model != '\0' ? model : _ ("Gadget"));

  return write_message (self, prompt, attachments, error)
         && _gadget_export_print (self, error, "<section>\n<h2>%s</h2>\n", name)
         && _gadget_export_foreach (self, GADGET_EXPORT_ITEMS_SQL,
                                    sqlite3_column_int64 (stmt, GADGET_EXPORT_TURN_NUMBER),
                                    write_item, error)
         && write_footer (self, status, model, error)
         && _gadget_export_write (self, "</section>\n", error);
}

static gboolean
write_chat (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *title = _gadget_export_dup_title (stmt);
  g_autofree char *workspace = _gadget_export_dup_text (stmt, GADGET_EXPORT_CHAT_WORKSPACE);
  g_autofree char *time =
      _gadget_export_dup_time (sqlite3_column_int64 (stmt, GADGET_EXPORT_CHAT_TIME));
  g_autofree char *heading = dup_escaped (title);
  g_autofree char *folder = dup_escaped (workspace);

  return _gadget_export_print (
             self, error,
             "<article>\n<h1 dir=\"auto\">%s</h1>\n<p class=\"about dim\">%s%s%s</p>\n", heading,
             time != NULL ? time : "", time != NULL && *folder != '\0' ? " · " : "", folder)
         && _gadget_export_foreach (self, GADGET_EXPORT_TURNS_SQL,
                                    sqlite3_column_int64 (stmt, GADGET_EXPORT_CHAT_NUMBER),
                                    write_turn, error)
         && _gadget_export_write (self, "</article>\n", error);
}

/* Returns the title of the page: that of the chat, if it has only one. (transfer full) (nullable)
 */
static char *
dup_page_title (GadgetExport *self, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (self->ids == NULL || g_strv_length (self->ids) != 1)
    return g_strdup (_ ("Chats"));
  stmt = _gadget_sql_prepare (self->db, "SELECT number, title FROM session WHERE id = ?1", error);
  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, self->ids[0]);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return NULL;
  return has_row ? _gadget_export_dup_title (stmt) : g_strdup (_ ("Chats"));
}

gboolean
_gadget_export_html_begin (GadgetExport *self, GError **error)
{
  g_autofree char *title = dup_page_title (self, error);
  g_autofree char *escaped = title != NULL ? dup_escaped (title) : NULL;

  return title != NULL
         && _gadget_export_print (
             self, error,
             "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n"
             "<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
             escaped, _gadget_export_html_style);
}

gboolean
_gadget_export_html_chat (GadgetExport *self, gint64 number, GError **error)
{
  return _gadget_export_foreach (self, GADGET_EXPORT_CHAT_SQL, number, write_chat, error);
}

gboolean
_gadget_export_html_end (GadgetExport *self, GError **error)
{
  return _gadget_export_write (self, "</main>\n</body>\n</html>\n", error);
}
