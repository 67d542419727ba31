/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetTextFit:
 * @offset: where the lines that are replaced begin in the file, in bytes
 * @length: of these lines, in bytes
 * @text: takes their place
 * @rules: of #GadgetTextRules, by which the edit fitted
 *
 * What an edit does whose old text is not in the file exactly.
 */
typedef struct
{
  gsize offset;
  gsize length;
  char *text;
  guint rules;
} GadgetTextFit;

/* Finds the single place of a text whose whole lines are the lines of @old_text but for mistakes
 * that can be undone letter by letter, and undoes them in @new_text. @path (nullable) is that of the
 * file. Returns: (transfer full): NULL with %G_IO_ERROR_NOT_FOUND when there is no such place, or
 * %G_IO_ERROR_INVALID_ARGUMENT when there are several, or a rule would have to guess; the messages
 * are for the model, and show the lines. */
GadgetTextFit *_gadget_text_fit_find (const char    *text,
                                      gsize          length,
                                      const char    *path,
                                      const char    *old_text,
                                      const char    *new_text,
                                      GError       **error);
void           _gadget_text_fit_free (GadgetTextFit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTextFit, _gadget_text_fit_free)

G_END_DECLS
