/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several secrets that the keyring stores as one: names and values, as one JSON object. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *gadget_secret_values_find    (char              **words,
                                    char                separator);
char *gadget_secret_values_to_json (const char *const  *pairs);
char *gadget_secret_values_dup     (const char         *json,
                                    const char         *name);
char *gadget_secret_values_merge   (char              **names,
                                    const char         *old,
                                    const char         *fresh);

/* Overwrites the strings (names and values, or "NAME=value") before it frees them. NULL is
 * allowed. */
void  gadget_secret_values_free    (char              **words);

G_END_DECLS
