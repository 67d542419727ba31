/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-folder-instructions.h"

G_BEGIN_DECLS

/**
 * GadgetFolderFacts:
 * @late: the disk has not answered in time, or the user has stopped it; nothing else is known
 * @state: sentences about the folder for the model; "" if there is nothing to tell
 * @instructions: (nullable): what the folder tells agents
 *
 * What there is to know about a chat's folder.
 */
typedef struct
{
  gboolean late;
  char *state;
  GadgetFolderInstructions *instructions;
} GadgetFolderFacts;

/* Frees the facts and what is in them. */
void               gadget_folder_facts_free        (GadgetFolderFacts   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFolderFacts, gadget_folder_facts_free)

/* Reads the facts (transfer full). Without an answer of the disk it ends after a moment; the caller
 * then cancels the reading, which would keep a thread otherwise. */
void               gadget_folder_facts_read_async  (const char          *folder,
                                                    GadgetClock         *clock,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
GadgetFolderFacts *gadget_folder_facts_read_finish (GAsyncResult        *result);

G_END_DECLS
