/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-recovery-file.h"
#include "store/gadget-store.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/**
 * GadgetRecoveredDraft:
 * @session_id: (nullable): the id of the session; %NULL for the new chat
 * @text: the text of the draft
 * @attachments: (nullable) (element-type GadgetAttachment): its attachments
 * @before: (nullable): the text that the store had when the draft was written, as far as it was
 *   known
 * @file: (nullable): the recovery file in which it was found
 *
 * A draft that could not be saved.
 */
typedef struct
{
  char *session_id;
  char *text;
  GPtrArray *attachments;
  char *before;
  GadgetRecoveryFile *file;
} GadgetRecoveredDraft;

/* Frees a draft and closes its file. */
void  gadget_recovered_draft_free        (gpointer                    self);

/* Merges the draft with the stored text CURRENT (transfer full). */
char *gadget_recovered_draft_merge       (const GadgetRecoveredDraft *self,
                                          const char                 *current);

/* Writes the draft to a recovery file; to be ended with gadget_recovery_write_finish (). */
void  gadget_recovery_write_draft_async  (GadgetStore                *store,
                                          const char                 *name,
                                          const GadgetRecoveredDraft *draft,
                                          GAsyncReadyCallback         callback,
                                          gpointer                    user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecoveredDraft, gadget_recovered_draft_free)

G_END_DECLS
