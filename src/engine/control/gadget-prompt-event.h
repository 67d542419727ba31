/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Converts a prompt to the members of an event, including everything its card shows, and back. */
void gadget_prompt_event_add (GVariantDict *dict, GadgetPrompt *prompt);
GadgetPrompt *gadget_prompt_event_read (GVariant *event);

/* Private to this folder: adds a member, unless TEXT is NULL. D-Bus strings must be UTF-8, so TEXT
 * is made valid. */
void _gadget_prompt_event_add_text (GVariantDict *dict, const char *name, const char *text);

G_END_DECLS
