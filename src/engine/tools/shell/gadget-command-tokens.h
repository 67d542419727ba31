/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In all functions @words are the words of one command, as gadget_command_line_read () returns
 * them. */

/* Returns whether a rule may allow the command by its first words at all. */
gboolean    gadget_command_tokens_may_allow     (const char *const *words);

/* Returns: (transfer full) (nullable): the words with which a rule that allows the command begins:
 * its program, and the next word where that is a subcommand. NULL for a program that runs anything
 * it is told to. */
char       *gadget_command_tokens_dup_prefix    (const char *const *words);

/* Returns: (transfer full): the words with which a rule that denies the command begins. */
char       *gadget_command_tokens_dup_denial    (const char *const *words);

/* Returns whether the words begin with those of @prefix, which are separated by single spaces. */
gboolean    gadget_command_tokens_has_prefix    (const char *const *words,
                                                 const char        *prefix);

/* Returns: (transfer none) (nullable): a static English text that says why a program is never
 * allowed by its name; NULL for other programs. */
const char *gadget_command_tokens_runs_anything (const char        *program);

/* Returns: (transfer none): the name of a program without its folder, a part of @program. */
const char *gadget_command_tokens_get_base      (const char        *program);

G_END_DECLS
