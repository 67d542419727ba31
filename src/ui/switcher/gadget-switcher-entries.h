/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The groups of entries, in the order in which those that match equally well are shown. */
typedef enum
{
  GADGET_SWITCHER_CHATS,
  GADGET_SWITCHER_ACTIONS,
  GADGET_SWITCHER_SETTINGS,
  GADGET_SWITCHER_SEARCH, /* the search over all chats, always last */
  GADGET_N_SWITCHER_GROUPS,
} GadgetSwitcherGroup;

/**
 * GadgetSwitcherEntry:
 * @group: what it is
 * @title: what is searched
 * @detail: (nullable): what else is shown of it
 * @icon: the name of its icon
 * @accelerator: (nullable): the keys that do the same
 * @action: (nullable): what choosing it activates, as g_action_parse_detailed_name () reads it
 * @session: (nullable): the chat that choosing it opens
 * @score: how well it matches: 0 is best
 *
 * Something that one can go to.
 */
typedef struct
{
  GadgetSwitcherGroup group;
  char *title;
  char *detail;
  const char *icon;
  const char *accelerator;
  const char *action;
  GadgetSession *session;
  guint score;
} GadgetSwitcherEntry;

/* Frees an entry. */
void       gadget_switcher_entry_free  (GadgetSwitcherEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSwitcherEntry, gadget_switcher_entry_free)

/* Returns whether an action can be activated now. */
typedef gboolean (*GadgetSwitcherEnabledFunc) (const char *action,
                                               gpointer    user_data);

GPtrArray *gadget_switcher_find        (GadgetEngine              *engine,
                                        const char                *text,
                                        GadgetSwitcherEnabledFunc  is_enabled,
                                        gpointer                   user_data);

/* Returns the heading of a group (transfer none), which is another one as long as nothing has been
 * typed; NULL for the search, which has none. */
const char *gadget_switcher_group_name (GadgetSwitcherGroup        group,
                                        gboolean                   searched);

G_END_DECLS
