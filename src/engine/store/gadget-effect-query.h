/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-effects.h"
#include "session/gadget-call-summary.h"

G_BEGIN_DECLS

/**
 * GadgetEffectQuery:
 * @kinds: the kinds of effects, 1 << #GadgetEffectKind each; 0 for all
 * @text: (nullable): what the subject contains, without regard to the case of ASCII letters
 * @since: the earliest start, in milliseconds since 1970; 0 for any
 * @until: the start that is too late, the same; 0 for none
 * @session_id: (nullable): the id of a chat
 * @chat_folder: (nullable): the id of a folder of chats; its subfolders count, too
 * @turn_id: (nullable): the turn of the user's chat
 * @can_undo: only changes of files that can be undone, and are not undone already
 * @ignored_chats: (nullable): the ids of chats whose effects are left out
 * @before: the start of the last effect of the page before; 0 for the first page
 * @before_number: the number of that effect
 * @limit: how many effects a page has; 0 for no limit
 *
 * Which effects of all chats are asked for, newest first.
 */
typedef struct
{
  guint kinds;
  const char *text;
  gint64 since;
  gint64 until;
  const char *session_id;
  const char *chat_folder;
  const char *turn_id;
  gboolean can_undo;
  const char *const *ignored_chats;
  gint64 before;
  gint64 before_number;
  guint limit;
} GadgetEffectQuery;

/**
 * GadgetFoundEffect:
 * @row: the effect
 * @session_id: the chat
 * @title: (nullable): the title of the chat
 * @workspace: (nullable): the folder of the chat
 * @summary: (nullable): the summary of the call
 * @has_changes: whether it is recorded what the effect changed
 * @undone_at: when the user undid the change of the file, in milliseconds since 1970; 0 if that has
 *   not happened, or was redone
 *
 * An effect with what the ledger does not have itself.
 */
typedef struct
{
  GadgetEffectRow *row;
  char *session_id;
  char *title;
  char *workspace;
  GadgetCallSummary *summary;
  gboolean has_changes;
  gint64 undone_at;
} GadgetFoundEffect;

/**
 * GadgetEffectCounts:
 * @n_effects: the effects
 * @n_files: the files that they changed
 * @n_commands: the commands
 * @n_hosts: the hosts
 *
 * How many effects match a query, whatever its page is.
 */
typedef struct
{
  guint n_effects;
  guint n_files;
  guint n_commands;
  guint n_hosts;
} GadgetEffectCounts;

/* Returns a copy that owns its strings until it is cleared. */
GadgetEffectQuery
           gadget_effect_query_copy          (const GadgetEffectQuery  *self);
void       gadget_effect_query_clear         (GadgetEffectQuery        *self);

void       gadget_found_effect_free          (GadgetFoundEffect        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFoundEffect, gadget_found_effect_free)

/* Tells whether undo or redo knows the file that the effect changed. */
gboolean   gadget_found_effect_can_undo      (const GadgetFoundEffect  *self);

void       gadget_store_find_effects_async   (GadgetStore              *self,
                                              const GadgetEffectQuery  *query,
                                              GAsyncReadyCallback       callback,
                                              gpointer                  user_data);
GPtrArray *gadget_store_find_effects_finish  (GadgetStore              *self,
                                              GAsyncResult             *result,
                                              GError                  **error);
void       gadget_store_count_effects_async  (GadgetStore              *self,
                                              const GadgetEffectQuery  *query,
                                              GAsyncReadyCallback       callback,
                                              gpointer                  user_data);
gboolean   gadget_store_count_effects_finish (GadgetStore              *self,
                                              GAsyncResult             *result,
                                              GadgetEffectCounts       *counts,
                                              GError                  **error);

G_END_DECLS
