/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-terminal-text.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Returns the output of a call as a terminal would show it: its live output, or else its result.
 * Only what is new since the last call is processed. The state is kept with the item until
 * gadget_output_text_forget (). The text is valid until the item grows. (transfer none) */
const char *gadget_output_text_get        (GadgetItem        *item,
                                           gsize             *length);

/* Calls FUNC for the parts of a range, with their styles; not at all when the text has no
 * styles. */
void        gadget_output_text_foreach    (GadgetItem        *item,
                                           gsize              start,
                                           gsize              end,
                                           GadgetTerminalFunc func,
                                           gpointer           user_data);

/* Returns whether the output had control sequences, so that there may be styles. _forget () frees
 * the state. */
gboolean    gadget_output_text_has_styles (GadgetItem        *item);
void        gadget_output_text_forget     (GadgetItem        *item);

G_END_DECLS
