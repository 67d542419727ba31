/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Errors in words for people, by domain and code. The message of an error is for the log. */
const char *gadget_error_words_get_reason (const GError *error);
char       *gadget_error_words_dup        (const char   *what,
                                           const GError *error);

G_END_DECLS
