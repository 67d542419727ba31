/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes the new lines of an edit for the place that its old lines fit. Lines that the edit does
 * not change stay as the file has them; what had to be done to the old lines is done to the others. */

#pragma once

#include "gadget-text-indent.h"
#include "gadget-text-lines.h"

G_BEGIN_DECLS

/**
 * GadgetTextPlace:
 * @text: the file
 * @length: its length in bytes
 * @path: (nullable): its path, whose ending tells where blanks have a meaning
 * @file: (element-type GadgetTextLine): its lines
 * @old_lines: (element-type GadgetTextLine): the lines of the edit that fit
 * @new_lines: (element-type GadgetTextLine): those that take their place
 * @first: the line of @file, from 0, that the first one of @old_lines fits
 * @normalizes: whether the letters of the edit have another Unicode form than those of the file
 * @form: the form of the file then
 * @given_kinds: of #GadgetTextKinds: where the edit has typographic characters, and the file has not
 * @actual_kinds: likewise: where the file has them, and the edit has not
 * @strips: whether the edit has blanks at line ends that the file has not
 *
 * A place that the old lines of an edit fit.
 */
typedef struct
{
  const char *text;
  gsize length;
  const char *path;
  const GArray *file;
  const GArray *old_lines;
  const GArray *new_lines;
  guint first;
  gboolean normalizes;
  GNormalizeMode form;
  guint given_kinds;
  guint actual_kinds;
  gboolean strips;
} GadgetTextPlace;

/* Returns the line of the file that an old line fits. */
const GadgetTextLine *_gadget_text_place_get_line (const GadgetTextPlace *self,
                                                   guint                  i);

/* Returns: (transfer full) (nullable): a text in the Unicode form of the file; NULL if it is not
 * UTF-8 */
char                 *_gadget_text_place_convert  (const GadgetTextPlace *self,
                                                   const char            *text,
                                                   gsize                  length);

/* Returns: (transfer full) (nullable): the text that takes the place of the lines, or NULL when a
 * rule would have to guess; then @reason is set to a clause for the model. */
char                 *_gadget_text_place_rewrite  (const GadgetTextPlace *self,
                                                   const GadgetTextMove  *move,
                                                   const char           **reason);

G_END_DECLS
