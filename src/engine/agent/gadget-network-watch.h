/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "http/gadget-http.h"

G_BEGIN_DECLS

#define GADGET_TYPE_NETWORK_WATCH (gadget_network_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetNetworkWatch, gadget_network_watch, GADGET, NETWORK_WATCH, GObject)

/* Tells HTTP when its connections may be dead without a notice: after the computer was asleep, or
 * when it has changed networks. Owns a reference to HTTP. */
GadgetNetworkWatch *_gadget_network_watch_new (GadgetHttp *http);

G_END_DECLS
