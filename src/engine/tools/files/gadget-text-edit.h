/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetTextEdit:
 * @old_text: the text to replace; not ""
 * @new_text: the text that takes its place
 * @all: whether all occurrences are replaced; otherwise there must be exactly one
 *
 * One replacement in a text.
 */
typedef struct
{
  char *old_text;
  char *new_text;
  gboolean all;
} GadgetTextEdit;

GadgetTextEdit *_gadget_text_edit_new   (const char     *old_text,
                                         const char     *new_text,
                                         gboolean        all);
void            _gadget_text_edit_free  (GadgetTextEdit *self);

/* Applies all edits in order, or none. @text need not be UTF-8. Its line ends stay as they are,
 * whichever the edits use, and so does a byte order mark. @path (nullable) is that of the file. An
 * edit whose old text is not there exactly may fit by rules; then @note (nullable) is set to
 * sentences for the model that say so and show the lines. Returns: (transfer full): the new text,
 * NULL with a #GIOErrorEnum whose message tells the model what to do. @edits is (element-type
 * GadgetTextEdit). */
char           *_gadget_text_edit_apply (const char     *text,
                                         gsize           length,
                                         const char     *path,
                                         GPtrArray      *edits,
                                         gsize          *new_length,
                                         char          **note,
                                         GError        **error);

G_END_DECLS
