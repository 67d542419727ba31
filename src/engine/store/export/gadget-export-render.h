/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends a text to HTML, also inside of a quoted attribute: nothing in it is markup. Bytes that
 * are not UTF-8 become U+FFFD. Characters that would reorder the text are shown as "\u202e". */
void gadget_export_render_text     (GString    *html,
                                    const char *text);

/* Appends the output of a program, in which other characters that cannot be seen are shown too.
 * Control sequences of terminals are left out. */
void gadget_export_render_output   (GString    *html,
                                    const char *text);

/* Appends Markdown as HTML: CommonMark with the tables, task lists, strikethrough and autolinks of
 * GitHub. HTML in it is text. Only links to http, https and mailto are links; others are text with
 * their address, and so are pictures, as nothing is ever loaded. */
void gadget_export_render_markdown (GString    *html,
                                    const char *markdown);

G_END_DECLS
