/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* The groups of the list of chats, in the order of the list. */
typedef enum
{
  GADGET_LIBRARY_RUNNING,
  GADGET_LIBRARY_TODAY,
  GADGET_LIBRARY_YESTERDAY,
  GADGET_LIBRARY_WEEK,
  GADGET_LIBRARY_OLDER,
} GadgetLibraryGroup;

/* The group that a chat belongs to, and the translated heading of a group. */
GadgetLibraryGroup  gadget_library_group_of   (GadgetSession      *session,
                                               gint64              now_ms);
const char         *gadget_library_group_name (GadgetLibraryGroup  group);

G_END_DECLS
