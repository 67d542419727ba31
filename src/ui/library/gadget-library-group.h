/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* The groups of the list of chats, in the order of the list. */
typedef enum
{
  GADGET_LIBRARY_NOT_STORED,
  GADGET_LIBRARY_PINNED,
  GADGET_LIBRARY_RUNNING,
  GADGET_LIBRARY_FOLDERS,
  GADGET_LIBRARY_TODAY,
  GADGET_LIBRARY_YESTERDAY,
  GADGET_LIBRARY_WEEK,
  GADGET_LIBRARY_OLDER,
  GADGET_LIBRARY_ARCHIVE,
} GadgetLibraryGroup;

#define GADGET_N_LIBRARY_GROUPS (GADGET_LIBRARY_ARCHIVE + 1)

/* When the groups that are for times begin, in milliseconds since the epoch; GADGET_LIBRARY_OLDER
 * has no beginning. */
typedef struct
{
  gint64 today;
  gint64 yesterday;
  gint64 week;
} GadgetLibraryDays;

GadgetLibraryDays   gadget_library_days_at     (gint64                   now_ms);

/* The group for the time of a chat's last change. */
GadgetLibraryGroup  gadget_library_days_group  (const GadgetLibraryDays *days,
                                                gint64                   ms);

/* The translated heading of a group. */
const char         *gadget_library_group_name  (GadgetLibraryGroup       group);

G_END_DECLS
