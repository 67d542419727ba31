/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder for a store. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  char *directory;
  char *path;
} Fixture;

void store_set_up (Fixture *fixture, gconstpointer data);
void store_tear_down (Fixture *fixture, gconstpointer data);
gint64 store_get_int (const char *path, const char *sql);

G_END_DECLS
