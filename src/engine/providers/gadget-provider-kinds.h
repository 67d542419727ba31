/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider-kind.h"

G_BEGIN_DECLS

/* The kinds, in the order in which they are shown; see the source for each. */
guint                     gadget_provider_kinds_get_n   (void);
const GadgetProviderKind *gadget_provider_kinds_get     (guint       index);
guint                     gadget_provider_kinds_find    (const char *id);
const char               *gadget_provider_kinds_get_url (guint       index);
gboolean                  gadget_provider_kinds_has_key (guint       index,
                                                         const char *url);
/* The ids of all dialects, for people, with commas between them. (transfer full) */
char                     *gadget_provider_kinds_dup_ids (void);

G_END_DECLS
