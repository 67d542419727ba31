/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* WORDS are those of one command, as gadget_command_line_read () gives them. */

/* Whether a command may be allowed by its first words at all. */
gboolean    gadget_command_words_may_allow    (const char *const   *words);

/* The words that a rule made of a command may begin with: its program, and the first word after it
 * where that is a subcommand. NULL for what runs anything it is told to. (transfer full) */
char       *gadget_command_words_dup_prefix   (const char *const   *words);

/* The words that a rule against a command may begin with. (transfer full) */
char       *gadget_command_words_dup_denial   (const char *const   *words);

/* Whether the words begin with those of PREFIX, which are separated by one space each. */
gboolean    gadget_command_words_has_prefix   (const char *const   *words,
                                               const char          *prefix);

/* Why a program is never allowed by its name, in English, static; NULL for others. */
const char *gadget_command_words_runs_anything (const char         *program);

/* A program's name without its folder. */
const char *gadget_command_words_get_base     (const char          *program);

G_END_DECLS
