/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-sandbox-cache.h"
#include "gadget-sandbox-tools.h"

G_BEGIN_DECLS

GadgetCacheUse *_gadget_cache_use_new        (const char         *files);
void            _gadget_cache_use_free       (GadgetCacheUse     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCacheUse, _gadget_cache_use_free)

void            _gadget_cache_list_variables (const char         *folder,
                                              GadgetSandboxTools *tools,
                                              GPtrArray          *variables);

G_END_DECLS
