/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* All dialects, in the order in which people choose from them; they are static. */
guint                gadget_dialects_get_n (void);
const GadgetDialect *gadget_dialects_get   (guint       index);
/* The dialect of this kind. (transfer none) (nullable) */
const GadgetDialect *gadget_dialects_find  (const char *kind);

G_END_DECLS
