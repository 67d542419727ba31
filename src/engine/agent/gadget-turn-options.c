/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-turn-options"

#include "config.h"

#include "gadget-turn-options.h"

void
gadget_turn_options_drop_lent (GadgetTurnOptions *self)
{
  self->run_id = NULL;
  self->attachments = NULL;
  self->provider = NULL;
  self->model = NULL;
  self->turn_provider = NULL;
  self->workspace = NULL;
}
