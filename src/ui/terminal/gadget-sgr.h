/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-terminal-text.h"

G_BEGIN_DECLS

/* Whether TEXT begins with a control, a line's end among them, but not a tabulator. */
gboolean gadget_sgr_is_control (const char          *text,
                                gsize                length);

/* Changes STYLE as "select graphic rendition" with these parameters does: ECMA-48, 8.3.117, and
 * ITU-T T.416, 13.1.8, for colours. What is unknown changes nothing. */
void     gadget_sgr_apply      (GadgetTerminalStyle *style,
                                const char          *parameters);

/* The colour that is meant, 0 to 1 each; none is black. */
void     gadget_sgr_get_color  (GadgetTerminalColor  color,
                                float               *red,
                                float               *green,
                                float               *blue);

G_END_DECLS
