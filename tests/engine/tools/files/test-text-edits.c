/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Edits as models write them, right and slightly wrong: tests/data/edits/cases.json has the file,
 * both texts, what becomes of the file (null: the edit is refused), and why. */

#include "config.h"

#include "tools/files/gadget-text-edit.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define LEAST_CASES 150

static const char *
get_string (JsonObject *object, const char *name)
{
  return json_object_get_string_member_with_default (object, name, NULL);
}

static char *
apply (JsonObject *object, char **note, GError **error)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);
  const char *file = get_string (object, "file");
  gsize length;

  g_ptr_array_add (edits, _gadget_text_edit_new (
                              get_string (object, "old"), get_string (object, "new"),
                              json_object_get_boolean_member_with_default (object, "all", FALSE)));
  return _gadget_text_edit_apply (file, strlen (file), get_string (object, "path"), edits, &length,
                                  note, error);
}

static gboolean
is_right (JsonObject *object, const char *result, const char *note, const GError *error)
{
  const char *says = get_string (object, "says");
  const gboolean exact = g_str_equal (get_string (object, "kind"), "exact");

  if (g_strcmp0 (result, get_string (object, "want")) != 0 || (result == NULL) != (error != NULL)
      || (exact && note != NULL))
    return FALSE;
  return says == NULL || (error != NULL && strstr (error->message, says) != NULL);
}

static gboolean
check_case (JsonObject *object)
{
  g_autofree char *note = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *result = apply (object, &note, &error);

  g_assert_nonnull (get_string (object, "why"));
  if (is_right (object, result, note, error))
    return TRUE;
  g_test_message ("%s/%s is wrong. %s\nwant: %s\n got: %s\n%s%s", get_string (object, "kind"),
                  get_string (object, "name"), get_string (object, "why"),
                  get_string (object, "want"), result, note != NULL ? note : "",
                  error != NULL ? error->message : "");
  return FALSE;
}

static void
test_cases (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "edits", "cases.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) error = NULL;
  JsonArray *cases;
  guint n_wrong = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  root = json_from_string (text, &error);
  g_assert_no_error (error);
  cases = json_node_get_array (root);
  g_assert_cmpuint (json_array_get_length (cases), >=, LEAST_CASES);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    n_wrong += check_case (json_array_get_object_element (cases, i)) ? 0 : 1;
  g_assert_cmpuint (n_wrong, ==, 0);
}

/* --- Notes ------------------------------------------------------------------------------------ */

static char *
apply_two (const char *file, const char *const *texts, char **note)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);
  g_autoptr (GError) error = NULL;
  gsize length;
  char *result;

  for (guint i = 0; texts[i] != NULL; i += 2)
    g_ptr_array_add (edits, _gadget_text_edit_new (texts[i], texts[i + 1], FALSE));
  result = _gadget_text_edit_apply (file, strlen (file), NULL, edits, &length, note, &error);
  g_assert_no_error (error);
  return result;
}

/* The note shows the lines as they are after all edits. */
static void
test_notes (void)
{
  static const struct
  {
    const char *texts[9];
    const char *note;
  } cases[] = {
    { { "a\nb", "a\nx" },
      "\nThe old text of edit 1 was not in the file exactly; it fitted but for blanks at line "
      "ends. "
      "From line 2 on, the file has now:\na \nx" },
    { { "a\nb", "a\nx", "first\n", "one\ntwo\n" },
      "\nThe old text of edit 1 was not in the file exactly; it fitted but for blanks at line "
      "ends. "
      "From line 3 on, the file has now:\na \nx" },
    { { "a\nb", "a\nx", "x", "y\nz" },
      "\nThe old text of edit 1 was not in the file exactly; it fitted but for blanks at line "
      "ends. "
      "From line 2 on, the file has now:\na \ny\nz" },
    { { "a\nb\n", "" },
      "\nThe old text of edit 1 was not in the file exactly; it fitted but for blanks at line "
      "ends. "
      "Its lines before line 2 are gone." },
    { { "first", "uno", "a\nb", "c\nd", "e\n", "f\n" },
      "\nThe old text of edit 2 was not in the file exactly; it fitted but for blanks at line "
      "ends. "
      "From line 2 on, the file has now:\nc\nd" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *note = NULL;
      g_autofree char *result = apply_two ("first\na \nb\ne\n", cases[i].texts, &note);

      g_assert_nonnull (result);
      g_assert_cmpstr (note, ==, cases[i].note);
    }
}

/* --- Size ------------------------------------------------------------------------------------- */

/* A large file is searched in time that grows with its length, whatever repeats in it. */
static void
test_large (void)
{
  static const char *const lines[] = { "}\n", "\n", "      same line of the file;\n" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GString) file = g_string_new (NULL);
      g_autoptr (GString) old_text = g_string_new (NULL);
      g_autofree char *note = NULL;
      g_autofree char *result = NULL;

      while (file->len < 10 * 1024 * 1024 && file->len < 1000000 * strlen (lines[i]))
        g_string_append (file, lines[i]);
      for (guint k = 0; k < 500; k++)
        g_string_append (old_text, lines[i]);
      g_string_append (old_text, "end \n");
      g_string_append (file, "end\n");

      const char *const texts[] = { old_text->str, "new\n", NULL };

      result = apply_two (file->str, texts, &note);
      g_assert_true (g_str_has_suffix (result, "new\n"));
      g_assert_cmpuint (strlen (result), ==, file->len - old_text->len + strlen ("new\n") + 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/text-edits/cases", test_cases);
  g_test_add_func ("/engine/text-edits/notes", test_notes);
  g_test_add_func ("/engine/text-edits/large", test_large);
  return g_test_run ();
}
