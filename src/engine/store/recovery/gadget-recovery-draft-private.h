/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-recovery-draft.h"

G_BEGIN_DECLS

/* Parses a draft (transfer full). Returns NULL with %GADGET_STORE_ERROR_CORRUPT if the contents are
 * not valid, and NULL without an error if they belong to another database. */
GadgetRecoveredDraft *_gadget_recovery_draft_parse (const char  *contents,
                                                    gsize        length,
                                                    const char  *data_dir,
                                                    GError     **error);

G_END_DECLS
