/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder whose files are replaced, with nameless files or with hidden names. */

#pragma once

#include "workspace/gadget-replace.h"

G_BEGIN_DECLS

typedef struct
{
  char *root;
  char *path; /* of "file" */
  gboolean need_owner;
} Fixture;

GadgetFileVersion replace_stamp_of (const char *path, const char *content);
GadgetReplacement *replace_begin (Fixture *fixture, const char *path,
                                  const GadgetFileVersion *expected, GError **error);
guint replace_count_entries (const char *path);
void replace_add (const char *name, void (*function) (Fixture *, gconstpointer));

G_END_DECLS
