/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-tool.h"

#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>

/* FALLBACK (nullable) is the path of a call that names none. */
char *
_gadget_file_tool_resolve (const GadgetToolContext *context, JsonObject *arguments,
                           const char *fallback, GError **error)
{
  const char *path = gadget_json_get_string (arguments, "path");

  if (path == NULL && !json_object_has_member (arguments, "path"))
    path = fallback;
  if (path == NULL || *path == '\0')
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
          "\"path\" must be a path, relative to the workspace folder or absolute.");
      return NULL;
    }
  return gadget_workspace_resolve (context->workspace, path);
}

static const char *
say_where (const GadgetToolContext *context, const char *resolved)
{
  if (context->workspace == NULL)
    return _ ("This chat has no folder");
  if (!gadget_workspace_contains (context->workspace, resolved))
    return _ ("It is outside of this chat’s folder");
  return _ ("Version control runs what is in this folder, outside of the sandbox");
}

GadgetPrompt *
_gadget_file_tool_ask_read (const GadgetToolContext *context, const char *tool, const char *title,
                            const char *resolved)
{
  GadgetPrompt *prompt;

  if (gadget_workspace_contains (context->workspace, resolved))
    return NULL;
  prompt = gadget_prompt_new_permission (tool, title, resolved, say_where (context, resolved));
  gadget_prompt_add_access (prompt, GADGET_ACCESS_READ, resolved, FALSE);
  return prompt;
}

GadgetPrompt *
_gadget_file_tool_ask_write (const GadgetToolContext *context, const char *tool, const char *title,
                             const char *resolved, const char *detail)
{
  const gboolean confined = !gadget_workspace_is_delicate (context->workspace, resolved);
  g_autofree char *text = confined
                              ? g_strdup (detail)
                              : g_strdup_printf ("%s · %s", detail, say_where (context, resolved));
  GadgetPrompt *prompt = gadget_prompt_new_permission (tool, title, resolved, text);

  gadget_prompt_add_access (prompt, GADGET_ACCESS_WRITE, resolved, confined);
  return prompt;
}
