/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-tool.h"

#include "common/gadget-json.h"
#include "common/gadget-quoted-path.h"
#include "common/gadget-visible.h"
#include "common/gadget-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The longest path in a title, in characters. */
#define MAX_NAME 60

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
  g_autofree char *name = gadget_quoted_path_parse (path);

  return gadget_workspace_resolve (context->workspace, name);
}

char *
_gadget_file_tool_dup_name (const char *root, const char *resolved)
{
  const char *relative =
      resolved != NULL && root != NULL ? gadget_workspace_get_relative (root, resolved) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *visible = NULL;
  glong length;

  if (resolved == NULL)
    return NULL;
  path = relative != NULL && *relative != '\0' ? g_strdup (relative)
                                               : gadget_path_dup_short (resolved);
  visible = gadget_visible_escape_line (path);
  length = g_utf8_strlen (visible, -1);
  if (length <= MAX_NAME)
    return g_steal_pointer (&visible);

  g_autofree char *start = g_utf8_substring (visible, 0, MAX_NAME / 2);
  g_autofree char *end = g_utf8_substring (visible, length - MAX_NAME / 2, length);

  return g_strconcat (start, "…", end, NULL);
}

static void
set_place (GadgetPrompt *prompt, const GadgetToolContext *context)
{
  g_autofree char *place =
      context->workspace != NULL ? gadget_path_dup_short (context->workspace) : NULL;

  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE,
                          place != NULL ? place : _ ("This chat has no folder"));
}

static void
warn_outside (GadgetPrompt *prompt, const GadgetToolContext *context, const char *resolved)
{
  if (context->workspace != NULL && !gadget_workspace_contains (context->workspace, resolved))
    gadget_prompt_add_warning (prompt, _ ("It is outside of this chat’s folder."));
}

GadgetPrompt *
_gadget_file_tool_ask_read (const GadgetToolContext *context, JsonObject *arguments,
                            const char *fallback, const char *tool, GadgetCallSummaryKind question)
{
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, fallback, NULL);
  GadgetPrompt *prompt;

  if (resolved == NULL || gadget_workspace_contains (context->workspace, resolved))
    return NULL;
  prompt =
      gadget_prompt_new_permission_for (tool, gadget_call_summary_new (question, "", NULL),
                                        resolved, _ ("Writes nothing · reads this · no network"));
  set_place (prompt, context);
  warn_outside (prompt, context, resolved);
  gadget_prompt_add_access (prompt, GADGET_ACCESS_READ, resolved, FALSE);
  return prompt;
}

gboolean
_gadget_file_tool_least_write_access (GadgetTool *tool, GadgetAccess *access)
{
  /* A file outside of the workspace needs more. */
  *access = (GadgetAccess) { .kind = GADGET_ACCESS_WRITE, .confined = TRUE };
  return TRUE;
}

GadgetPrompt *
_gadget_file_tool_ask_write (const GadgetToolContext *context, const char *tool,
                             const char *resolved)
{
  const gboolean confined = !gadget_workspace_is_protected (context->workspace, resolved);
  g_autofree char *name = _gadget_file_tool_dup_name (context->workspace, resolved);
  GadgetPrompt *prompt = gadget_prompt_new_permission_for (
      tool, gadget_call_summary_new (GADGET_CALL_SUMMARY_ASK_WRITE, name != NULL ? name : "", NULL),
      resolved, _ ("Writes this file · reads nothing else · no network"));

  set_place (prompt, context);
  warn_outside (prompt, context, resolved);
  if (!confined && context->workspace != NULL
      && gadget_workspace_contains (context->workspace, resolved))
    gadget_prompt_add_warning (
        prompt, _ ("Version control runs what is in this folder, outside of the sandbox."));
  gadget_prompt_add_access (prompt, GADGET_ACCESS_WRITE, resolved, confined);
  return prompt;
}
