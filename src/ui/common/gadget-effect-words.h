/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a line of the ledger says to people. */

#pragma once

#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

/* "Read src/main.c": paths below @workspace (nullable) without it, others whole; paths and commands
 * stand between GADGET_CODE_BEGIN and GADGET_CODE_END. One line. (transfer full) */
char       *gadget_effect_words_dup_text    (const GadgetEffectRow *row,
                                             const char            *workspace);

/* How it ended, where that is not what is expected: "exit status 1". NULL for nothing to say.
 * (transfer full) (nullable) */
char       *gadget_effect_words_dup_outcome (const GadgetEffectRow *row);

/* The same, whether a command could use the network, and what is not on record of what it changed.
 * (transfer full) (nullable) */
char       *gadget_effect_words_dup_details (const GadgetEffectRow *row);
const char *gadget_effect_words_get_icon    (const GadgetEffectRow *row);

/* All of them for the clipboard: a line each, with the time and how it ended. (transfer full) */
char       *gadget_effect_words_dup_all     (GPtrArray             *rows,
                                             const char            *workspace);

/* A path for people: without @workspace in front, or with "~" for the home folder. (transfer full) */
char       *gadget_effect_words_dup_path    (const char            *path,
                                             const char            *workspace);

G_END_DECLS
