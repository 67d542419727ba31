/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GADGET_KEY_NEEDED,
  GADGET_KEY_OPTIONAL,
  GADGET_KEY_ELSEWHERE, /* only where the server is not on this computer, and then optional */
} GadgetKeyNeed;

/**
 * GadgetKind:
 * @kind: as in the settings: one of GADGET_PROVIDER_KIND_*
 * @title: (not translated yet): in the choice of kinds
 * @name: what a provider of this kind is called at first; "" for none
 * @about: (not translated yet): a sentence or two
 * @url: (nullable): the usual address, where it is not that of the kind
 *
 * What people are told of a kind of provider.
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

guint             gadget_kinds_get_n   (void);
const GadgetKind *gadget_kinds_get     (guint       index);
guint             gadget_kinds_find    (const char *kind);
const char       *gadget_kinds_get_url (guint       index);
gboolean          gadget_kinds_has_key (guint       index,
                                        const char *url);

G_END_DECLS
