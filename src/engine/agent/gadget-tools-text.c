/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-tools-text.h"

#include <glib/gi18n.h>

/**
 * gadget_tools_left_out_dup_text:
 * @n_offered: how many tools the model is offered; may be 0
 * @n_left_out: how many tools are left out; at least 1
 *
 * Returns: (transfer full): a translated sentence
 */
char *
gadget_tools_left_out_dup_text (guint n_offered, guint n_left_out)
{
  const guint n = n_offered + n_left_out;

  if (n_offered == 0)
    return g_strdup (_ ("This model can read too little at once to be offered tools."));
  /* Translators: The first number is that of the tools the model may use, the second all there are.
   */
  return g_strdup_printf (ngettext ("This model can read little at once, so it is offered %u of "
                                    "%u tool.",
                                    "This model can read little at once, so it is offered %u of "
                                    "%u tools.",
                                    n),
                          n_offered, n);
}
