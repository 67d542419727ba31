/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the option "attachments" of Ask. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads the value of the option: (transfer full) (element-type GFile). Returns NULL with
 * GADGET_CONTROL_ERROR_INVALID. */
GPtrArray *_gadget_request_files_read    (GVariant     *value,
                                          GError      **error);

/* Converts the error of reading @file to a #GadgetControlError for the program that asked (transfer
 * full). */
GError    *_gadget_request_files_explain (const GError *error,
                                          GFile        *file);

G_END_DECLS
