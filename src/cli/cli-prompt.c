/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prompts as text for a terminal. Text of others (the model, a server, a file) has a bar in front
 * of each line, so that it cannot imitate Gadget's own lines. The first line of a choice that the
 * model wrote has Gadget's number instead. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include "cli-prompt.h"

#include <glib/gi18n.h>
#include <string.h>

#include "common/gadget-line-diff.h"
#include "common/gadget-visible.h"

#define FIRST_BAR "  │ "
#define NEXT_BAR "  ┊ "
#define NEXT_INDENT "    "
#define TAB_WIDTH 8
#define MIN_COLUMNS 20

/* The key that the user types for an answer to a permission. */
typedef struct
{
  const char *answer;
  const char *key;
} Choice;

static const Choice choices[] = {
  { GADGET_PROMPT_ALLOW, "1" },
  { GADGET_PROMPT_ALLOW_SESSION, "2" },
  { GADGET_PROMPT_ALLOW_WORKSPACE, "3" },
  { GADGET_PROMPT_ALLOW_ALWAYS, "4" },
  { GADGET_PROMPT_DENY, "0" },
};

/* --- Wrapping --- */

static guint
get_width (gunichar c, guint column)
{
  if (c == '\t')
    return TAB_WIDTH - column % TAB_WIDTH;
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

static void
append_break (GString *text, const char *next, guint *column)
{
  g_string_append_printf (text, "\n%s", next);
  *column = (guint) g_utf8_strlen (next, -1);
}

/* Appends a line, wrapped here: a line that the terminal wraps would continue at its edge, where
 * only Gadget's own lines begin. @first precedes the line, @next its continuations. @at_spaces:
 * whether it breaks between words, where they fit; otherwise it breaks anywhere, so that each space
 * of it is shown. */
static void
append_wrapped (GString *text, const char *line, const char *first, const char *next,
                gboolean at_spaces, guint columns)
{
  const guint indent = (guint) g_utf8_strlen (next, -1);
  guint column = (guint) g_utf8_strlen (first, -1);
  gsize word = 0; /* where the last word begins in @text; 0 when the row has only one */
  guint word_column = 0;

  g_string_append (text, first);
  for (const char *p = line; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      guint width = get_width (c, column);

      if (column + width > columns)
        {
          if (at_spaces && c == ' ')
            {
              append_break (text, next, &column);
              word = 0;
              continue;
            }
          if (word > 0 && indent + column - word_column + width <= columns)
            {
              g_autofree char *rest = g_strdup (text->str + word);
              const guint rest_width = column - word_column;

              g_string_truncate (text, word - 1); /* without the space */
              append_break (text, next, &column);
              g_string_append (text, rest);
              column += rest_width;
            }
          else
            append_break (text, next, &column);
          word = 0;
          width = get_width (c, column);
        }
      /* A tab is replaced by spaces, because the terminal's tab stops are in other columns. */
      if (c == '\t')
        g_string_append_printf (text, "%*s", (int) width, "");
      else
        g_string_append_unichar (text, c);
      column += width;
      if (at_spaces && c == ' ')
        {
          word = text->len;
          word_column = column;
        }
    }
  g_string_append_c (text, '\n');
}

/* --- Text of others --- */

/* Appends text of others with invisible characters escaped, and returns how many there are. */
static guint
append_foreign (GString *text, const char *foreign, guint columns)
{
  guint n_escaped;
  g_autofree char *visible = gadget_visible_escape_counted (foreign, &n_escaped);
  const gsize length = strlen (visible);
  g_auto (GStrv) lines = NULL;

  if (length > 0 && visible[length - 1] == '\n')
    visible[length - 1] = '\0';
  lines = g_strsplit (visible, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    append_wrapped (text, lines[i], FIRST_BAR, NEXT_BAR, FALSE, columns);
  if (lines[0] == NULL)
    append_wrapped (text, "", FIRST_BAR, NEXT_BAR, FALSE, columns);
  return n_escaped;
}

/* --- Gadget's own text --- */

/* Appends a sentence, which may contain a name. */
static void
append_sentence (GString *text, const char *sentence, guint columns)
{
  g_autofree char *visible = gadget_visible_escape_line (sentence);

  append_wrapped (text, visible, "", NEXT_INDENT, TRUE, columns);
}

/* Appends the lines of @own (nullable), as warnings if @warn. */
static void
append_lines (GString *text, const char *own, gboolean warn, guint columns)
{
  g_auto (GStrv) lines = g_strsplit (own != NULL ? own : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *warning = warn ? g_strdup_printf (_ ("Warning: %s"), lines[i]) : NULL;

      append_sentence (text, warn ? warning : lines[i], columns);
    }
}

static void
append_own (GString *text, const char *own, guint columns)
{
  append_lines (text, own, FALSE, columns);
}

static void
append_warnings (GString *text, GadgetPrompt *prompt, guint columns)
{
  append_lines (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING), TRUE, columns);
}

static void
append_title (GString *text, GadgetPrompt *prompt, guint columns)
{
  const char *place = gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE);
  g_autoptr (GString) title = g_string_new (gadget_prompt_get_title (prompt));
  g_autofree char *placed = NULL;
  guint n_added, n_removed;

  gadget_prompt_get_counts (prompt, &n_added, &n_removed);
  if (n_added > 0)
    g_string_append_printf (title, " +%u", n_added);
  if (n_removed > 0)
    g_string_append_printf (title, " −%u", n_removed);
  if (place != NULL)
    /* Translators: a question, such as "Run this command?", and the folder that it is about */
    placed = g_strdup_printf (_ ("%s  (%s)"), title->str, place);
  append_sentence (text, placed != NULL ? placed : title->str, columns);
}

/* Appends a choice with its key. @foreign: whether others wrote it */
static void
append_choice (GString *text, const char *key, const char *label, gboolean foreign, guint columns)
{
  g_autofree char *first = g_strdup_printf ("  %s. ", key);
  g_autofree char *visible = gadget_visible_escape_line (label);

  append_wrapped (text, visible, first, foreign ? NEXT_BAR : NEXT_INDENT, !foreign, columns);
}

static void
append_counts (GString *text, const char *body, guint n_escaped, guint columns)
{
  const guint n_lines = MAX (gadget_line_count (body, strlen (body)), 1);
  g_autofree char *lines = g_strdup_printf (ngettext ("%u line", "%u lines", n_lines), n_lines);
  g_autofree char *escaped = g_strdup_printf (
      ngettext ("%u character that cannot be seen is shown as a code.",
                "%u characters that cannot be seen are shown as codes.", n_escaped),
      n_escaped);

  append_sentence (text, lines, columns);
  if (n_escaped > 0)
    append_sentence (text, escaped, columns);
}

static const char *
get_label (GadgetPrompt *prompt, const char *answer)
{
  if (g_str_equal (answer, GADGET_PROMPT_ALLOW))
    return _ ("Allow Once");
  if (g_str_equal (answer, GADGET_PROMPT_DENY))
    return _ ("Deny");
  return gadget_prompt_get_choice_label (prompt, answer);
}

static void
append_permission (GString *text, GadgetPrompt *prompt, guint columns)
{
  const char *quote = gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE);
  const char *body = gadget_prompt_get_body (prompt);

  append_title (text, prompt, columns);
  append_warnings (text, prompt, columns);
  if (quote != NULL)
    {
      append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE), columns);
      append_foreign (text, quote, columns);
    }
  if (body != NULL)
    append_counts (text, body, append_foreign (text, body, columns), columns);
  append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_OMITTED), columns);
  append_own (text, gadget_prompt_get_detail (prompt), columns);
  append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_UNDO), columns);
  append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_ONCE), columns);
  append_own (text, gadget_prompt_get_rule_text (prompt), columns);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (get_label (prompt, choices[i].answer) != NULL)
      append_choice (text, choices[i].key, get_label (prompt, choices[i].answer), FALSE, columns);
  g_string_append (text, _ ("Allow it? (y/n, or a number) "));
}

/* Appends a question; Gadget's own questions have no bar. */
static void
append_question (GString *text, GadgetPrompt *prompt, guint columns)
{
  const char *asker = gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER);
  const char *const *answers = gadget_prompt_get_choices (prompt);

  if (asker != NULL)
    {
      append_own (text, asker, columns);
      append_warnings (text, prompt, columns);
      append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE), columns);
      append_foreign (text, gadget_prompt_get_title (prompt), columns);
    }
  else
    append_own (text, gadget_prompt_get_title (prompt), columns);
  for (guint i = 0; answers != NULL && answers[i] != NULL; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i + 1);

      append_choice (text, key, answers[i], asker != NULL, columns);
    }
  if (answers == NULL || answers[0] == NULL)
    g_string_append (text, "> ");
  else if (gadget_prompt_get_allow_text (prompt))
    g_string_append (text, _ ("A number, or your own words: "));
  else
    g_string_append (text, _ ("A number: "));
}

char *
gadget_cli_prompt_dup_text (GadgetPrompt *prompt, guint columns)
{
  g_autoptr (GString) text = g_string_new ("\n");
  const guint width = MAX (columns, MIN_COLUMNS);

  g_return_val_if_fail (GADGET_IS_PROMPT (prompt), NULL);

  if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION)
    append_permission (text, prompt, width);
  else
    append_question (text, prompt, width);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

const char *
gadget_cli_prompt_get_answer (GadgetPrompt *prompt, const char *key)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (prompt) && key != NULL, NULL);

  if (g_ascii_strcasecmp (key, "y") == 0 || g_ascii_strcasecmp (key, "yes") == 0)
    return GADGET_PROMPT_ALLOW;
  if (g_ascii_strcasecmp (key, "n") == 0 || g_ascii_strcasecmp (key, "no") == 0)
    return GADGET_PROMPT_DENY;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (key, choices[i].key) && get_label (prompt, choices[i].answer) != NULL)
      return choices[i].answer;
  return NULL;
}
