/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Why something cannot be given with a message, in the few words that a chip has room for.
 * Returns: (transfer full) */
char *gadget_attachment_failure_dup_words (const GError *error);

G_END_DECLS
