/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recovery file of a draft is text like that of a turn: a sentence, the text of the draft, and
 * one JSON object as its last line. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-recovery-draft-private.h"

#include "common/gadget-id.h"
#include "common/gadget-json.h"
#include "gadget-recovery-format.h"
#include "gadget-recovery-write-private.h"
#include "store/gadget-store-attachments-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define VERSION_KEY "gadget-unsaved-draft"
#define VERSION 1

void
gadget_recovered_draft_free (gpointer data)
{
  GadgetRecoveredDraft *self = data;

  g_free (self->session_id);
  g_free (self->text);
  g_clear_pointer (&self->attachments, g_ptr_array_unref);
  g_free (self->before);
  g_clear_pointer (&self->file, gadget_recovery_file_close);
  g_free (self);
}

/**
 * gadget_recovered_draft_merge:
 * @current: the text that the store has now
 *
 * Returns: (transfer full): the draft if @current is the text it was based on, or its beginning;
 *   @current if it contains the draft; else both, the draft last
 */
char *
gadget_recovered_draft_merge (const GadgetRecoveredDraft *self, const char *current)
{
  g_return_val_if_fail (self != NULL && current != NULL, NULL);

  if (g_strcmp0 (self->before, current) == 0 || g_str_has_prefix (self->text, current))
    return g_strdup (self->text);
  if (strstr (current, self->text) != NULL)
    return g_strdup (current);
  return g_strconcat (current, "\n\n", self->text, NULL);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* A draft to be written, as plain data. */
typedef struct
{
  char *data_dir;
  char *session_id; /* (nullable) */
  char *text;
  char *before;                      /* (nullable) */
  GadgetAttachmentRows *attachments; /* (nullable) */
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_free (writing->data_dir);
  g_free (writing->session_id);
  g_free (writing->text);
  g_free (writing->before);
  g_clear_pointer (&writing->attachments, _gadget_attachment_rows_free);
  g_free (writing);
}

static void
add_string (JsonBuilder *json, const char *name, const char *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, value);
}

static char *
format (gconstpointer data)
{
  const Writing *writing = data;
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *line = NULL;

  json_builder_begin_object (json);
  gadget_json_add_int (json, VERSION_KEY, VERSION);
  add_string (json, "data", writing->data_dir);
  add_string (json, "session", writing->session_id);
  add_string (json, "text", writing->text);
  add_string (json, "before", writing->before);
  if (writing->attachments != NULL)
    {
      json_builder_set_member_name (json, "attachments");
      json_builder_add_value (json, _gadget_attachment_rows_to_json (writing->attachments));
    }
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  line = json_to_string (root, FALSE);
  return g_strdup_printf (
      "%s\n\n%s\n\n%s\n",
      _ ("Gadget could not save this message, which was not sent. It is shown again when Gadget is "
         "started again; the last line is for that."),
      writing->text, line);
}

/**
 * gadget_recovery_write_draft_async:
 * @name: the name of the file, without prefix and suffix; a file with that name is overwritten
 * @draft: the draft, which is copied
 */
void
gadget_recovery_write_draft_async (GadgetStore *store, const char *name,
                                   const GadgetRecoveredDraft *draft, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autofree char *file_name = NULL;
  Writing *writing;

  g_return_if_fail (GADGET_IS_STORE (store) && name != NULL && draft != NULL);

  writing = g_new0 (Writing, 1);
  writing->data_dir = g_strdup (gadget_store_get_directory (store));
  writing->session_id = g_strdup (draft->session_id);
  writing->text = g_strdup (draft->text);
  writing->before = g_strdup (draft->before);
  writing->attachments = _gadget_attachment_rows_new_from (draft->attachments);
  file_name = g_strconcat (GADGET_RECOVERY_DRAFT_PREFIX, name, GADGET_RECOVERY_SUFFIX, NULL);
  _gadget_recovery_write_async (writing->data_dir, file_name, format, writing, writing_free,
                                callback, user_data);
}

/* --- Reading ---------------------------------------------------------------------------------- */

GadgetRecoveredDraft *
_gadget_recovery_draft_parse (const char *contents, gsize length, const char *data_dir,
                              GError **error)
{
  g_autoptr (JsonNode) root =
      _gadget_recovery_parse (contents, length, VERSION_KEY, VERSION, error);
  JsonObject *object = root != NULL ? json_node_get_object (root) : NULL;
  g_autoptr (GadgetAttachmentRows) attachments = NULL;
  GadgetRecoveredDraft *self;

  if (object == NULL || g_strcmp0 (gadget_json_get_string (object, "data"), data_dir) != 0)
    return NULL;
  if (gadget_json_get_string (object, "text") == NULL)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                           "this is not a message that could not be saved");
      return NULL;
    }
  self = g_new0 (GadgetRecoveredDraft, 1);
  self->session_id = g_strdup (gadget_json_get_string (object, "session"));
  self->text = g_strdup (gadget_json_get_string (object, "text"));
  self->before = g_strdup (gadget_json_get_string (object, "before"));
  if (gadget_json_get_object (object, "attachments") != NULL)
    attachments =
        _gadget_attachment_rows_from_json (gadget_json_get_object (object, "attachments"));
  if (attachments != NULL)
    self->attachments = _gadget_attachments_from_rows (attachments);
  return self;
}
