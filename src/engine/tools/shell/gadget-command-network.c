/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists contain what is known to be harmless, not what is known to be dangerous: the user is
 * asked each time about a program or an option that is missing here. */

#define G_LOG_DOMAIN "gadget-command-network"

#include "config.h"

#include "gadget-command-network.h"

#include "gadget-command-line.h"

#include <string.h>

/* A program that may use the network, with its harmless options. */
typedef struct
{
  const char *program;
  const char *letters;        /* short options without a value, which may be combined in one word */
  const char *const *options; /* long options without a value */
  const char *const *valued;  /* options whose value, the next word, is harmless */
} Known;

static const char *const curl_options[] = {
  "--fail",        "--location", "--silent",  "--show-error", "--head",
  "--remote-name", "--verbose",  "--include", "--compressed", NULL
};
static const char *const curl_valued[] = { "-o", "--output", "-m", "--max-time", "--retry", NULL };
static const char *const wget_options[] = { "--quiet", "--spider", "--no-verbose",
                                            "--server-response", NULL };
static const char *const wget_valued[] = { "-O", "-T", "-t", NULL };
static const char *const ping_valued[] = { "-c", "-W", "-w", NULL };
static const char *const none[] = { NULL };

static const Known known[] = {
  { "curl", "fLsSIOvi", curl_options, curl_valued },
  { "wget", "qSv", wget_options, wget_valued },
  { "ping", "n46", none, ping_valued },
  { "host", "", none, none },
  { "nslookup", "", none, none },
  { "whois", "", none, none },
};

/* Programs that only pass on their input and do not use the network. */
static const char *const filters[] = { "head", "tail", "wc", "cut", "tr", "grep", NULL };

/* The shell may expand a word with any of these characters to file names. */
static gboolean
is_plain_value (const char *word)
{
  return *word != '-' && *word != '\0' && strpbrk (word, "@*?[{~") == NULL
         && !g_str_has_prefix (word, "file:");
}

static gboolean
option_is_harmless (const Known *program, const char *word)
{
  if (g_str_has_prefix (word, "--"))
    return g_strv_contains (program->options, word);
  return word[1] != '\0' && strspn (word + 1, program->letters) == strlen (word + 1);
}

static gboolean
words_are_fixed (const Known *program, const char *const *words)
{
  guint n_values = 0;

  for (guint i = 1; words[i] != NULL; i++)
    {
      if (g_strv_contains (program->valued, words[i]) && words[i + 1] != NULL
          && is_plain_value (words[i + 1]))
        i++;
      else if (*words[i] == '-' ? !option_is_harmless (program, words[i])
                                : !is_plain_value (words[i]))
        return FALSE;
      else if (*words[i] != '-')
        n_values++;
    }
  /* Without any value, some programs read what to do from standard input. */
  return n_values > 0;
}

static gboolean
command_is_fixed (const char *const *words)
{
  if (g_strv_contains (filters, words[0]))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (words[0], known[i].program))
      return words_are_fixed (&known[i], words);
  return FALSE;
}

gboolean
gadget_command_network_is_fixed (const char *line)
{
  g_autoptr (GPtrArray) commands = NULL;

  g_return_val_if_fail (line != NULL, FALSE);

  commands = gadget_command_line_read (line, NULL);
  if (commands == NULL || commands->len == 0)
    return FALSE;
  for (guint i = 0; i < commands->len; i++)
    if (!command_is_fixed (g_ptr_array_index (commands, i)))
      return FALSE;
  return TRUE;
}
