/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Texts for errors, by domain and code. The message of an error is for the log. */
const char *gadget_error_labels_get_reason (const GError *error);
char       *gadget_error_labels_dup        (const char   *what,
                                            const GError *error);

G_END_DECLS
