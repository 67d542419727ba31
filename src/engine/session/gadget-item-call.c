/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The properties that only the call of a tool has: its arguments and its result, the line that
 * describes it, and the question that it waits for. */

#define G_LOG_DOMAIN "gadget-item"

#include "config.h"

#include "gadget-item-private.h"

#include "common/gadget-bidi.h"
#include "gadget-arguments.h"

#include <string.h>

const char *
gadget_item_get_call_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->call_id;
}

/* gadget_item_get_name: returns the name of the tool as the model wrote it, which need not be that
 * of a tool; %NULL if the item is no call. (transfer none) */
const char *
gadget_item_get_name (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->name;
}

/* gadget_item_get_arguments: returns the JSON text as far as it has arrived; "" before that. It is
 * valid until more is appended. (transfer none) */
const char *
gadget_item_get_arguments (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->arguments->str;
}

/**
 * gadget_item_get_arguments_text:
 *
 * Returns: (transfer none): the arguments formatted for the user; "" while they are streaming
 */
const char *
gadget_item_get_arguments_text (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->status == GADGET_ITEM_STREAMING)
    return "";
  if (self->arguments_text == NULL)
    self->arguments_text = gadget_arguments_to_text (self->arguments->str);
  return self->arguments_text;
}

/**
 * gadget_item_append_arguments:
 * @text: the next part of the JSON text, UTF-8
 *
 * The property "arguments" is notified.
 */
void
gadget_item_append_arguments (GadgetItem *self, const char *text)
{
  g_return_if_fail (GADGET_IS_ITEM (self) && text != NULL);

  g_string_append (self->arguments, text);
  g_clear_pointer (&self->arguments_text, g_free);
  _gadget_item_notify (self, GADGET_ITEM_PROP_ARGUMENTS);
}

/* gadget_item_get_result: returns what the model gets; %NULL before the call has a result.
 * (transfer none) */
const char *
gadget_item_get_result (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->result;
}

/**
 * gadget_item_set_result:
 * @result: (nullable): what the model gets, which is copied
 *
 * The property "result" is notified.
 */
void
gadget_item_set_result (GadgetItem *self, const char *result)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (g_set_str (&self->result, result))
    _gadget_item_notify (self, GADGET_ITEM_PROP_RESULT);
}

/**
 * gadget_item_get_pictures:
 *
 * Returns: (transfer none) (nullable) (element-type GadgetPicture): the pictures in their order;
 *   must not be changed
 */
GPtrArray *
gadget_item_get_pictures (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->pictures;
}

/**
 * gadget_item_set_pictures:
 * @pictures: (nullable) (element-type GadgetPicture): a reference is kept; %NULL and an empty array
 *   do nothing
 *
 * Sets the pictures that came with the result.
 */
void
gadget_item_set_pictures (GadgetItem *self, GPtrArray *pictures)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (pictures == NULL || pictures->len == 0 || pictures == self->pictures)
    return;
  g_ptr_array_ref (pictures);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  self->pictures = pictures;
  _gadget_item_notify (self, GADGET_ITEM_PROP_PICTURES);
}

/* gadget_item_get_summary: returns the line for the user with its marks around code, as described
 * in the header; %NULL if there is none. (transfer none) */
const char *
gadget_item_get_summary (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->summary;
}

/**
 * gadget_item_dup_plain_summary:
 *
 * Returns: (transfer full): the summary without marks, for a terminal or a log; the tool's name if
 *   there is no summary
 */
char *
gadget_item_dup_plain_summary (GadgetItem *self)
{
  g_autoptr (GString) plain = NULL;

  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->summary == NULL || *self->summary == '\0')
    return g_strdup (self->name);
  plain = g_string_new (self->summary);
  g_string_replace (plain, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (plain, GADGET_CODE_END, "", 0);
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

/* Makes characters visible that would reorder the line. Code in the summary comes from a model or a
 * file, so only the outermost marks are Gadget's own and stay. */
static char *
escape_summary (const char *summary)
{
  const char *begin = strstr (summary, GADGET_CODE_BEGIN);
  const char *end = g_strrstr (summary, GADGET_CODE_END);
  g_autofree char *words = NULL;
  g_autofree char *code = NULL;
  g_autofree char *before = NULL;
  g_autofree char *within = NULL;
  g_autofree char *after = NULL;

  if (begin == NULL || end == NULL || end < begin)
    return gadget_bidi_escape (summary);
  words = g_strndup (summary, (gsize) (begin - summary));
  begin += strlen (GADGET_CODE_BEGIN);
  code = g_strndup (begin, (gsize) (end - begin));
  before = gadget_bidi_escape (words);
  within = gadget_bidi_escape (code);
  after = gadget_bidi_escape (end + strlen (GADGET_CODE_END));
  return g_strconcat (before, GADGET_CODE_BEGIN, within, GADGET_CODE_END, after, NULL);
}

/**
 * gadget_item_get_call_summary:
 *
 * Returns: (transfer none) (nullable): the data that the summary is made of
 */
const GadgetCallSummary *
gadget_item_get_call_summary (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->call_summary;
}

/**
 * gadget_item_take_call_summary:
 * @summary: (transfer full) (nullable): what the call does or did
 *
 * Sets the summary and makes its text.
 */
void
gadget_item_take_call_summary (GadgetItem *self, GadgetCallSummary *summary)
{
  g_autofree char *words = NULL;
  g_autofree char *ordered = NULL;

  g_return_if_fail (GADGET_IS_ITEM (self));

  g_clear_pointer (&self->call_summary, gadget_call_summary_free);
  self->call_summary = summary;
  words = summary != NULL ? gadget_call_summary_dup_text (summary) : NULL;
  ordered = words != NULL ? escape_summary (words) : NULL;
  if (g_set_str (&self->summary, ordered))
    _gadget_item_notify (self, GADGET_ITEM_PROP_SUMMARY);
}

GadgetPrompt *
gadget_item_get_prompt (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->prompt;
}

/**
 * gadget_item_set_prompt:
 * @prompt: (nullable): the question that is to be answered, of which a reference is kept; %NULL
 *   when none waits
 *
 * Each new one counts in gadget_item_get_n_prompts (). The property "prompt" is notified.
 */
void
gadget_item_set_prompt (GadgetItem *self, GadgetPrompt *prompt)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (!g_set_object (&self->prompt, prompt))
    return;
  self->n_prompts += prompt != NULL;
  _gadget_item_notify (self, GADGET_ITEM_PROP_PROMPT);
}

/**
 * gadget_item_get_n_prompts:
 *
 * Returns: the number of prompts that the item has had, which tells one question from the next
 */
guint
gadget_item_get_n_prompts (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->n_prompts;
}

gboolean
gadget_item_get_unresponsive (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), FALSE);
  return self->unresponsive;
}

/* gadget_item_set_unresponsive: is for the run of the call. The property "unresponsive" is
 * notified. */
void
gadget_item_set_unresponsive (GadgetItem *self, gboolean unresponsive)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (self->unresponsive == unresponsive)
    return;
  self->unresponsive = unresponsive;
  _gadget_item_notify (self, GADGET_ITEM_PROP_UNRESPONSIVE);
}
