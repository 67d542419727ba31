/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Chats with Markdown, for pictures: paragraphs and lists; tables, code and what runs from right to
 * left; words that HTML marks. (transfer full) */
GadgetSession *show_markdown_new        (void);
GadgetSession *show_markdown_blocks_new (void);
GadgetSession *show_markdown_words_new  (void);
GadgetSession *show_markdown_math_new   (void);

G_END_DECLS
