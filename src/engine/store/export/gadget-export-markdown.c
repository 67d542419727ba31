/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as Markdown. A chat is a heading of the first level, a message one of the second; the
 * answer of a model is Markdown already and is left as it is. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-export-private.h"

#include <glib/gi18n-lib.h>

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

static gboolean
write_block (GadgetExport *self, const char *text, GError **error)
{
  return _gadget_export_print (self, error, "%s\n\n", text);
}

static gboolean
write_code (GadgetExport *self, const char *text, GError **error)
{
  g_autofree char *code = dup_code_block (text);

  return write_block (self, code, error);
}

static gboolean
write_quotation (GadgetExport *self, const char *text, GError **error)
{
  g_autofree char *quotation = dup_quotation (text);

  return write_block (self, quotation, error);
}

static gboolean
begin_chat (GadgetExport *self, const char *title, const char *time, const char *workspace,
            GError **error)
{
  return _gadget_export_print (self, error, "%s# %s\n\n", self->n_chats > 0 ? "---\n\n" : "", title)
         && (time == NULL || _gadget_export_print (self, error, "*%s*\n\n", time))
         /* Translators: the path of a folder */
         && (workspace == NULL
             || _gadget_export_print (self, error, _ ("*Folder: %s*\n\n"), workspace));
}

static gboolean
begin_message (GadgetExport *self, const char *text, GError **error)
{
  return _gadget_export_print (self, error, "## %s\n\n%s\n\n", _ ("You"), text);
}

static gboolean
write_attachment (GadgetExport *self, const char *name, const char *text, GError **error)
{
  return _gadget_export_print (self, error, "*%s*\n\n", name)
         && (text == NULL || write_code (self, text, error));
}

static gboolean
begin_reply (GadgetExport *self, const char *model, GError **error)
{
  return _gadget_export_print (self, error, "## %s\n\n", *model != '\0' ? model : _ ("Gadget"));
}

static gboolean
write_reasoning (GadgetExport *self, const char *text, GError **error)
{
  return _gadget_export_print (self, error, "**%s**\n\n", _ ("Reasoning"))
         && write_quotation (self, text, error);
}

static gboolean
write_call (GadgetExport *self, const char *line, const char *output, GError **error)
{
  return write_quotation (self, line, error)
         && (output == NULL || write_code (self, output, error));
}

static gboolean
end_reply (GadgetExport *self, const char *model, const char *status, GError **error)
{
  const char *ending = _gadget_export_get_ending (status);

  return ending == NULL || _gadget_export_print (self, error, "*%s*\n\n", ending);
}

const GadgetExportWriter _gadget_export_markdown_writer = {
  .begin_chat = begin_chat,
  .begin_message = begin_message,
  .attachment = write_attachment,
  .begin_reply = begin_reply,
  .answer = write_block,
  .reasoning = write_reasoning,
  .call = write_call,
  .end_reply = end_reply,
};
