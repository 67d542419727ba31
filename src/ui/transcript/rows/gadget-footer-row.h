/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The status of a turn: what it is doing, or how it ended, with the model and the cost. The
 * accessible description is the status in one word. */
#define GADGET_TYPE_FOOTER_ROW (gadget_footer_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFooterRow, gadget_footer_row, GADGET, FOOTER_ROW, GadgetRow)

/* Adds the actions of a turn that has ended (gadget-turn-actions.h), or updates them; set_narrow ()
 * only updates them. */
void gadget_footer_row_offer_actions (GadgetFooterRow *self,
                                      gboolean         shown,
                                      gboolean         narrow);
void gadget_footer_row_set_narrow    (GadgetFooterRow *self,
                                      gboolean         narrow);

G_END_DECLS
