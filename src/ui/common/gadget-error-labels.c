/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns errors into sentences for people, by domain and code. The messages of most errors are for
 * the log, and not translated. */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "gadget-error-labels.h"

#include "agent/gadget-agent.h"
#include "effects/gadget-undo.h"
#include "mcp/gadget-mcp-config.h"
#include "providers/gadget-provider-headers.h"
#include "store/gadget-store.h"

#include <glib/gi18n.h>

static const char *
get_store_reason (GadgetStoreError code)
{
  switch (code)
    {
    case GADGET_STORE_ERROR_FULL:
      return _ ("The disk with Gadget’s data is full. Make room and try again.");
    case GADGET_STORE_ERROR_BUSY:
      return _ ("Gadget’s data is in use by another program. Try again in a moment.");
    case GADGET_STORE_ERROR_NOT_FOUND:
    case GADGET_STORE_ERROR_DELETED:
      return _ ("This chat was deleted.");
    case GADGET_STORE_ERROR_OPEN_ELSEWHERE:
      return _ ("This chat is open in another window. Close it there first.");
    case GADGET_STORE_ERROR_UNSENT:
      return _ ("This chat has a message that was not sent.");
    case GADGET_STORE_ERROR_CLOSED:
      return _ ("Gadget is closing.");
    case GADGET_STORE_ERROR_CORRUPT:
      return _ ("Gadget’s data is damaged. Start Gadget again to see what can be done.");
    case GADGET_STORE_ERROR_NEWER:
      return _ ("A newer version of Gadget wrote the data. Update Gadget.");
    case GADGET_STORE_ERROR_OPEN:
    case GADGET_STORE_ERROR_FAILED:
    default:
      return _ ("Gadget’s data could not be read or written. Check its folder and try again.");
    }
}

static const char *
get_agent_reason (GadgetAgentError code)
{
  switch (code)
    {
    case GADGET_AGENT_ERROR_BUSY:
      return _ ("A reply is in progress. Stop it first, or wait for its end.");
    case GADGET_AGENT_ERROR_BUSY_ELSEWHERE:
      return _ ("Another program works on this chat. Stop it first.");
    case GADGET_AGENT_ERROR_DELETED:
      return _ ("This chat was deleted.");
    case GADGET_AGENT_ERROR_FAILED:
    default:
      return _ ("This chat cannot be continued now. Open it again and try once more.");
    }
}

static const char *
get_undo_reason (GadgetUndoError code)
{
  switch (code)
    {
    case GADGET_UNDO_ERROR_BUSY:
      return _ ("A command is running in this folder. Try again when it has ended.");
    case GADGET_UNDO_ERROR_CHANGED:
      return _ ("Files have changed since.");
    case GADGET_UNDO_ERROR_MISSING:
      return _ ("The folder was moved or deleted, or its drive is not connected.");
    case GADGET_UNDO_ERROR_LOST:
      return _ ("It could not be recorded what this turn changed.");
    case GADGET_UNDO_ERROR_PENDING:
    default:
      return _ ("The changes are still being recorded. Try again in a moment.");
    }
}

static const char *
get_file_reason (GIOErrorEnum code)
{
  switch ((int) code)
    {
    case G_IO_ERROR_NOT_FOUND:
    case G_IO_ERROR_NOT_DIRECTORY:
      return _ ("The file or its folder does not exist any more.");
    case G_IO_ERROR_PERMISSION_DENIED:
      return _ ("You are not allowed to use this file or folder. Choose another one.");
    case G_IO_ERROR_READ_ONLY:
      return _ ("The folder is read-only. Choose another one.");
    case G_IO_ERROR_NO_SPACE:
      return _ ("The disk is full. Make room and try again.");
    case G_IO_ERROR_IS_DIRECTORY:
      return _ ("A folder has this name. Choose another one.");
    case G_IO_ERROR_FILENAME_TOO_LONG:
    case G_IO_ERROR_INVALID_FILENAME:
      return _ ("A file cannot have this name. Choose another one.");
    case G_IO_ERROR_TIMED_OUT:
      return _ ("It took too long. Try again.");
    case G_IO_ERROR_CANCELLED:
      return _ ("It was stopped.");
    default:
      return NULL;
    }
}

/**
 * gadget_error_labels_get_reason:
 *
 * Returns: whole sentences that say why it failed, and what to do next; valid as long as @error
 */
const char *
gadget_error_labels_get_reason (const GError *error)
{
  const char *reason = NULL;

  g_return_val_if_fail (error != NULL, "");

  if (error->domain == GADGET_STORE_ERROR)
    reason = get_store_reason ((GadgetStoreError) error->code);
  else if (error->domain == GADGET_AGENT_ERROR)
    reason = get_agent_reason ((GadgetAgentError) error->code);
  else if (error->domain == GADGET_UNDO_ERROR)
    reason = get_undo_reason ((GadgetUndoError) error->code);
  else if (error->domain == GADGET_MCP_CONFIG_ERROR
           || error->domain == GADGET_PROVIDER_HEADERS_ERROR)
    reason = error->message; /* these messages are for people: they name what in their input is not
                              * valid */
  else if (error->domain == G_IO_ERROR)
    reason = get_file_reason ((GIOErrorEnum) error->code);
  return reason != NULL ? reason : _ ("Try again. The log of Gadget has the details.");
}

/**
 * gadget_error_labels_dup:
 * @what: a whole sentence that says what failed
 *
 * Makes the text of a toast. Writes the message of @error to the log.
 *
 * Returns: (transfer full): @what, followed by the reason
 */
char *
gadget_error_labels_dup (const char *what, const GError *error)
{
  g_return_val_if_fail (what != NULL && error != NULL, NULL);

  g_message ("%s %s", what, error->message);
  /* Translators: two sentences: what failed, and why */
  return g_strdup_printf (_ ("%s %s"), what, gadget_error_labels_get_reason (error));
}
