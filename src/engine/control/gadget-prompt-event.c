/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts prompts to D-Bus dictionaries and back. The two directions are kept side by side because
 * each reads what the other writes: a new part of a prompt that its card shows belongs in both. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-prompt-event.h"

void
_gadget_prompt_event_add_text (GVariantDict *dict, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL)
    g_variant_dict_insert (dict, name, "s", valid);
}

static const char *
lookup (GVariant *event, const char *name)
{
  const char *text = NULL;

  g_variant_lookup (event, name, "&s", &text);
  return text;
}

static void
add_choices (GVariantDict *dict, GadgetPrompt *prompt)
{
  const char *const *choices = gadget_prompt_get_choices (prompt);
  GVariantBuilder names;
  GVariantBuilder labels;

  g_variant_builder_init (&names, G_VARIANT_TYPE_STRING_ARRAY);
  g_variant_builder_init (&labels, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; choices[i] != NULL; i++)
    {
      const char *label = gadget_prompt_get_choice_label (prompt, choices[i]);
      g_autofree char *name = g_utf8_make_valid (choices[i], -1);
      g_autofree char *valid = label != NULL ? g_utf8_make_valid (label, -1) : NULL;

      g_variant_builder_add (&names, "s", name);
      if (valid != NULL)
        g_variant_builder_add (&labels, "{ss}", name, valid);
    }
  g_variant_dict_insert_value (dict, "choices", g_variant_builder_end (&names));
  g_variant_dict_insert_value (dict, "labels", g_variant_builder_end (&labels));
}

/* Adds all texts except the digest, which only the process that asks needs. */
static void
add_texts (GVariantDict *dict, GadgetPrompt *prompt)
{
  guint n_added, n_removed;

  for (guint i = 0; i < GADGET_PROMPT_N_TEXTS; i++)
    if (i != GADGET_PROMPT_DIGEST)
      _gadget_prompt_event_add_text (dict, gadget_prompt_text_get_name (i),
                                     gadget_prompt_get_text (prompt, i));
  gadget_prompt_get_counts (prompt, &n_added, &n_removed);
  g_variant_dict_insert (dict, "body-kind", "u", (guint) gadget_prompt_get_body_kind (prompt));
  g_variant_dict_insert (dict, "added", "u", n_added);
  g_variant_dict_insert (dict, "removed", "u", n_removed);
}

static void
read_texts (GVariant *event, GadgetPrompt *prompt)
{
  guint kind = GADGET_PROMPT_BODY_PLAIN;
  guint n_added = 0;
  guint n_removed = 0;

  g_variant_lookup (event, "body-kind", "u", &kind);
  g_variant_lookup (event, "added", "u", &n_added);
  g_variant_lookup (event, "removed", "u", &n_removed);
  gadget_prompt_set_body (
      prompt, kind <= GADGET_PROMPT_BODY_ARGUMENTS ? kind : GADGET_PROMPT_BODY_PLAIN, NULL);
  gadget_prompt_set_counts (prompt, n_added, n_removed);
  for (guint i = 0; i < GADGET_PROMPT_N_TEXTS; i++)
    if (i != GADGET_PROMPT_DIGEST)
      gadget_prompt_set_text (prompt, i, lookup (event, gadget_prompt_text_get_name (i)));
}

void
gadget_prompt_event_add (GVariantDict *dict, GadgetPrompt *prompt)
{
  _gadget_prompt_event_add_text (dict, "id", gadget_prompt_get_id (prompt));
  add_choices (dict, prompt);
  g_variant_dict_insert (dict, "allow-text", "b", gadget_prompt_get_allow_text (prompt));
  add_texts (dict, prompt);
  if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_QUESTION)
    {
      _gadget_prompt_event_add_text (dict, "text", gadget_prompt_get_title (prompt));
      return;
    }
  _gadget_prompt_event_add_text (dict, "title", gadget_prompt_get_title (prompt));
  _gadget_prompt_event_add_text (dict, "tool", gadget_prompt_get_tool (prompt));
  _gadget_prompt_event_add_text (dict, "summary", gadget_prompt_get_subject (prompt));
  _gadget_prompt_event_add_text (dict, "detail", gadget_prompt_get_detail (prompt));
  _gadget_prompt_event_add_text (dict, "reach", gadget_prompt_get_rule_text (prompt));
}

static GadgetPrompt *
read_permission (GVariant *event)
{
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autoptr (GVariant) labels = g_variant_lookup_value (event, "labels", G_VARIANT_TYPE ("a{ss}"));
  GVariantIter iter;
  const char *answer;
  const char *label;

  if (lookup (event, "title") == NULL
      || (lookup (event, "body") == NULL && lookup (event, "summary") == NULL))
    return NULL;
  prompt = gadget_prompt_new_permission (lookup (event, "tool"), lookup (event, "title"),
                                         lookup (event, "summary"), lookup (event, "detail"));
  if (labels != NULL)
    {
      g_variant_iter_init (&iter, labels);
      while (g_variant_iter_next (&iter, "{&s&s}", &answer, &label))
        gadget_prompt_add_choice (prompt, answer, label);
    }
  gadget_prompt_set_rule_text (prompt, lookup (event, "reach"));
  read_texts (event, prompt);
  return g_steal_pointer (&prompt);
}

/**
 * gadget_prompt_event_read:
 * @event: an event "question" or "permission", as a{sv}
 *
 * Returns: (transfer full) (nullable): a prompt with the same content and an id of its own; %NULL
 *   when required members are missing
 */
GadgetPrompt *
gadget_prompt_event_read (GVariant *event)
{
  g_autofree const char **choices = NULL;
  g_autoptr (GadgetPrompt) question = NULL;
  gboolean allow_text = FALSE;

  g_return_val_if_fail (g_variant_is_of_type (event, G_VARIANT_TYPE_VARDICT), NULL);

  if (g_strcmp0 (lookup (event, "event"), "permission") == 0)
    return read_permission (event);
  if (lookup (event, "text") == NULL)
    return NULL;
  g_variant_lookup (event, "choices", "^a&s", &choices);
  g_variant_lookup (event, "allow-text", "b", &allow_text);
  question = gadget_prompt_new_question (lookup (event, "text"), choices, allow_text);
  read_texts (event, question);
  return g_steal_pointer (&question);
}
