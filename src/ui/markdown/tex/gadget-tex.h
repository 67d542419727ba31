/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * gadget_tex_to_text:
 * @tex: a formula in TeX's notation, without its dollar signs; valid UTF-8
 * @display: whether it is on lines of its own
 *
 * Converts a formula to text that is readable without TeX: Greek letters, operators, arrows, and
 * scripts as far as Unicode has them. What is not known stays as it was written.
 *
 * Returns: (transfer full): the text
 */
char *gadget_tex_to_text (const char *tex,
                          gboolean    display);

G_END_DECLS
