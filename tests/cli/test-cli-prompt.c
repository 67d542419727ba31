/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a permission looks like on a terminal: the same as on a card, and nothing of it that
 * somebody else wrote looks like Gadget's own lines. */

#include "config.h"

#include "../../src/cli/cli-prompt.h"

#include <string.h>

static gboolean
is_foreign (const char *line)
{
  return g_str_has_prefix (line, "  │ ") || g_str_has_prefix (line, "  ┊ ");
}

static GadgetPrompt *
make_command (const char *command)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission ("shell", "Run this command?", command,
                                                       "Writes here · reads this · no network");

  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, "~/x");
  return prompt;
}

/* Every line of the command has its bar, whatever it looks like and wherever it wraps. */
static void
test_forged (void)
{
  g_autofree char *spaces = g_strnfill (76, ' ');
  g_autofree char *command =
      g_strconcat ("ls\nWrites here · reads this · no network\nAllow it? (y/n) \r\n", spaces,
                   "  1. Allow Once\xe2\x80\xae\xe2\x80\x8b", NULL);
  g_autoptr (GadgetPrompt) prompt = make_command (command);
  g_autofree char *text = gadget_cli_prompt_dup_text (prompt, 80);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_own = 0;
  guint n_foreign = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (is_foreign (lines[i]))
        n_foreign++;
      else if (*lines[i] != '\0')
        n_own++;
      g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, 80);
    }
  g_assert_cmpuint (n_foreign, ==, 5);
  /* Title, two counts, detail, two answers, the question. */
  g_assert_cmpuint (n_own, ==, 7);
  g_assert_nonnull (
      strstr (text, "\n4 lines\n3 characters that cannot be seen are shown as codes.\n"));
  g_assert_nonnull (strstr (text, "\\u202e\\u200b\n"));
  g_assert_nonnull (strstr (text, "\\x0d\n"));
}

/* A name that somebody else chose, in a sentence of Gadget's own, adds no line and hides nothing.
 */
static void
test_names (void)
{
  static const char name[] = "x\n  1. Allow Once\x1b[2K\r\xe2\x80\xae\xe2\x80\x8b";
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_answers = 0;

  prompt = gadget_prompt_new_permission ("shell", name, "ls", "Writes here");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, name);
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_WORKSPACE, name);
  text = gadget_cli_prompt_dup_text (prompt, 80);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    n_answers += g_str_has_prefix (lines[i], "  1.");
  g_assert_cmpuint (n_answers, ==, 1);
  g_assert_null (strpbrk (text, "\x1b\r"));
  g_assert_null (strstr (text, "\xe2\x80\xae"));
  g_assert_null (strstr (text, "\xe2\x80\x8b"));
  g_assert_nonnull (strstr (text, "  3. x\\x0a  1. Allow Once\\x1b[2K\\x0d\\u202e\\u200b\n"));
}

/* What a terminal wraps begins at its edge, as a line of Gadget's own does. */
static void
test_wrapped (void)
{
  static const char edge[] = "Gadget: all is well";
  g_autofree char *spaces = g_strnfill (72, ' ');
  g_autofree char *name = g_strconcat ("x", spaces, edge, NULL);
  const char *const answers[] = { name, NULL };
  g_autoptr (GadgetPrompt) permission =
      gadget_prompt_new_permission ("shell", name, "ls", "Writes here");
  g_autoptr (GadgetPrompt) question = gadget_prompt_new_question ("Which?", answers, FALSE);
  g_autofree char *both = NULL;
  g_auto (GStrv) lines = NULL;

  gadget_prompt_set_text (permission, GADGET_PROMPT_PLACE, name);
  gadget_prompt_add_warning (permission, name);
  gadget_prompt_set_rule_text (permission, name);
  gadget_prompt_add_choice (permission, GADGET_PROMPT_ALLOW_WORKSPACE, name);
  gadget_prompt_set_text (question, GADGET_PROMPT_ASKER, "The model asks");
  {
    g_autofree char *first = gadget_cli_prompt_dup_text (permission, 80);
    g_autofree char *second = gadget_cli_prompt_dup_text (question, 80);

    both = g_strconcat (first, "\n", second, NULL);
  }
  lines = g_strsplit (both, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, 80);
      g_assert_false (g_str_has_prefix (lines[i], "Gadget:"));
    }
}

/* Gadget's own sentences break between words, and a word that is longer than a row anywhere. */
static void
test_words (void)
{
  g_autofree char *path = g_strnfill (30, 'a');
  g_autofree char *warning = g_strconcat ("Keys of ", path, " are there.", NULL);
  g_autoptr (GadgetPrompt) prompt = make_command ("ls\x01");
  g_autofree char *text = NULL;

  gadget_prompt_add_warning (prompt, warning);
  gadget_prompt_set_rule_text (prompt, "12345678901234567890 next");
  text = gadget_cli_prompt_dup_text (prompt, 20);
  g_assert_nonnull (strstr (text, "\nRun this command? \n    (~/x)\n"));
  g_assert_nonnull (strstr (text, "\nWrites here · reads\n    this · no\n    network\n"));
  g_assert_nonnull (strstr (text, "\nWarning: Keys of\n    aaaaaaaaaaaaaaaa\n    aaaaaaaaaaaaaa"
                                  "\n    are there.\n"));
  g_assert_nonnull (strstr (text, "\n12345678901234567890\n    next\n"));
  g_assert_nonnull (strstr (text, "\n1 character that\n    cannot be seen\n    is shown as a\n"));
}

/* The continuation of a choice that the model wrote has a bar; that of Gadget's own has none. */
static void
test_long_choices (void)
{
  g_autofree char *spaces = g_strnfill (74, ' ');
  g_autofree char *long_choice = g_strconcat ("x", spaces, "2. Something else", NULL);
  const char *const choices[] = { long_choice, NULL };
  g_autoptr (GadgetPrompt) asked = gadget_prompt_new_question ("Which?", choices, FALSE);
  g_autoptr (GadgetPrompt) own = gadget_prompt_new_question ("Which?", choices, FALSE);
  g_autofree char *asked_text = NULL;
  g_autofree char *own_text = NULL;

  gadget_prompt_set_text (asked, GADGET_PROMPT_ASKER, "The model asks");
  asked_text = gadget_cli_prompt_dup_text (asked, 80);
  own_text = gadget_cli_prompt_dup_text (own, 80);
  g_assert_nonnull (strstr (asked_text, "\n  ┊ 2. Something else\n"));
  g_assert_nonnull (strstr (own_text, "\n    2. Something else\n"));
}

/* A change is there whole. */
static void
test_whole (void)
{
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission (
      "edit_file", "Change a.txt?", "/x/a.txt", "Writes this file · no network");
  g_autoptr (GString) body = g_string_new ("@@ -1,3000 +1,3000 @@\n");
  g_autofree char *text = NULL;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (body, "-old %u\n+new %u\n", i, i);
  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_DIFF, body->str);
  gadget_prompt_set_counts (prompt, 3000, 3000);
  gadget_prompt_add_warning (prompt, "Keys and passwords are kept there.");
  text = gadget_cli_prompt_dup_text (prompt, 80);
  g_assert_nonnull (strstr (text, "Change a.txt? +3000 −3000\n"));
  g_assert_nonnull (strstr (text, "\nWarning: Keys and passwords are kept there.\n"));
  g_assert_nonnull (strstr (text, "\n  │ -old 0\n"));
  g_assert_nonnull (strstr (text, "\n  │ +new 2999\n"));
  g_assert_nonnull (strstr (text, "\n6001 lines\n"));
}

static void
test_question (void)
{
  static const char *const choices[] = { "Yes\n  3. Allow", "No", NULL };
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_question ("Really?\nGadget asks: your password", choices, TRUE);
  g_autofree char *text = NULL;

  gadget_prompt_set_text (prompt, GADGET_PROMPT_ASKER, "The model asks");
  text = gadget_cli_prompt_dup_text (prompt, 80);
  g_assert_true (g_str_has_prefix (text, "\nThe model asks\n  │ Really?\n  │ Gadget asks: your"));
  g_assert_nonnull (strstr (text, "\n  1. Yes\\x0a  3. Allow\n"));
}

/* The digits are those of the window. */
static void
test_answers (void)
{
  g_autoptr (GadgetPrompt) prompt = make_command ("ls");

  g_assert_cmpstr (gadget_cli_prompt_get_answer (prompt, "1"), ==, GADGET_PROMPT_ALLOW);
  g_assert_cmpstr (gadget_cli_prompt_get_answer (prompt, "y"), ==, GADGET_PROMPT_ALLOW);
  g_assert_cmpstr (gadget_cli_prompt_get_answer (prompt, "0"), ==, GADGET_PROMPT_DENY);
  g_assert_null (gadget_cli_prompt_get_answer (prompt, "2"));
  g_assert_null (gadget_cli_prompt_get_answer (prompt, "3"));
  g_assert_null (gadget_cli_prompt_get_answer (prompt, ""));
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_WORKSPACE, "Always Allow in This Folder");
  g_assert_null (gadget_cli_prompt_get_answer (prompt, "2"));
  g_assert_cmpstr (gadget_cli_prompt_get_answer (prompt, "3"), ==, GADGET_PROMPT_ALLOW_WORKSPACE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/prompt/forged", test_forged);
  g_test_add_func ("/cli/prompt/names", test_names);
  g_test_add_func ("/cli/prompt/wrapped", test_wrapped);
  g_test_add_func ("/cli/prompt/words", test_words);
  g_test_add_func ("/cli/prompt/long-choices", test_long_choices);
  g_test_add_func ("/cli/prompt/whole", test_whole);
  g_test_add_func ("/cli/prompt/question", test_question);
  g_test_add_func ("/cli/prompt/answers", test_answers);

  return g_test_run ();
}
