/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-journal.h"

G_BEGIN_DECLS

/**
 * GadgetRecoveryFile:
 *
 * A file outside the database with a turn, a draft or changes of a session that could not be
 * stored. It is locked as long as this process has the object, so that no other process recovers
 * it.
 */
typedef struct _GadgetRecoveryFile GadgetRecoveryFile;

const char         *gadget_recovery_file_get_path (GadgetRecoveryFile *self);
/* Closes the file, which stays and is found by the next start. */
void                gadget_recovery_file_close    (GadgetRecoveryFile *self);
/* Removes the file, because its content is stored and needs no recovery. */
void                gadget_recovery_file_remove_async (GadgetRecoveryFile *self,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
/* NEWER has the current text. */
void                gadget_recovery_file_replace  (GadgetRecoveryFile **file,
                                                   GadgetRecoveryFile *newer);

/* Write a turn, or changes of a session, to a recovery file. */
void                gadget_recovery_write_async   (GadgetStore         *store,
                                                   GadgetJournal       *journal,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
gboolean            gadget_recovery_write_session_async (GadgetStore   *store,
                                                   const char          *name,
                                                   GadgetSession       *session,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
GadgetRecoveryFile *gadget_recovery_write_finish  (GAsyncResult        *result,
                                                   GError             **error);

/**
 * GadgetRecovered:
 * @session_id: the id of the session
 * @turn_id: (nullable): the id of the turn; %NULL if @cut_off, and if only settings or the queue of
 *   the session were found, which the session itself shows
 * @title: (nullable): the title of the session
 * @path: (nullable): the path of the file, if it could not be stored now either
 * @cut_off: whether a turn of the session ended because its process died; it is stored as far as it
 *   came
 * @queue: (nullable): the queue that was found, for gadget_recovered_merge_queue ()
 *
 * One thing that was recovered.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  char *title;
  char *path;
  gboolean cut_off;
  char **queue;
} GadgetRecovered;

void                gadget_recovered_free         (GadgetRecovered     *self);
/* Adds the recovered queue to the queue of SESSION if that was changed here since it was read; the
 * caller must save it then. Returns FALSE if it was not changed; the caller must read it again
 * then. */
gboolean            gadget_recovered_merge_queue  (const GadgetRecovered *self,
                                                   GadgetSession       *session);

void                gadget_recovery_restore_async (GadgetStore         *store,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
GPtrArray          *gadget_recovery_restore_finish (GAsyncResult       *result,
                                                   GPtrArray          **drafts,
                                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecovered, gadget_recovered_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecoveryFile, gadget_recovery_file_close)

G_END_DECLS
