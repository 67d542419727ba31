/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-terminal-text.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

/* What came of a call as it is read: its live output, or else its result, as a terminal would show
 * it. Made of what is new since the last time; kept with the item until it is forgotten. Valid until
 * the item grows. */
const char *gadget_output_text_get     (GadgetItem         *item,
                                        gsize              *length);

/* Of a part of it; calls FUNC for nothing if there are no styles. */
void        gadget_output_text_foreach (GadgetItem         *item,
                                        gsize               start,
                                        gsize               end,
                                        GadgetTerminalFunc  func,
                                        gpointer            user_data);
gboolean    gadget_output_text_has_styles (GadgetItem      *item);
void        gadget_output_text_forget  (GadgetItem         *item);

G_END_DECLS
