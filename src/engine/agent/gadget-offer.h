/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* How much of the tools is offered to which model: a model's key → how much less than all. */
GHashTable *_gadget_offers_new   (void);

/* Leaves out of REQUEST what its model is known to have no room for. */
void        _gadget_offer_apply  (GHashTable    *offers,
                                  const char    *provider_id,
                                  GadgetRequest *request);

/* REQUEST was too long. TRUE when its tools are most of it, and fewer of them will be offered to
 * its model from now on. */
gboolean    _gadget_offer_lower  (GHashTable    *offers,
                                  const char    *provider_id,
                                  GadgetRequest *request);

G_END_DECLS
