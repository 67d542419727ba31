/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-journal.h"

G_BEGIN_DECLS

/**
 * GadgetRecoveryFile:
 *
 * A file with a turn that the database did not take, outside of it. As long as this process has the
 * object the file is locked, and no other process restores it.
 */
typedef struct _GadgetRecoveryFile GadgetRecoveryFile;

const char         *gadget_recovery_file_get_path (GadgetRecoveryFile *self);
/* The file stays, and is found by the next start. */
void                gadget_recovery_file_close    (GadgetRecoveryFile *self);
/* The turn is stored: nothing is to be recovered. */
void                gadget_recovery_file_remove_async (GadgetRecoveryFile *self,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
/* NEWER has the text now. */
void                gadget_recovery_file_replace  (GadgetRecoveryFile **file,
                                                   GadgetRecoveryFile *newer);

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
 * @session_id: the chat
 * @turn_id: (nullable): the turn; %NULL if @cut_off, and when the title and the like, or the queue,
 *   of the chat were found, of which the chat tells itself
 * @title: (nullable): of the chat
 * @path: (nullable): where the file is, if it could not be stored now either
 * @cut_off: a turn of the chat ended with its process. It is stored as far as it came
 * @queue: (nullable): for gadget_recovered_merge_queue ()
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
/* Adds what was queued then to the queue of the chat, which was changed here since it was read, and
 * is to be saved; FALSE when it was not, and is to be read again. */
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
