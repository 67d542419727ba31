/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the locale from the environment and binds the program's text domain. Must be called once,
 * at the very start of main (), before any text is looked up. */
void gadget_init_i18n (void);

G_END_DECLS
