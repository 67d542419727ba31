/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-composer.h"

G_BEGIN_DECLS

/* For tests: the one button, and the text. */
GtkWidget *_gadget_composer_get_button (GadgetComposer *self);
GtkWidget *_gadget_composer_get_text   (GadgetComposer *self);

G_END_DECLS
