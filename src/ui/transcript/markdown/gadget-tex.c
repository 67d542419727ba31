/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex.h"

char *
gadget_tex_to_text (const char *tex, gboolean display)
{
  return g_strstrip (g_strdup (tex));
}
