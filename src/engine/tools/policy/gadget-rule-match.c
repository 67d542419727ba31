/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules that allow are matched strictly, rules that deny generously. A rule that allows must say
 * exactly what is asked for, in a form that was fully understood; a rule that denies also catches
 * what merely looks like it. Paths, hosts and commands are compared according to their own syntax;
 * the only patterns are a folder, a domain, and the words with which a command begins. */

#define G_LOG_DOMAIN "gadget-rule-match"

#include "config.h"

#include "gadget-rule-match.h"

#include "tools/shell/gadget-command-line.h"
#include "tools/shell/gadget-command-network.h"
#include "tools/shell/gadget-command-tokens.h"
#include "common/gadget-visible.h"

#include <string.h>

static const GadgetRuleKind kinds[] = {
  [GADGET_ACCESS_READ] = GADGET_RULE_READ,
  [GADGET_ACCESS_WRITE] = GADGET_RULE_WRITE,
  [GADGET_ACCESS_COMMAND] = GADGET_RULE_COMMAND,
  [GADGET_ACCESS_HOST] = GADGET_RULE_HOST,
  [GADGET_ACCESS_NETWORK] = GADGET_RULE_NETWORK,
  [GADGET_ACCESS_MCP] = GADGET_RULE_MCP,
  [GADGET_ACCESS_INSTRUCTIONS] = GADGET_RULE_INSTRUCTIONS,
};

static gboolean
is_command (GadgetAccessKind kind)
{
  return kind == GADGET_ACCESS_COMMAND || kind == GADGET_ACCESS_NETWORK;
}

/* --- Paths ------------------------------------------------------------------------------------ */

static gboolean
path_matches (const GadgetRuleData *rule, const char *path)
{
  g_autofree char *canonical = NULL;
  gsize length = strlen (rule->subject);

  if (path == NULL || !g_path_is_absolute (path) || !g_path_is_absolute (rule->subject))
    return FALSE;
  canonical = g_canonicalize_filename (path, "/");
  if (g_str_equal (canonical, rule->subject))
    return TRUE;
  if (rule->exact || strncmp (canonical, rule->subject, length) != 0)
    return FALSE;
  return canonical[length] == '/' || rule->subject[length - 1] == '/';
}

/* --- Hosts ------------------------------------------------------------------------------------ */

static gboolean
split_host (const char *subject, char **host, const char **port)
{
  const char *colon = *subject == '[' ? strstr (subject, "]:") : strchr (subject, ':');
  g_autofree char *name = NULL;
  gsize length;

  if (*subject == '[' && colon != NULL)
    colon++;
  /* An IPv6 address without brackets has no port. */
  if (*subject != '[' && colon != NULL && strchr (colon + 1, ':') != NULL)
    colon = NULL;
  name = colon != NULL ? g_strndup (subject, (gsize) (colon - subject)) : g_strdup (subject);
  length = strlen (name);
  if (length > 1 && name[length - 1] == '.')
    name[length - 1] = '\0';
  *port = colon != NULL ? colon + 1 : NULL;
  *host = g_hostname_is_non_ascii (name) ? g_hostname_to_ascii (name) : g_ascii_strdown (name, -1);
  return *host != NULL && **host != '\0';
}

static gboolean
host_matches (const GadgetRuleData *rule, const char *subject)
{
  g_autofree char *host = NULL;
  g_autofree char *wanted = NULL;
  const char *port, *wanted_port;

  if (!split_host (subject, &host, &port) || !split_host (rule->subject, &wanted, &wanted_port))
    return FALSE;
  if (g_strcmp0 (port, wanted_port) != 0 && !(rule->deny && wanted_port == NULL))
    return FALSE;
  if (g_str_has_prefix (wanted, "*."))
    return g_str_has_suffix (host, wanted + 1) && strlen (host) > strlen (wanted + 1);
  return g_str_equal (host, wanted);
}

/* --- MCP -------------------------------------------------------------------------------------- */

static gboolean
mcp_matches (const GadgetRuleData *rule, const char *subject)
{
  const gsize length = strlen (rule->subject);

  if (rule->exact)
    return g_str_equal (rule->subject, subject);
  return length > 0 && strncmp (rule->subject, subject, length) == 0 && subject[length] == '/';
}

/* The user allowed the tool as it was described then, or the instructions that were there. A rule
 * that was written down for a tool is bound to the tool that it meets first; one for instructions
 * is made with their text. */
static gboolean
is_as_then (const GadgetRuleData *rule, const GadgetAccess *access)
{
  if (access->kind == GADGET_ACCESS_MCP && (!rule->exact || rule->fingerprint == NULL))
    return TRUE;
  return g_strcmp0 (rule->fingerprint, access->fingerprint) == 0;
}

/* --- One rule --------------------------------------------------------------------------------- */

/* A rule for a whole tool never allows commands or instructions: a command is decided by its words
 * alone, and instructions by their text. */
static gboolean
tool_matches (const GadgetRuleData *rule, const char *tool, const GadgetAccess *access)
{
  const gboolean is_open = !is_command (access->kind) && access->kind != GADGET_ACCESS_INSTRUCTIONS;

  return g_strcmp0 (rule->subject, tool) == 0 && (rule->deny || is_open);
}

/* A rule that allows writing also allows reading; one that denies reading also denies writing. */
static gboolean
kind_matches (const GadgetRuleData *rule, GadgetAccessKind kind)
{
  if (rule->kind == kinds[kind])
    return TRUE;
  return rule->deny ? rule->kind == GADGET_RULE_READ && kind == GADGET_ACCESS_WRITE
                    : rule->kind == GADGET_RULE_WRITE && kind == GADGET_ACCESS_READ;
}

static gboolean
denies (const GadgetRuleData *rule, const char *tool, const GadgetAccess *access,
        const char *real_path)
{
  if (rule->kind == GADGET_RULE_TOOL)
    return tool_matches (rule, tool, access);
  /* A denied command gets no network either. */
  if (is_command (access->kind)
      && (rule->kind == kinds[access->kind] || rule->kind == GADGET_RULE_COMMAND))
    return gadget_command_line_mentions (access->subject, rule->subject);
  if (!kind_matches (rule, access->kind))
    return FALSE;
  switch (access->kind)
    {
    case GADGET_ACCESS_READ:
    case GADGET_ACCESS_WRITE:
      return path_matches (rule, access->subject) || path_matches (rule, real_path);
    case GADGET_ACCESS_INSTRUCTIONS:
      return path_matches (rule, access->subject);
    case GADGET_ACCESS_HOST:
      return host_matches (rule, access->subject);
    case GADGET_ACCESS_MCP:
      return mcp_matches (rule, access->subject);
    case GADGET_ACCESS_COMMAND:
    case GADGET_ACCESS_NETWORK:
    default:
      return FALSE;
    }
}

static gboolean
allows (const GadgetRuleData *rule, const char *tool, const GadgetAccess *access,
        const char *real_path)
{
  if (rule->kind == GADGET_RULE_TOOL)
    return tool_matches (rule, tool, access);
  if (!kind_matches (rule, access->kind))
    return FALSE;
  switch (access->kind)
    {
    case GADGET_ACCESS_READ:
    case GADGET_ACCESS_WRITE:
      return path_matches (rule, access->subject)
             && (access->confined || path_matches (rule, real_path));
    case GADGET_ACCESS_COMMAND:
    case GADGET_ACCESS_NETWORK:
      return rule->exact && g_str_equal (rule->subject, access->subject)
             && gadget_visible_is_plain (access->subject);
    case GADGET_ACCESS_HOST:
      return host_matches (rule, access->subject);
    case GADGET_ACCESS_MCP:
      return mcp_matches (rule, access->subject) && is_as_then (rule, access);
    case GADGET_ACCESS_INSTRUCTIONS:
      return path_matches (rule, access->subject) && is_as_then (rule, access);
    default:
      return FALSE;
    }
}

static void
note_used (GPtrArray *used, GadgetRule *rule)
{
  if (used != NULL && !g_ptr_array_find (used, rule, NULL))
    g_ptr_array_add (used, g_object_ref (rule));
}

/* --- All rules -------------------------------------------------------------------------------- */

static gboolean
part_is_allowed (GPtrArray *rules, const GadgetAccess *access, const char *const *words,
                 GPtrArray *used)
{
  if (!gadget_command_tokens_may_allow (words))
    return FALSE;
  for (guint i = 0; i < rules->len; i++)
    {
      GadgetRule *rule = g_ptr_array_index (rules, i);
      const GadgetRuleData *data = gadget_rule_get_data (rule);

      if (data->deny || data->exact || data->kind != kinds[access->kind]
          || !(access->confined || data->unconfined)
          || !gadget_command_tokens_has_prefix (words, data->subject))
        continue;
      note_used (used, rule);
      return TRUE;
    }
  return FALSE;
}

static gboolean
all_parts_are_allowed (GPtrArray *rules, const GadgetAccess *access, GPtrArray *used)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (access->subject, NULL);

  if (commands == NULL)
    return FALSE;
  for (guint i = 0; i < commands->len; i++)
    if (!part_is_allowed (rules, access, g_ptr_array_index (commands, i), used))
      return FALSE;
  return TRUE;
}

/* Returns whether a rule that denies cannot be checked: the line may hide what it runs, or it is
 * unknown where the path leads. */
static gboolean
is_obscure (const GadgetRuleData *rule, const GadgetAccess *access, const char *real_path)
{
  g_autoptr (GPtrArray) commands = NULL;

  if (!rule->deny)
    return FALSE;
  if (is_command (access->kind))
    {
      if (rule->kind != GADGET_RULE_COMMAND && rule->kind != kinds[access->kind])
        return FALSE;
      commands = gadget_command_line_read (access->subject, NULL);
      return commands == NULL;
    }
  return (access->kind == GADGET_ACCESS_READ || access->kind == GADGET_ACCESS_WRITE)
         && kind_matches (rule, access->kind) && !access->confined && real_path == NULL;
}

GadgetVerdict
gadget_rule_match (GPtrArray *rules, const char *tool, const GadgetAccess *access,
                   const char *real_path, GPtrArray *used)
{
  gboolean unsure = FALSE;

  g_return_val_if_fail (rules != NULL && access != NULL, GADGET_VERDICT_UNSURE);

  for (guint i = 0; i < rules->len; i++)
    {
      GadgetRule *rule = g_ptr_array_index (rules, i);
      const GadgetRuleData *data = gadget_rule_get_data (rule);

      if (!data->deny)
        continue;
      if (denies (data, tool, access, real_path))
        {
          note_used (used, rule);
          return GADGET_VERDICT_DENY;
        }
      unsure = unsure || is_obscure (data, access, real_path);
    }
  for (guint i = 0; i < rules->len; i++)
    {
      GadgetRule *rule = g_ptr_array_index (rules, i);
      const GadgetRuleData *data = gadget_rule_get_data (rule);

      if (data->deny || !(access->confined || data->unconfined)
          || !allows (data, tool, access, real_path))
        continue;
      note_used (used, rule);
      return unsure ? GADGET_VERDICT_UNSURE : GADGET_VERDICT_ALLOW;
    }
  if (!unsure && is_command (access->kind) && all_parts_are_allowed (rules, access, used))
    return GADGET_VERDICT_ALLOW;
  return unsure ? GADGET_VERDICT_UNSURE : GADGET_VERDICT_NONE;
}

gboolean
gadget_rule_match_may_allow (GPtrArray *rules, const char *tool, const GadgetAccess *access)
{
  g_return_val_if_fail (rules != NULL && access != NULL, FALSE);

  for (guint i = 0; i < rules->len; i++)
    {
      const GadgetRuleData *data = gadget_rule_get_data (g_ptr_array_index (rules, i));

      if (data->deny || !(access->confined || data->unconfined))
        continue;
      if (data->kind == GADGET_RULE_TOOL
              ? tool_matches (data, tool, access)
              : kind_matches (data, access->kind)
                    && (access->kind != GADGET_ACCESS_MCP || mcp_matches (data, access->subject)))
        return TRUE;
    }
  return FALSE;
}

gboolean
gadget_rule_match_changed (GPtrArray *rules, const GadgetAccess *access)
{
  g_return_val_if_fail (rules != NULL && access != NULL, FALSE);

  for (guint i = 0; access->fingerprint != NULL && i < rules->len; i++)
    {
      const GadgetRuleData *data = gadget_rule_get_data (g_ptr_array_index (rules, i));

      if (data->kind == kinds[access->kind] && !data->deny
          && (access->kind == GADGET_ACCESS_MCP ? mcp_matches (data, access->subject)
                                                : path_matches (data, access->subject))
          && !is_as_then (data, access) && g_strcmp0 (data->fingerprint, "") > 0)
        return TRUE;
    }
  return FALSE;
}

/* --- Deriving --------------------------------------------------------------------------------- */

/* gadget_rule_pattern_free: frees the texts, too. It has the type of a GDestroyNotify, since it is
 * also used as one. */
void
gadget_rule_pattern_free (gpointer pattern)
{
  GadgetRulePattern *self = pattern;

  g_free (self->subject);
  g_free (self->fingerprint);
  g_free (self);
}

static void
add_pattern (GPtrArray *patterns, GadgetRuleKind kind, const char *subject, gboolean exact,
             gboolean unconfined)
{
  GadgetRulePattern *pattern;

  for (guint i = 0; i < patterns->len; i++)
    {
      GadgetRulePattern *other = g_ptr_array_index (patterns, i);

      if (other->kind == kind && other->exact == exact && g_str_equal (other->subject, subject))
        {
          other->unconfined = other->unconfined || unconfined;
          return;
        }
    }
  pattern = g_new (GadgetRulePattern, 1);
  *pattern = (GadgetRulePattern) { kind, g_strdup (subject), exact, unconfined, NULL };
  g_ptr_array_add (patterns, pattern);
}

static void
derive_other (GPtrArray *patterns, const GadgetAccess *access)
{
  GadgetRulePattern *pattern;

  add_pattern (patterns, kinds[access->kind], access->subject, TRUE, !access->confined);
  pattern = g_ptr_array_index (patterns, patterns->len - 1);
  if (access->fingerprint != NULL)
    g_set_str (&pattern->fingerprint, access->fingerprint);
}

/* Derives one rule for each command of the line, by its first words. If one of them has none that
 * may be allowed in general, or if nothing confines the command, only the exact line is derived,
 * and not for longer than a chat. */
static void
derive_command (GPtrArray *patterns, const GadgetAccess *access, gboolean *lasting)
{
  g_autoptr (GPtrArray) commands =
      access->confined ? gadget_command_line_read (access->subject, NULL) : NULL;
  g_autoptr (GPtrArray) prefixes = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; commands != NULL && i < commands->len; i++)
    {
      char *prefix = gadget_command_tokens_dup_prefix (g_ptr_array_index (commands, i));

      if (prefix == NULL)
        break;
      g_ptr_array_add (prefixes, prefix);
    }
  if (commands == NULL || prefixes->len < commands->len)
    {
      *lasting = FALSE;
      add_pattern (patterns, kinds[access->kind], access->subject, TRUE, !access->confined);
      return;
    }
  for (guint i = 0; i < prefixes->len; i++)
    add_pattern (patterns, kinds[access->kind], g_ptr_array_index (prefixes, i), FALSE, FALSE);
}

/* A change within the workspace stands for all changes there, as in the mode Accept Edits. */
static void
derive_path (GPtrArray *patterns, const GadgetAccess *access, const char *workspace)
{
  g_autofree char *canonical = g_canonicalize_filename (access->subject, "/");

  if (access->confined && workspace != NULL)
    add_pattern (patterns, kinds[access->kind], workspace, FALSE, FALSE);
  else
    add_pattern (patterns, kinds[access->kind], canonical, TRUE, !access->confined);
}

/* Returns whether a command that runs unconfined will always do what it does now: scripts,
 * interpreters and build tools do what the folder says then. A command with the network must not
 * send what is in the folder either. */
static gboolean
stays_the_same (const GadgetAccess *access)
{
  g_autoptr (GPtrArray) commands = NULL;

  if (access->kind == GADGET_ACCESS_NETWORK || gadget_command_network_is_fixed (access->subject))
    return gadget_command_network_is_fixed (access->subject);
  commands = gadget_command_line_read (access->subject, NULL);
  for (guint i = 0; commands != NULL && i < commands->len; i++)
    {
      g_autofree char *prefix = gadget_command_tokens_dup_prefix (g_ptr_array_index (commands, i));

      if (prefix == NULL)
        return FALSE;
    }
  return commands != NULL;
}

GPtrArray *
gadget_rule_derive (GadgetPrompt *prompt, const char *workspace, gboolean *lasting)
{
  g_autoptr (GPtrArray) patterns = g_ptr_array_new_with_free_func (gadget_rule_pattern_free);

  g_return_val_if_fail (GADGET_IS_PROMPT (prompt) && lasting != NULL, NULL);

  *lasting = TRUE;
  for (guint i = 0; i < gadget_prompt_get_n_accesses (prompt); i++)
    {
      const GadgetAccess *access = gadget_prompt_get_access (prompt, i);

      if (!gadget_visible_is_plain (access->subject) || *access->subject == '\0')
        return NULL;
      if (is_command (access->kind) && !access->confined && !stays_the_same (access))
        return NULL;
      if (is_command (access->kind))
        derive_command (patterns, access, lasting);
      else if (access->kind == GADGET_ACCESS_READ || access->kind == GADGET_ACCESS_WRITE)
        derive_path (patterns, access, workspace);
      else
        derive_other (patterns, access);
    }
  return patterns->len > 0 ? g_steal_pointer (&patterns) : NULL;
}

GPtrArray *
gadget_rule_derive_denial (GadgetPrompt *prompt)
{
  g_autoptr (GPtrArray) patterns = g_ptr_array_new_with_free_func (gadget_rule_pattern_free);
  g_autoptr (GPtrArray) commands = NULL;
  g_autofree char *prefix = NULL;
  const GadgetAccess *access;

  g_return_val_if_fail (GADGET_IS_PROMPT (prompt), NULL);

  if (gadget_prompt_get_n_accesses (prompt) == 0)
    return NULL;
  access = gadget_prompt_get_access (prompt, 0);
  if (!gadget_visible_is_plain (access->subject) || *access->subject == '\0')
    return NULL;
  if (!is_command (access->kind))
    {
      const gboolean is_path = access->kind == GADGET_ACCESS_READ
                               || access->kind == GADGET_ACCESS_WRITE
                               || access->kind == GADGET_ACCESS_INSTRUCTIONS;
      g_autofree char *path = is_path ? g_canonicalize_filename (access->subject, "/") : NULL;

      if (gadget_prompt_get_n_accesses (prompt) > 1)
        return NULL;
      add_pattern (patterns, kinds[access->kind], is_path ? path : access->subject, TRUE, FALSE);
      return g_steal_pointer (&patterns);
    }
  commands = gadget_command_line_read (access->subject, NULL);
  if (commands == NULL || commands->len != 1)
    return NULL;
  prefix = gadget_command_tokens_dup_denial (g_ptr_array_index (commands, 0));
  add_pattern (patterns, GADGET_RULE_COMMAND, prefix, FALSE, FALSE);
  return g_steal_pointer (&patterns);
}
