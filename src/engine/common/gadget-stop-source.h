/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GSource *gadget_stop_source_new (GCancellable *cancellable, const char *name,
                                 GCancellableSourceFunc callback, gpointer data);
void gadget_stop_source_end (GSource **source);

G_END_DECLS
