/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-recovery.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/**
 * GadgetRecoveredDraft:
 * @session_id: (nullable): %NULL for what was written for the new chat
 * @text: what was written
 * @attachments: (nullable) (element-type GadgetAttachment): what was attached
 * @before: (nullable): the text that the store had then, as far as it was known
 * @file: (nullable): where it was found
 *
 * A message that was written and not sent, and could not be saved.
 */
typedef struct
{
  char *session_id;
  char *text;
  GPtrArray *attachments;
  char *before;
  GadgetRecoveryFile *file;
} GadgetRecoveredDraft;

void  gadget_recovered_draft_free        (GadgetRecoveredDraft       *self);

/* The text to show where the store has CURRENT by now. (transfer full) */
char *gadget_recovered_draft_merge       (const GadgetRecoveredDraft *self,
                                          const char                 *current);

/* Writes the draft to the file of that name, as gadget_recovery_write_async () does; ended with
 * gadget_recovery_write_finish (). */
void  gadget_recovery_write_draft_async  (GadgetStore                *store,
                                          const char                 *name,
                                          const GadgetRecoveredDraft *draft,
                                          GAsyncReadyCallback         callback,
                                          gpointer                    user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecoveredDraft, gadget_recovered_draft_free)

G_END_DECLS
