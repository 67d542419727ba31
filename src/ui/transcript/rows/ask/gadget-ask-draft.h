/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row-host.h"

G_BEGIN_DECLS

/* Private to this folder: what was typed into the card of a prompt. It is kept with the prompt,
 * because the card may be scrolled out of sight and made again. NULL before there was an entry. */
const char *_gadget_ask_draft_get   (GadgetPrompt  *prompt);
void        _gadget_ask_draft_set   (GadgetPrompt  *prompt,
                                     const char    *text);

/* When the prompt ends and there still is one, the host is told of it. */
void        _gadget_ask_draft_watch (GadgetPrompt  *prompt,
                                     GadgetRowHost *host);

G_END_DECLS
