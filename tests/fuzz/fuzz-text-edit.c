/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file and the two texts of an edit, with a line "====" between them. An edit that only adds a
 * line leaves all lines of the file as they are, whichever rules it fits by. */

#include "config.h"

#include "fuzz.h"

#include "tools/files/gadget-text-edit.h"

#include <string.h>

#define SEPARATOR "====\n"
#define ADDED "added"

static char *
apply (const char *file, const char *old_text, const char *new_text, gboolean *exact)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);
  g_autofree char *note = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  char *result;

  g_ptr_array_add (edits, _gadget_text_edit_new (old_text, new_text, FALSE));
  result = _gadget_text_edit_apply (file, strlen (file), "a.c", edits, &length, &note, &error);
  g_assert ((result == NULL) == (error != NULL));
  g_assert (result == NULL || length == strlen (result));
  *exact = note == NULL;
  return result;
}

static void
check_kept (const char *file, const char *result)
{
  g_auto (GStrv) lines = g_strsplit (file, "\n", -1);
  g_auto (GStrv) kept = g_strsplit (result, "\n", -1);
  guint i = 0;

  for (guint k = 0; kept[k] != NULL && lines[i] != NULL; k++)
    i += g_str_equal (lines[i], kept[k]) ? 1 : 0;
  g_assert (lines[i] == NULL || g_str_has_suffix (result, ADDED));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) parts = g_strsplit (text, SEPARATOR, 3);
  g_autofree char *result = NULL;
  g_autofree char *added_text = NULL;
  g_autofree char *added = NULL;
  gboolean exact;

  if (g_strv_length (parts) < 2 || *parts[1] == '\0')
    return 0;
  result = apply (parts[0], parts[1], parts[2] != NULL ? parts[2] : "", &exact);
  added_text =
      g_strconcat (parts[1], g_str_has_suffix (parts[1], "\n") ? ADDED "\n" : "\n" ADDED, NULL);
  added = apply (parts[0], parts[1], added_text, &exact);
  if (added != NULL && !exact)
    check_kept (parts[0], added);
  return 0;
}
