/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Every toast of Gadget is made here: its text is never markup, because it may name a file or quote
 * an error. (transfer full) */
AdwToast *gadget_toast_new (const char *text);

G_END_DECLS
