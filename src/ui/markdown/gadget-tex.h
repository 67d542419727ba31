/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * gadget_tex_to_text:
 * @tex: a formula in TeX's notation, without its dollar signs; valid UTF-8
 * @display: whether it stands on lines of its own
 *
 * What people can read without TeX: Greek letters, operators, arrows, and indices as far as Unicode
 * has them. What is not known stays as it was written.
 *
 * Returns: (transfer full)
 */
char *gadget_tex_to_text (const char *tex,
                          gboolean    display);

G_END_DECLS
