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
 * GadgetKind:
 * @kind: as in the settings: one of GADGET_PROVIDER_KIND_*
 * @title: (not translated yet): shown in the choice of kinds
 * @name: the first name of a new provider of this kind; "" for none
 * @about: (not translated yet): a sentence or two
 * @url: (nullable): the usual address, where it is not that of the kind
 *
 * An entry in the choice of providers: a kind, or a service of that kind.
 */
typedef struct
{
  const char *kind;
  const char *title;
  const char *name;
  const char *about;
  GadgetKeyNeed key;
  const char *url;
} GadgetKind;

/* The entries, in the order in which they are shown; see the source for each. */
guint             gadget_provider_kinds_get_n   (void);
const GadgetKind *gadget_provider_kinds_get     (guint       index);
guint             gadget_provider_kinds_find    (const char *kind);
const char       *gadget_provider_kinds_get_url (guint       index);
gboolean          gadget_provider_kinds_has_key (guint       index,
                                                 const char *url);

G_END_DECLS
