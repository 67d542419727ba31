/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "edit_file": parses the edits and applies them with gadget-text-edit.c;
 * gadget-file-change.c reads and replaces the file. */

#define G_LOG_DOMAIN "gadget-tool-edit-file"

#include "config.h"

#include "gadget-tool-edit-file.h"

#include "common/gadget-json.h"
#include "gadget-file-preview.h"
#include "gadget-text-edit.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char description[] =
    "Replaces exact pieces of a text file, all of the edits or none of them. The file must have "
    "been read in this chat, and not have changed since. The edits are applied one after the "
    "other, each to what the one before left. Whole lines that differ only in indentation, blanks "
    "at line ends and the like may fit one place; then the result shows it.";

static const GadgetToolParameter edit_members[] = {
  { "old_text", GADGET_TOOL_STRING, TRUE,
    "Text of the file, exactly, white space included; it must be there once, unless replace_all is "
    "set" },
  { "new_text", GADGET_TOOL_STRING, TRUE, "What takes its place" },
  { "replace_all", GADGET_TOOL_BOOLEAN, FALSE, "Replace it wherever it is" },
  { NULL },
};

static const GadgetToolParameter parameters[] = {
  { "path", GADGET_TOOL_STRING, TRUE, "Relative to the workspace folder, or absolute" },
  { "edits", GADGET_TOOL_OBJECTS, TRUE, .least = 1, .members = edit_members },
  { NULL },
};

/* --- Other names ------------------------------------------------------------------------------ */

static const struct
{
  const char *name;
  const char *others[6];
} other_names[] = {
  { "path", { "file_path", "file", "filename" } },
  { "old_text", { "old", "old_string", "old_str", "oldText" } },
  { "new_text", { "new", "new_string", "new_str", "newText" } },
  { "replace_all", { "all", "replaceAll" } },
};

static void
rename_member (JsonObject *object, const char *other, const char *name)
{
  JsonNode *node = json_object_get_member (object, other);

  if (node == NULL || json_object_has_member (object, name))
    return;
  json_object_set_member (object, name, json_node_copy (node));
  json_object_remove_member (object, other);
}

static void
rename_members (JsonObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (other_names); i++)
    for (guint k = 0; other_names[i].others[k] != NULL; k++)
      rename_member (object, other_names[i].others[k], other_names[i].name);
}

/* Makes a list of one edit whose members stand beside the path. */
static void
gather_edit (JsonObject *arguments)
{
  g_autoptr (JsonObject) edit = json_object_new ();
  g_autoptr (JsonArray) edits = json_array_new ();

  for (const GadgetToolParameter *member = edit_members; member->name != NULL; member++)
    if (json_object_has_member (arguments, member->name))
      {
        json_object_set_member (edit, member->name,
                                json_object_dup_member (arguments, member->name));
        json_object_remove_member (arguments, member->name);
      }
  json_array_add_object_element (edits, g_steal_pointer (&edit));
  json_object_set_array_member (arguments, "edits", g_steal_pointer (&edits));
}

static void
repair (JsonObject *arguments)
{
  JsonNode *node = json_object_get_member (arguments, "edits");
  JsonArray *edits;

  rename_members (arguments);
  if (node == NULL && json_object_has_member (arguments, "old_text"))
    gather_edit (arguments);
  if (node != NULL)
    gadget_tool_arguments_make_list (node);
  edits = gadget_json_get_array (arguments, "edits");
  for (guint i = 0; edits != NULL && i < json_array_get_length (edits); i++)
    if (gadget_json_get_element (edits, i) != NULL)
      rename_members (gadget_json_get_element (edits, i));
}

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *path = gadget_json_get_string (arguments, "path");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_EDITING, path != NULL ? path : "…", NULL);
}

/* The data of the change. */
typedef struct
{
  char *path;
  GPtrArray *edits;
  char *unknown; /* (nullable): names that are no parameters */
} Edits;

static void
edits_free (gpointer data)
{
  Edits *self = data;

  g_free (self->path);
  g_ptr_array_unref (self->edits);
  g_free (self->unknown);
  g_free (self);
}

static void
append_unknown (GString *text, JsonObject *object, const GadgetToolParameter *known)
{
  g_autofree char *unknown = gadget_tool_arguments_dup_unknown (object, known);

  if (unknown != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", unknown);
}

static char *
dup_unknown (JsonObject *arguments)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *array = gadget_json_get_array (arguments, "edits");

  append_unknown (text, arguments, parameters);
  for (guint i = 0; i < json_array_get_length (array); i++)
    append_unknown (text, gadget_json_get_element (array, i), edit_members);
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}

static Edits *
edits_new (const char *path, JsonObject *arguments, GPtrArray *edits)
{
  Edits *self = g_new0 (Edits, 1);

  self->path = g_strdup (path);
  self->edits = edits;
  self->unknown = dup_unknown (arguments);
  return self;
}

static GadgetTextEdit *
parse_edit (JsonObject *object, GError **error)
{
  const char *old_text = gadget_json_get_string (object, "old_text");
  const char *new_text = gadget_json_get_string (object, "new_text");

  if (*old_text == '\0')
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "\"old_text\" must not be empty. To make a file, use write_file.");
  else if (g_str_equal (old_text, new_text))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "\"old_text\" and \"new_text\" are the same.");
  else
    return _gadget_text_edit_new (old_text, new_text, gadget_json_get_flag (object, "replace_all"));
  return NULL;
}

/* Returns: (transfer full) (element-type GadgetTextEdit): the edits, or NULL with @error. */
static GPtrArray *
parse_edits (JsonObject *arguments, GError **error)
{
  JsonArray *array = gadget_json_get_array (arguments, "edits");
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      GadgetTextEdit *edit = parse_edit (gadget_json_get_element (array, i), error);

      if (edit == NULL)
        return NULL;
      g_ptr_array_add (edits, edit);
    }
  if (edits->len > 0)
    return g_steal_pointer (&edits);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "\"edits\" must be an array with at least one edit.");
  return NULL;
}

static void
append_lines (GString *diff, char mark, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (diff, "%c%s\n", mark, lines[i]);
}

/* Makes the edits look like a difference, from the arguments alone. */
static char *
dup_edits (GPtrArray *edits)
{
  g_autoptr (GString) diff = g_string_new (NULL);

  for (guint i = 0; i < edits->len; i++)
    {
      const GadgetTextEdit *edit = g_ptr_array_index (edits, i);

      g_string_append_printf (diff, "@@ %s @@\n",
                              /* Translators: where in a file a text is replaced */
                              edit->all ? _ ("wherever it is") : _ ("where it is"));
      append_lines (diff, '-', edit->old_text);
      append_lines (diff, '+', edit->new_text);
    }
  return g_string_free_and_steal (g_steal_pointer (&diff));
}

static char *
make (const char *old_text, gsize old_length, gpointer data, gsize *new_length, char **note,
      GError **error)
{
  const Edits *edits = data;
  g_autofree char *regions = NULL;
  char *text;

  if (old_text == NULL)
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
          "There is no such file, or it is too large to be edited. write_file makes "
          "a file.");
      return NULL;
    }
  text = _gadget_text_edit_apply (old_text, old_length, edits->path, edits->edits, new_length,
                                  &regions, error);
  if (text != NULL && edits->unknown != NULL)
    *note = g_strdup_printf (" These names are unknown, and were ignored: %s.%s", edits->unknown,
                             regions != NULL ? regions : "");
  else if (text != NULL)
    *note = g_steal_pointer (&regions);
  return text;
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, NULL, NULL);
  GPtrArray *edits = parse_edits (arguments, NULL);
  g_autofree char *diff = NULL;
  GadgetPrompt *prompt;

  if (resolved == NULL || edits == NULL)
    {
      g_clear_pointer (&edits, g_ptr_array_unref);
      return NULL;
    }

  const GadgetFileChangeSpec spec = { .resolved = resolved,
                                      .make = make,
                                      .data = edits_new (resolved, arguments, edits),
                                      .destroy = edits_free };

  diff = dup_edits (edits);
  prompt = _gadget_file_tool_ask_write (context, "edit_file", resolved);
  _gadget_file_preview_attach (prompt, context, &spec, GADGET_PROMPT_BODY_DIFF, diff);
  return prompt;
}

static GadgetToolResult *
format_result (const GadgetFileChange *change, const char *shown)
{
  g_autofree char *names = _gadget_file_change_dup_names (change);
  g_autofree char *added = gadget_tool_dup_count (change->n_added, "line", "lines");
  g_autofree char *lines = gadget_tool_dup_count (change->n_lines, "line", "lines");
  g_autofree char *text =
      g_strdup_printf ("Edited %s: %s added, %u removed; it has %s now.%s%s", shown, added,
                       change->n_removed, lines, names, change->note != NULL ? change->note : "");

  return gadget_tool_result_new (
      FALSE, text,
      gadget_call_summary_with_path (
          gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_EDITED, shown, change->n_added,
                                                change->n_removed),
          change->path));
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, NULL, &error);
  g_autoptr (GPtrArray) edits = resolved != NULL ? parse_edits (arguments, &error) : NULL;

  if (edits == NULL)
    {
      g_task_report_error (tool, callback, user_data, execute_async, g_steal_pointer (&error));
      return;
    }

  const GadgetFileChangeSpec spec = {
    .resolved = resolved,
    .shown = gadget_json_get_string (arguments, "path"),
    .make = make,
    .data = edits_new (resolved, arguments, g_steal_pointer (&edits)),
    .destroy = edits_free,
    .format = format_result,
  };

  _gadget_file_change_async (tool, context, &spec, cancellable, callback, user_data);
}

static const GadgetToolDescriptor descriptor = {
  .name = "edit_file",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .repair = repair,
  .describe = describe,
  .least_access = _gadget_file_tool_least_write_access,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_edit_file_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
