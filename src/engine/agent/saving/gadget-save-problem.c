/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-save-problem.h"

#include "gadget-agent-error.h"
#include "store/gadget-store.h"

#include <glib/gi18n-lib.h>

/**
 * gadget_save_problem_from_error:
 * @error: why something could not be saved
 *
 * Returns: the problem, for gadget_save_problem_get_text () and gadget_save_problem_get_draft_text
 * ()
 */
GadgetSaveProblem
gadget_save_problem_from_error (const GError *error)
{
  if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE))
    return GADGET_SAVE_CHAT_IN_USE;
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL))
    return GADGET_SAVE_DISK_FULL;
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    return GADGET_SAVE_DATA_IN_USE;
  return GADGET_SAVE_FAILED;
}

const char *
gadget_save_problem_get_text (GadgetSaveProblem problem)
{
  switch (problem)
    {
    case GADGET_SAVE_PENDING:
      return _ ("The disk has not answered yet.");
    case GADGET_SAVE_DISK_FULL:
      return _ ("The disk is full.");
    case GADGET_SAVE_DATA_IN_USE:
      return _ ("Gadget’s data is in use by another program.");
    case GADGET_SAVE_CHAT_IN_USE:
      return _ ("Another program works on this chat.");
    case GADGET_SAVE_FAILED:
    default:
      return _ ("Gadget’s data could not be written.");
    }
}

const char *
gadget_save_problem_get_draft_text (GadgetSaveProblem problem)
{
  switch (problem)
    {
    case GADGET_SAVE_PENDING:
      return _ ("What you write isn’t saved yet: the disk doesn’t answer. Gadget saves it as soon "
                "as it can.");
    case GADGET_SAVE_DISK_FULL:
      return _ ("What you write isn’t saved: the disk is full. Free some space, and Gadget saves "
                "it by itself.");
    case GADGET_SAVE_DATA_IN_USE:
      return _ ("What you write isn’t saved: another program uses Gadget’s data. Close that "
                "program, and Gadget saves it by itself.");
    case GADGET_SAVE_CHAT_IN_USE:
    case GADGET_SAVE_FAILED:
    default:
      return _ ("What you write isn’t saved: Gadget’s data couldn’t be written. Check that its "
                "folder is there and can be written to; Gadget saves it as soon as it can.");
    }
}
