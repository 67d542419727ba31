/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels of rows of the effects ledger. @workspace (nullable) is the folder that paths are shown
 * relative to. */

#pragma once

#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

/* Returns one line like "Read src/main.c". Paths below @workspace are relative to it; paths and
 * commands stand between GADGET_CODE_BEGIN and GADGET_CODE_END. (transfer full) */
char       *gadget_effect_labels_dup_text    (const GadgetEffectRow *row,
                                              const char            *workspace);

/* Returns how the effect ended, such as "exit status 1". NULL when it ended as expected. (transfer
 * full) (nullable) */
char       *gadget_effect_labels_dup_outcome (const GadgetEffectRow *row);

/* Returns the outcome, whether a command could use the network, and what is missing in the record
 * of its changes. NULL when there is nothing to say. (transfer full) (nullable) */
char       *gadget_effect_labels_dup_details (const GadgetEffectRow *row);

/* Returns the name of an icon for the kind of effect. */
const char *gadget_effect_labels_get_icon    (const GadgetEffectRow *row);

/* Returns @path for people: relative to @workspace, or with "~" for the home folder. (transfer
 * full) */
char       *gadget_effect_labels_dup_path    (const char            *path,
                                              const char            *workspace);

G_END_DECLS
