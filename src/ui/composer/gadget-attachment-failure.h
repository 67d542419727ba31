/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns why something cannot be attached, short enough for a chip. @error is of the domain
 * GADGET_ATTACHMENT_ERROR or G_IO_ERROR; another one is also logged. (transfer full) */
char *gadget_attachment_failure_dup_label (const GError *error);

G_END_DECLS
