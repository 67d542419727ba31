/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Languages by what the fence of a block of code calls them: "c++", "py", "Dockerfile". */

#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* What people call the language, as long as that is known; else the word itself. */
const char        *gadget_code_language_get_name      (const char          *word);

/* How a file in it may be called. (transfer full) */
char              *gadget_code_language_dup_file_name (const char          *word);

/* Its rules. NULL: there are none, or those that there are were not read yet. */
GtkSourceLanguage *gadget_code_language_find          (const char          *word);

/* The rules for a file of that name, or path. NULL: as above. */
GtkSourceLanguage *gadget_code_language_find_for_file (const char          *name);

/* The id of its rules, where that is known without looking through all languages. */
const char        *gadget_code_language_get_id        (const char          *word);

/* Reads which languages there are, unless that was done. Returns whether it is already. */
gboolean           gadget_code_language_load          (GAsyncReadyCallback  callback,
                                                       gpointer             user_data);

G_END_DECLS
