/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row in the format of build/bench.json, on standard output. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

double             bench_get_rank           (GArray        *values,
                                             double         rank);
void               bench_print_row          (const char    *bench,
                                             const char    *name,
                                             const char    *metric,
                                             GArray        *values,
                                             double         floor,
                                             const char    *limit,
                                             gboolean       ok);

G_END_DECLS
