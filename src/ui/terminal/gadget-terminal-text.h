/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-terminal-style.h"

G_BEGIN_DECLS

/* Called for the bytes from @start to @end of the text, which have the same style. */
typedef void (*GadgetTerminalFunc) (gsize                      start,
                                    gsize                      end,
                                    const GadgetTerminalStyle *style,
                                    gpointer                   user_data);

/**
 * GadgetTerminalText:
 *
 * The text that a terminal would show for the output of a program: carriage returns and backspaces
 * overwrite the line, styles (ECMA-48, SGR) are kept beside the text, and all other controls are
 * dropped. Completed lines never change. Time and memory are proportional to the length of the
 * input, whatever it contains.
 */
typedef struct _GadgetTerminalText GadgetTerminalText;

/* Makes an empty text, which gadget_terminal_text_free () frees. (transfer full) */
GadgetTerminalText *gadget_terminal_text_new       (void);
void                gadget_terminal_text_free      (GadgetTerminalText *self);

/* Returns whether a text has controls (other than line ends and tabs) or characters that reorder
 * text, so that it must be fed to a GadgetTerminalText. */
gboolean            gadget_terminal_text_is_needed (const char         *text,
                                                    gsize               length);

/* Appends output, whole characters of valid UTF-8. The getter returns the text (transfer none),
 * valid until more is fed. */
void                gadget_terminal_text_feed      (GadgetTerminalText *self,
                                                    const char         *text,
                                                    gsize               length);
const char         *gadget_terminal_text_get       (GadgetTerminalText *self,
                                                    gsize              *length);

/* Calls FUNC for the parts of a range of the text, with their styles. */
void                gadget_terminal_text_foreach   (GadgetTerminalText *self,
                                                    gsize               start,
                                                    gsize               end,
                                                    GadgetTerminalFunc  func,
                                                    gpointer            user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTerminalText, gadget_terminal_text_free)

G_END_DECLS
