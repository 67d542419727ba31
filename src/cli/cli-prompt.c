/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include "cli-prompt.h"

#include <glib/gi18n.h>
#include <string.h>

#include "common/gadget-line-diff.h"
#include "common/gadget-visible.h"

#define FIRST_BAR "  │ "
#define NEXT_BAR "  ┊ "
#define BAR_WIDTH 4
#define TAB_WIDTH 8
#define MIN_COLUMNS 20

typedef struct
{
  const char *answer;
  const char *typed;
} Choice;

static const Choice choices[] = {
  { GADGET_PROMPT_ALLOW, "1" },
  { GADGET_PROMPT_ALLOW_SESSION, "2" },
  { GADGET_PROMPT_ALLOW_WORKSPACE, "3" },
  { GADGET_PROMPT_ALLOW_ALWAYS, "4" },
  { GADGET_PROMPT_DENY, "0" },
};

/* --- Other people's text -----------------------------------------------------------------------
 */

static guint
get_width (gunichar c, guint column)
{
  if (c == '\t')
    return TAB_WIDTH - column % TAB_WIDTH;
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

/* Wrapped by us: what a terminal wraps begins at its edge, where only Gadget's own lines begin. */
static void
append_line (GString *text, const char *line, guint columns)
{
  guint column = 0;

  g_string_append (text, FIRST_BAR);
  for (const char *p = line; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      const guint width = get_width (c, column);

      if (column + width > columns)
        {
          g_string_append (text, "\n" NEXT_BAR);
          column = 0;
        }
      /* A tab stop of the terminal's would not be where ours is. */
      if (c == '\t')
        g_string_append_printf (text, "%*s", (int) get_width (c, column), "");
      else
        g_string_append_unichar (text, c);
      column += get_width (c, column);
    }
  g_string_append_c (text, '\n');
}

/* With all that cannot be seen written out. */
static void
append_foreign (GString *text, const char *foreign, guint columns)
{
  g_autofree char *visible = gadget_visible_dup (foreign);
  const gsize length = strlen (visible);
  g_auto (GStrv) lines = NULL;

  if (length > 0 && visible[length - 1] == '\n')
    visible[length - 1] = '\0';
  lines = g_strsplit (visible, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    append_line (text, lines[i], columns);
  if (lines[0] == NULL)
    append_line (text, "", columns);
}

/* --- Gadget's own ------------------------------------------------------------------------------
 */

static void
append_own (GString *text, const char *own)
{
  g_auto (GStrv) lines = NULL;

  if (own == NULL || *own == '\0')
    return;
  lines = g_strsplit (own, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *visible = gadget_visible_dup (lines[i]);

      g_string_append (text, visible);
      g_string_append_c (text, '\n');
    }
}

static void
append_warnings (GString *text, const char *warnings)
{
  g_auto (GStrv) lines = NULL;

  if (warnings == NULL)
    return;
  lines = g_strsplit (warnings, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    /* Translators: stands before a sentence that warns */
    g_string_append_printf (text, "%s %s\n", _ ("Warning:"), lines[i]);
}

static void
append_title (GString *text, GadgetPrompt *prompt)
{
  const char *place = gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE);
  guint n_added, n_removed;

  gadget_prompt_get_counts (prompt, &n_added, &n_removed);
  g_string_append (text, gadget_prompt_get_title (prompt));
  if (n_added > 0)
    g_string_append_printf (text, " +%u", n_added);
  if (n_removed > 0)
    g_string_append_printf (text, " −%u", n_removed);
  if (place != NULL)
    {
      g_autofree char *visible = gadget_visible_dup_line (place);

      g_string_append_printf (text, "  (%s)", visible);
    }
  g_string_append_c (text, '\n');
}

static void
append_counts (GString *text, const char *body)
{
  const guint n_lines = MAX (gadget_line_count (body, strlen (body)), 1);
  const guint n_unusual = gadget_visible_count (body);

  g_string_append_printf (text, ngettext ("%u line", "%u lines", n_lines), n_lines);
  if (n_unusual > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text,
                              ngettext ("%u character that cannot be seen is shown as a code.",
                                        "%u characters that cannot be seen are shown as codes.",
                                        n_unusual),
                              n_unusual);
    }
  g_string_append_c (text, '\n');
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

  append_title (text, prompt);
  append_warnings (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  if (quote != NULL)
    {
      append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE));
      append_foreign (text, quote, columns);
    }
  if (body != NULL)
    {
      append_foreign (text, body, columns);
      append_counts (text, body);
    }
  append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_OMITTED));
  append_own (text, gadget_prompt_get_detail (prompt));
  append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_ONCE));
  append_own (text, gadget_prompt_get_reach (prompt));
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (get_label (prompt, choices[i].answer) != NULL)
      g_string_append_printf (text, "  %s. %s\n", choices[i].typed,
                              get_label (prompt, choices[i].answer));
  g_string_append (text, _ ("Allow it? (y/n, or a number) "));
}

/* Gadget's own questions have no bar. */
static void
append_question (GString *text, GadgetPrompt *prompt, guint columns)
{
  const char *asker = gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER);
  const char *const *answers = gadget_prompt_get_choices (prompt);

  if (asker != NULL)
    {
      append_own (text, asker);
      append_warnings (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
      append_own (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE));
      append_foreign (text, gadget_prompt_get_title (prompt), columns);
    }
  else
    append_own (text, gadget_prompt_get_title (prompt));
  for (guint i = 0; answers != NULL && answers[i] != NULL; i++)
    {
      g_autofree char *visible = gadget_visible_dup_line (answers[i]);

      g_string_append_printf (text, "  %u. %s\n", i + 1, visible);
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
  const guint width = MAX (columns, MIN_COLUMNS) - BAR_WIDTH;

  g_return_val_if_fail (GADGET_IS_PROMPT (prompt), NULL);

  if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION)
    append_permission (text, prompt, width);
  else
    append_question (text, prompt, width);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

const char *
gadget_cli_prompt_get_answer (GadgetPrompt *prompt, const char *typed)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (prompt) && typed != NULL, NULL);

  if (g_ascii_strcasecmp (typed, "y") == 0 || g_ascii_strcasecmp (typed, "yes") == 0)
    return GADGET_PROMPT_ALLOW;
  if (g_ascii_strcasecmp (typed, "n") == 0 || g_ascii_strcasecmp (typed, "no") == 0)
    return GADGET_PROMPT_DENY;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (typed, choices[i].typed) && get_label (prompt, choices[i].answer) != NULL)
      return choices[i].answer;
  return NULL;
}
