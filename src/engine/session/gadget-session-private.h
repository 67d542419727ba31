/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the structure of GadgetSession. */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

struct _GadgetSession
{
  GObject parent_instance;

  char *id; /* see the getters in gadget-session.h */
  char *parent_id;
  char *title;
  char *workspace;
  char *folder_facts;        /* (nullable): NULL until they were read */
  char *instructions;        /* (nullable) */
  char *denied_instructions; /* (nullable) */
  char *provider;
  char *model;
  GadgetMode mode;
  gboolean pinned;
  gboolean archived;
  gboolean unread;
  char *chat_folder;
  char *origin_id;
  char *origin_turn_id;
  gint64 created_at;
  gint64 updated_at;
  GadgetTurnStatus last_status;
  GadgetStopReason last_stop_reason; /* as it was read with the list of chats */
  gboolean interrupted;
  gboolean loaded;
  char *active_run;
  char *remote_run;
  GadgetDeletionState deletion;
  gboolean incognito;

  /* gadget-session-turns.c */
  GPtrArray *turns;
  GHashTable *pending_removals; /* (nullable) (element-type utf8): ids of turns removed here that
                                 * may still be on disk */
  guint n_edits;        /* how often turns were removed here */
  gboolean has_removed; /* turns were removed that can be put back */

  GListStore *queue; /* (nullable) (element-type GadgetQueuedMessage): made when it is asked for,
                      * as most chats in the list are not opened */
};

G_END_DECLS
