/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whatever a line is: reading it ends, what was read is plain words, and writing these words out
 * again, quoted, is read as the same. A prefix that is offered for a command allows that command.
 */

#include "config.h"

#include "fuzz.h"

#include "tools/shell/gadget-command-line.h"
#include "tools/shell/gadget-command-tokens.h"

#include <string.h>

static char *
quote_all (const GPtrArray *commands)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < commands->len; i++)
    {
      char **words = g_ptr_array_index (commands, i);

      if (i > 0)
        g_string_append (line, "; ");
      for (guint k = 0; words[k] != NULL; k++)
        {
          g_autofree char *quoted = g_shell_quote (words[k]);

          g_string_append_printf (line, "%s%s", k > 0 ? " " : "", quoted);
        }
    }
  return g_string_free_and_steal (line);
}

static void
check_same (const GPtrArray *commands)
{
  g_autofree char *line = quote_all (commands);
  g_autoptr (GPtrArray) again = gadget_command_line_read (line, NULL);

  g_assert_nonnull (again);
  g_assert_cmpuint (again->len, ==, commands->len);
  for (guint i = 0; i < commands->len; i++)
    g_assert_true (g_strv_equal (g_ptr_array_index (again, i), g_ptr_array_index (commands, i)));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *line = g_strndup ((const char *) data, size);
  const char *reason = NULL;
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, &reason);

  gadget_command_line_mentions (line, "git push");
  g_assert_true ((commands == NULL) == (reason != NULL));
  if (commands == NULL)
    return 0;
  g_assert_cmpuint (commands->len, >, 0);
  for (guint i = 0; i < commands->len; i++)
    {
      const char *const *words = g_ptr_array_index (commands, i);
      g_autofree char *prefix = gadget_command_tokens_dup_prefix (words);

      g_assert_true (words[0] != NULL && *words[0] != '\0');
      if (prefix == NULL)
        continue;
      g_assert_true (gadget_command_tokens_may_allow (words));
      g_assert_true (gadget_command_tokens_has_prefix (words, prefix));
      g_assert_true (gadget_command_line_mentions (line, prefix));
      g_assert_cmpuint (strcspn (prefix, "/$`|;&<>(){}*?[]~'\"\\\n"), ==, strlen (prefix));
    }
  check_same (commands);
  return 0;
}
