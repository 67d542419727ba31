/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as one page of HTML that looks like the window. It has no scripts and loads nothing, and
 * its policy (Content Security Policy Level 3) keeps a browser from either, should the escaping in
 * gadget-export-render.c ever fail. What is folded in the window can be unfolded. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-export-private.h"
#include "gadget-export-render.h"

#include <glib/gi18n-lib.h>

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

/* --- The parts of a chat ---------------------------------------------------------------------- */

static gboolean
begin_chat (GadgetExport *self, const char *title, const char *time, const char *workspace,
            GError **error)
{
  g_autofree char *heading = dup_escaped (title);
  g_autofree char *folder = dup_escaped (workspace != NULL ? workspace : "");

  return _gadget_export_print (
      self, error, "<article>\n<h1 dir=\"auto\">%s</h1>\n<p class=\"about dim\">%s%s%s</p>\n",
      heading, time != NULL ? time : "", time != NULL && *folder != '\0' ? " · " : "", folder);
}

static gboolean
end_chat (GadgetExport *self, GError **error)
{
  return _gadget_export_write (self, "</article>\n", error);
}

static gboolean
begin_message (GadgetExport *self, const char *text, GError **error)
{
  g_autofree char *prompt = dup_escaped (text);

  return _gadget_export_print (self, error,
                               "<section class=\"message\">\n<h2>%s</h2>\n"
                               "<div class=\"prompt\" dir=\"auto\">%s</div>\n",
                               _ ("You"), prompt);
}

static gboolean
write_attachment (GadgetExport *self, const char *name, const char *text, GError **error)
{
  g_autofree char *line = dup_escaped (name);

  if (text != NULL)
    return write_fold (self, line, text, error);
  return _gadget_export_print (self, error, "<p class=\"dim\">%s</p>\n", line);
}

static gboolean
end_section (GadgetExport *self, GError **error)
{
  return _gadget_export_write (self, "</section>\n", error);
}

static gboolean
begin_reply (GadgetExport *self, const char *model, GError **error)
{
  g_autofree char *name = dup_escaped (*model != '\0' ? model : _ ("Gadget"));

  return _gadget_export_print (self, error, "<section>\n<h2>%s</h2>\n", name);
}

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
write_call (GadgetExport *self, const char *text, const char *output, GError **error)
{
  g_autofree char *line = dup_escaped (text);

  if (output != NULL)
    return write_fold (self, line, output, error);
  return _gadget_export_print (self, error, "<p class=\"line\" dir=\"auto\">%s</p>\n", line);
}

static gboolean
write_picture (GadgetExport *self, const char *name, const char *mime_type, GBytes *bytes,
               GError **error)
{
  static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp", NULL };
  g_autofree char *alternative = dup_escaped (name);
  g_autofree char *base64 = NULL;

  if (!g_strv_contains (types, mime_type))
    return TRUE;
  base64 = g_base64_encode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return _gadget_export_print (self, error, "<p><img alt=\"%s\" src=\"data:%s;base64,", alternative,
                               mime_type)
         && _gadget_export_write (self, base64, error)
         && _gadget_export_write (self, "\"></p>\n", error);
}

/* The line below an answer: how its turn ended, unless it simply finished, and the model. */
static gboolean
end_reply (GadgetExport *self, const char *model, const char *status, GError **error)
{
  const char *ending = _gadget_export_get_ending (status);
  g_autofree char *escaped = dup_escaped (model);

  if (ending == NULL)
    return _gadget_export_print (self, error, "<p class=\"footer dim\">%s</p>\n</section>\n",
                                 escaped);
  return _gadget_export_print (
      self, error, "<p class=\"footer dim\"><b class=\"%s\">%s</b>%s%s</p>\n</section>\n",
      g_str_equal (status, "error") ? "failed" : "stopped", ending, *model != '\0' ? " · " : "",
      escaped);
}

const GadgetExportWriter _gadget_export_html_writer = {
  .begin_chat = begin_chat,
  .end_chat = end_chat,
  .begin_message = begin_message,
  .attachment = write_attachment,
  .end_message = end_section,
  .begin_reply = begin_reply,
  .answer = write_answer,
  .reasoning = write_reasoning,
  .call = write_call,
  .picture = write_picture,
  .end_reply = end_reply,
};

/* --- The page --------------------------------------------------------------------------------- */

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
_gadget_export_html_end (GadgetExport *self, GError **error)
{
  return _gadget_export_write (self, "</main>\n</body>\n</html>\n", error);
}
