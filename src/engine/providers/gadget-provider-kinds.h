/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a provider needs an API key. */
typedef enum
{
  GADGET_KEY_NEEDED,
  GADGET_KEY_OPTIONAL,
  GADGET_KEY_ELSEWHERE, /* only a server that is not on this computer may want one */
} GadgetKeyNeed;

/**
 * GadgetProviderKind:
 * @id: the name in the settings and on the command line: "openai-chat"
 * @title: (not translated yet): shown in the choice of kinds
 * @name: the first name of a new provider of this kind; "" for none
 * @about: (not translated yet): a sentence or two
 * @key: whether a key is needed
 * @url: (nullable): the usual address; %NULL if there is none
 *
 * What people choose when they add a provider: a dialect, or a service that speaks it.
 */
typedef struct
{
  const char *id;
  const char *title;
  const char *name;
  const char *about;
  GadgetKeyNeed key;
  const char *url;
} GadgetProviderKind;

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
