/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-terminal-style.h"

G_BEGIN_DECLS

/* Changes @style as the control function "select graphic rendition" with these parameters does
 * (ECMA-48, 8.3.117; ITU-T T.416, 13.1.8, for colors). Unknown parameters have no effect. */
void     gadget_sgr_apply      (GadgetTerminalStyle *style,
                                const char          *parameters);

/* Gets the components of a color, from 0 to 1; GADGET_TERMINAL_COLOR_NONE gives black. */
void     gadget_sgr_get_color  (GadgetTerminalColor  color,
                                float               *red,
                                float               *green,
                                float               *blue);

G_END_DECLS
