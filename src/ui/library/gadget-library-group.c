/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-group.h"

#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

/**
 * gadget_library_group_of:
 * @now_ms: the current time, in milliseconds since the epoch
 *
 * Returns: the group of @session: GADGET_LIBRARY_RUNNING while it is being worked on, else the one
 * for the time of its last change
 */
GadgetLibraryGroup
gadget_library_group_of (GadgetSession *session, gint64 now_ms)
{
  int days;

  g_return_val_if_fail (GADGET_IS_SESSION (session), GADGET_LIBRARY_OLDER);

  if (gadget_session_is_working (session))
    return GADGET_LIBRARY_RUNNING;
  days = gadget_labels_days_between (gadget_session_get_updated_at (session), now_ms);
  if (days <= 0)
    return GADGET_LIBRARY_TODAY;
  if (days == 1)
    return GADGET_LIBRARY_YESTERDAY;
  return days <= 7 ? GADGET_LIBRARY_WEEK : GADGET_LIBRARY_OLDER;
}

const char *
gadget_library_group_name (GadgetLibraryGroup group)
{
  switch (group)
    {
    case GADGET_LIBRARY_RUNNING:
      return _ ("Running");
    case GADGET_LIBRARY_TODAY:
      return _ ("Today");
    case GADGET_LIBRARY_YESTERDAY:
      return _ ("Yesterday");
    case GADGET_LIBRARY_WEEK:
      return _ ("Last 7 Days");
    case GADGET_LIBRARY_OLDER:
    default:
      return _ ("Older");
    }
}
