/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts for the user about permission rules. All of them are translated; everything that comes from
 * a prompt or a rule is made visible first, see common/gadget-visible.h. */

#define G_LOG_DOMAIN "gadget-rule-labels"

#include "config.h"

#include "gadget-rule-labels.h"

#include "gadget-rule-match.h"
#include "common/gadget-visible.h"
#include "common/gadget-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_NAME 24
#define MAX_ORIGIN 400

static char *
dup_path (const char *path)
{
  g_autofree char *visible = gadget_visible_escape_line (path);

  return gadget_path_dup_short (visible);
}

static char *
dup_mcp (const char *subject, gboolean exact)
{
  const char *slash = exact ? strchr (subject, '/') : NULL;
  g_autofree char *server = NULL;

  if (slash == NULL)
    return g_strdup_printf (_ ("all tools of the server “%s”"), subject);
  server = g_strndup (subject, (gsize) (slash - subject));
  /* Translators: the first is the tool's name, the second one the server's */
  return g_strdup_printf (_ ("the tool “%s” of the server “%s”"), slash + 1, server);
}

/* Returns a phrase for the middle of a sentence. */
static char *
dup_what (GadgetRuleKind kind, const char *subject, gboolean exact)
{
  g_autofree char *visible = gadget_visible_escape_line (subject);
  g_autofree char *path = dup_path (subject);

  switch (kind)
    {
    case GADGET_RULE_READ:
      return g_strdup_printf (exact ? _ ("reading %s") : _ ("reading everything in %s"), path);
    case GADGET_RULE_WRITE:
      return g_strdup_printf (exact ? _ ("changing %s") : _ ("changing any file in %s"), path);
    case GADGET_RULE_COMMAND:
      return g_strdup_printf (exact ? _ ("exactly the command “%s”")
                                    : _ ("every command that begins with “%s”"),
                              visible);
    case GADGET_RULE_NETWORK:
      return g_strdup_printf (exact ? _ ("the network for exactly the command “%s”")
                                    : _ ("the network for every command that begins with “%s”"),
                              visible);
    case GADGET_RULE_HOST:
      return g_strdup_printf (_ ("connecting to %s"), visible);
    case GADGET_RULE_MCP:
      return dup_mcp (visible, exact);
    case GADGET_RULE_INSTRUCTIONS:
      return g_strdup_printf (_ ("following the instructions in %s as they are now"), path);
    case GADGET_RULE_TOOL:
    default:
      return g_strdup_printf (_ ("whatever the tool “%s” asks for"), visible);
    }
}

static char *
dup_capitalized (const char *text)
{
  g_autofree char *first = g_utf8_substring (text, 0, MIN (1, g_utf8_strlen (text, -1)));
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, text + strlen (first), NULL);
}

/* Returns a name that is short enough for a button, or NULL. */
static const char *
get_short_name (GPtrArray *patterns)
{
  const GadgetRulePattern *pattern = g_ptr_array_index (patterns, 0);

  if (patterns->len > 1 || strlen (pattern->subject) > MAX_NAME)
    return NULL;
  if (pattern->kind == GADGET_RULE_COMMAND || pattern->kind == GADGET_RULE_HOST)
    return pattern->subject;
  return NULL;
}

char *
gadget_rule_labels_dup_offer (GPtrArray *patterns, GadgetRuleScope scope, gboolean deny)
{
  const char *name;

  g_return_val_if_fail (patterns != NULL && patterns->len > 0, NULL);

  name = get_short_name (patterns);
  if (scope == GADGET_RULE_SESSION)
    return g_strdup (deny ? _ ("Never Allow in This Chat") : _ ("Allow in This Chat"));
  if (scope == GADGET_RULE_WORKSPACE && name != NULL)
    return g_strdup_printf (deny ? _ ("Never Allow “%s” in This Folder")
                                 : _ ("Always Allow “%s” in This Folder"),
                            name);
  if (scope == GADGET_RULE_WORKSPACE)
    return g_strdup (deny ? _ ("Never Allow in This Folder") : _ ("Always Allow in This Folder"));
  if (name != NULL)
    return g_strdup_printf (deny ? _ ("Never Allow “%s”") : _ ("Always Allow “%s”"), name);
  return g_strdup (deny ? _ ("Never Allow") : _ ("Always Allow"));
}

char *
gadget_rule_labels_dup_rules (GPtrArray *patterns)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) parts = NULL;
  g_autofree char *all = NULL;

  g_return_val_if_fail (patterns != NULL && patterns->len > 0, NULL);

  for (guint i = 0; i < patterns->len; i++)
    {
      const GadgetRulePattern *pattern = g_ptr_array_index (patterns, i);

      if (pattern->exact
          && (pattern->kind == GADGET_RULE_COMMAND || pattern->kind == GADGET_RULE_NETWORK))
        g_strv_builder_add (builder, pattern->kind == GADGET_RULE_COMMAND
                                         ? _ ("exactly this command")
                                         : _ ("the network for exactly this command"));
      else
        g_strv_builder_take (builder, dup_what (pattern->kind, pattern->subject, pattern->exact));
    }
  parts = g_strv_builder_end (builder);
  /* Translators: stands between the parts of a list */
  all = g_strjoinv (_ (", "), parts);
  /* Translators: %s is a list such as "every command that begins with “git status”" */
  return g_strdup_printf (_ ("If allowed for longer: %s."), all);
}

/**
 * gadget_rule_labels_get_once:
 * @prompt: a prompt from which no rule can be made
 *
 * Returns: (transfer none): why it can be allowed only once
 */
const char *
gadget_rule_labels_get_once (GadgetPrompt *prompt)
{
  for (guint i = 0; i < gadget_prompt_get_n_accesses (prompt); i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (prompt, i);

      if (!gadget_visible_is_plain (access->subject))
        return _ ("Only once: it has characters that cannot be seen.");
      if (access->kind == GADGET_ACCESS_NETWORK)
        return _ ("Only once: what the command runs or sends with the network can change "
                  "afterwards.");
      if (access->kind == GADGET_ACCESS_COMMAND && !access->confined)
        return _ ("Only once: what the command runs outside of the sandbox can change afterwards.");
    }
  return _ ("Only once: this cannot be allowed for longer.");
}

char *
gadget_rule_labels_dup_origin (GadgetPrompt *prompt)
{
  const char *subject = gadget_prompt_get_subject (prompt);
  g_autofree char *visible = gadget_visible_escape (
      subject != NULL && *subject != '\0' ? subject : gadget_prompt_get_title (prompt));
  g_autofree char *start = NULL;

  if (g_utf8_strlen (visible, -1) <= MAX_ORIGIN)
    return g_steal_pointer (&visible);
  start = g_utf8_substring (visible, 0, MAX_ORIGIN);
  return g_strconcat (start, "…", NULL);
}

char *
gadget_rule_labels_dup_what (GadgetRule *rule)
{
  const GadgetRuleData *data = gadget_rule_get_data (rule);
  g_autofree char *what = dup_what (data->kind, data->subject, data->exact);

  if (!data->deny)
    return dup_capitalized (what);
  /* Translators: %s is what a rule refuses, such as "every command that begins with “git push”" */
  return g_strdup_printf (_ ("Never: %s"), what);
}

char *
gadget_rule_labels_dup_where (GadgetRule *rule)
{
  const GadgetRuleData *data = gadget_rule_get_data (rule);
  g_autofree char *path = NULL;

  switch (data->scope)
    {
    case GADGET_RULE_SESSION:
      return g_strdup (_ ("In one chat"));
    case GADGET_RULE_WORKSPACE:
      path = dup_path (data->workspace);
      /* Translators: a folder */
      return g_strdup_printf (_ ("In %s"), path);
    case GADGET_RULE_ALWAYS:
    default:
      return g_strdup (_ ("Everywhere"));
    }
}
