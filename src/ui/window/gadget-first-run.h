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
 * The page that fills the window until a provider is chosen. Signal: "chosen" (id of a provider).
 */

/* Tells whether the page is needed: no provider was chosen or added, and there are no chats. */
gboolean gadget_first_run_is_needed   (GadgetEngine   *engine);

/* The engine must be open; setting it begins to search for local servers. */
void     gadget_first_run_set_engine  (GadgetFirstRun *self,
                                       GadgetEngine   *engine);

/* Opens the main menu of the page. */
void     gadget_first_run_open_menu   (GadgetFirstRun *self);

/* Gives the focus to the first choice. */
void     gadget_first_run_focus       (GadgetFirstRun *self);

G_END_DECLS
