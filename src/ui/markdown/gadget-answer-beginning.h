/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* The first sentence of an answer, without its marks, to be read aloud. (nullable): it says
 * nothing, or is being written and has not come to the end of that sentence. (transfer full) */
char *gadget_answer_dup_beginning (GadgetItem *item);

/* The first sentence of plain text. (transfer full) */
char *gadget_text_dup_beginning (const char *text);

G_END_DECLS
