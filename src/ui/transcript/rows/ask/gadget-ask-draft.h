/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row-host.h"

G_BEGIN_DECLS

/* Private to this folder: the text that the user typed into the card of a prompt. It is kept with
 * the prompt, since the card may go out of sight and be made again, and all windows that show the
 * card share it. (transfer none) */
GtkEntryBuffer *_gadget_ask_draft_get   (GadgetPrompt  *prompt);

/* Tells HOST when the prompt is closed while there still is a draft. Only the first call for a prompt
 * and a host has an effect. */
void            _gadget_ask_draft_watch (GadgetPrompt  *prompt,
                                         GadgetRowHost *host);

G_END_DECLS
