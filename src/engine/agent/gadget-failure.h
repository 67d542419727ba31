/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* What helps after a failure; the window makes a button of it. */
typedef enum
{
  GADGET_REMEDY_RETRY,
  GADGET_REMEDY_CHOOSE_MODEL,
  GADGET_REMEDY_PREFERENCES,
  GADGET_REMEDY_NEW_CHAT,
  GADGET_REMEDY_CONTINUE,
  GADGET_REMEDY_UNLOCK, /* which is asked for when it is tried again */
} GadgetRemedy;

/**
 * GadgetFailure:
 * @title: what happened, one sentence
 * @hint: what to do next
 * @remedy: the first thing to offer
 *
 * A failed turn in words for people, made from its stable code when it is shown, so that it is in
 * the reader's language.
 */
typedef struct
{
  char *title;
  char *hint;
  GadgetRemedy remedy;
} GadgetFailure;

char          *gadget_failure_code_from_error (const GError  *error);
GadgetFailure *gadget_failure_new             (const char    *code,
                                               const char    *provider_name);
void           gadget_failure_free            (GadgetFailure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFailure, gadget_failure_free)

/* What can be done when Gadget's data cannot be opened. */
const char *gadget_failure_get_data_hint (const GError      *error);

/* Why a turn that is not saved is not, in a sentence. */
GadgetSaveProblem gadget_failure_get_save_problem (const GError *error);
const char *gadget_failure_get_save_text (GadgetSaveProblem problem);

/* Why what is being written is not saved, and what can be done, in sentences. */
const char *gadget_failure_get_draft_text (GadgetSaveProblem problem);

G_END_DECLS
