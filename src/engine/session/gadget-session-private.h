/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what a session is made of. */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

struct _GadgetSession
{
  GObject parent_instance;

  char *id;
  char *parent_id;
  char *title;
  char *workspace;
  char *provider;
  char *model;
  GadgetMode mode;
  gint64 created_at;
  gint64 updated_at;
  GadgetTurnStatus last_status;
  gboolean interrupted;
  gboolean loaded;
  char *active_run;
  char *remote_run;
  GadgetDeletionState deletion;

  /* gadget-session-turns.c */
  GPtrArray *turns;
  GHashTable *leaving; /* set of ids (utf8): taken out here, and perhaps still on disk */
  guint n_edits;       /* how often turns were taken out here */
  gboolean has_removed;

  GListStore *queue;
};

G_END_DECLS
