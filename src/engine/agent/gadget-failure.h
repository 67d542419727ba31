/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* The first thing that helps after a failure. The window shows a button for it. */
typedef enum
{
  GADGET_REMEDY_RETRY,
  GADGET_REMEDY_CHOOSE_MODEL,
  GADGET_REMEDY_PREFERENCES,
  GADGET_REMEDY_NEW_CHAT,
  GADGET_REMEDY_CONTINUE,
  GADGET_REMEDY_UNLOCK, /* asked for when the turn is tried again */
} GadgetRemedy;

/**
 * GadgetFailure:
 * @title: what happened, in one sentence
 * @hint: what the user can do
 * @remedy: the first thing to offer
 *
 * A failed turn in words for the user. It is made from the stored code when it is shown, so that it
 * is in the user's language.
 */
typedef struct
{
  char *title;
  char *hint;
  GadgetRemedy remedy;
} GadgetFailure;

/* For turns that failed. See gadget-failure.c. */
char          *gadget_failure_code_from_error (const GError  *error);
GadgetFailure *gadget_failure_new             (const char    *code,
                                               const char    *provider_name);
void           gadget_failure_free            (GadgetFailure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFailure, gadget_failure_free)

/* Returns a translated sentence: what the user can do if the store cannot be opened.
 * (transfer none) */
const char    *gadget_failure_get_data_hint   (const GError  *error);

G_END_DECLS
