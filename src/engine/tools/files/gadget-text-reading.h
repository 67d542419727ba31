/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a model may have done to a whole text before it gave it as the old text of an edit, undone
 * in both texts of the edit: a code fence around it, line numbers before its lines, escapes, HTML
 * entities. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The rules by which a text fits a place of a file that it does not equal. */
typedef enum
{
  GADGET_TEXT_RULE_FENCE = 1 << 0,
  GADGET_TEXT_RULE_NUMBERS = 1 << 1,
  GADGET_TEXT_RULE_ESCAPES = 1 << 2,
  GADGET_TEXT_RULE_ENTITIES = 1 << 3,
  GADGET_TEXT_RULE_TYPOGRAPHY = 1 << 4,
  GADGET_TEXT_RULE_UNICODE = 1 << 5,
  GADGET_TEXT_RULE_INDENTATION = 1 << 6,
  GADGET_TEXT_RULE_BLANKS = 1 << 7,
  GADGET_TEXT_RULE_LINE_ENDS = 1 << 8,
  GADGET_TEXT_RULE_LAST_NEWLINE = 1 << 9,
} GadgetTextRules;

/**
 * GadgetTextReading:
 * @old_text: with "\n" at the ends of lines
 * @new_text: likewise
 * @rules: of #GadgetTextRules, which were undone in both texts
 *
 * One way to read the two texts of an edit.
 */
typedef struct
{
  char *old_text;
  char *new_text;
  guint rules;
} GadgetTextReading;

/* Returns all ways in which an edit can be read: first the one without any of the rules, then those
 * of which each letter of both texts can be written back. A rule that would have to guess in
 * @new_text gives none. (transfer full) (element-type GadgetTextReading) */
GPtrArray *_gadget_text_readings_new   (const char *old_text,
                                        const char *new_text);

/* Returns: (transfer full): the names of the rules for the model, "blanks at line ends, …" */
char      *_gadget_text_rules_describe (guint       rules);

G_END_DECLS
