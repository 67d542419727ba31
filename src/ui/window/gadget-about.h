/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Makes the dialog with the version, the license and the translators. (transfer floating) */
AdwDialog *gadget_about_new (void);

G_END_DECLS
