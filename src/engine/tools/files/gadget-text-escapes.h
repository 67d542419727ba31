/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Undoes what makes a text the content of a JSON string. Returns: (transfer full) (nullable): NULL
 * if it is no such content. */
char *_gadget_text_undo_json        (const char *text);
/* The same for a text that must show it: doubled backslashes alone may be a slip in a pattern. */
char *_gadget_text_undo_json_surely (const char *text);

/* Undoes backslashes before quotes alone. Returns: (transfer full) (nullable): NULL if a quote has
 * none, or there is no quote. */
char *_gadget_text_undo_quotes      (const char *text);

/* Undoes "\uXXXX" for characters that ASCII has not. Returns: (transfer full) (nullable): NULL if
 * one of them stands for itself, or there is none. */
char *_gadget_text_undo_unicode     (const char *text);

/* Adds the characters of a text that are written as HTML entities to @escaped, and those that stand
 * for themselves, although there are entities for them, to @plain. */
void  _gadget_text_collect_entities (const char *text,
                                     GString    *escaped,
                                     GString    *plain);
/* Undoes HTML entities. (transfer full) */
char *_gadget_text_undo_entities    (const char *text);

G_END_DECLS
