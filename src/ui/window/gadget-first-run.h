/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FIRST_RUN (gadget_first_run_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFirstRun, gadget_first_run, GADGET, FIRST_RUN, AdwBin)

/**
 * GadgetFirstRun:
 *
 * The whole window while nobody who answers was chosen. Signal: "chosen" (id of a provider).
 */

/* Whether nobody was chosen, nothing was added, and there are no chats either. */
gboolean gadget_first_run_is_needed   (GadgetEngine   *engine);

void     gadget_first_run_set_engine  (GadgetFirstRun *self,
                                       GadgetEngine   *engine);
void     gadget_first_run_open_menu   (GadgetFirstRun *self);

/* Gives the focus to the first that can be chosen. */
void     gadget_first_run_focus       (GadgetFirstRun *self);

G_END_DECLS
