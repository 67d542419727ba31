/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

/* Select the pictures that a model is sent, and release the bytes of pictures that are not
 * needed. */
GPtrArray *gadget_session_choose_pictures (GadgetSession *session);
void       gadget_session_drop_pictures   (GadgetSession *session);

G_END_DECLS
