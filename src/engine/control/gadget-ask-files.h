/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the option "attachments" of Ask. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* @value: of the option; NULL with a #GadgetControlError. (transfer full) (element-type GFile) */
GPtrArray *_gadget_ask_files_read    (GVariant     *value,
                                      GError      **error);

/* Why FILE could not be read, for who asked: a #GadgetControlError. */
GError    *_gadget_ask_files_explain (const GError *error,
                                      GFile        *file);

G_END_DECLS
