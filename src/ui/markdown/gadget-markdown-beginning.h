/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Returns the first sentence of an answer as plain text, for a screen reader. NULL when there is no
 * text, or the answer is streaming and the sentence is not complete. (transfer full) (nullable) */
char *gadget_markdown_dup_beginning (GadgetItem *item);

/* Returns the first sentence of plain text. (transfer full) */
char *gadget_text_dup_beginning     (const char *text);

G_END_DECLS
