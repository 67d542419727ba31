/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Languages by the word that the fence of a block of code has: "c++", "py", "Dockerfile". */

#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Returns the name of the language for people, or @word itself when it is not known. (transfer
 * none) */
const char        *gadget_code_language_get_name      (const char         *word);

/* Returns a name for a file in the language. (transfer full) */
char              *gadget_code_language_dup_file_name (const char         *word);

/* Returns the rules. (transfer none) (nullable): NULL when there are none, or the list of languages
 * is not loaded yet */
GtkSourceLanguage *gadget_code_language_find          (const char         *word);

/* Returns the rules for a file with this name or path. (transfer none) (nullable): NULL as above */
GtkSourceLanguage *gadget_code_language_find_for_file (const char         *name);

/* Returns the id of the rules, for a common language only: it is known without the list. (transfer
 * none) (nullable) */
const char        *gadget_code_language_get_id        (const char         *word);

/* Loads the list of languages in a thread, once. Returns whether it is loaded already; @callback is
 * called only when it is not. */
gboolean           gadget_code_language_load          (GAsyncReadyCallback callback,
                                                       gpointer            user_data);

G_END_DECLS
