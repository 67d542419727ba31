/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What still reaches a server through a narrow network after the abort of a long request. */

#pragma once

#include "fake-server.h"

G_BEGIN_DECLS

/* Prints a row for each size and rate; %TRUE when all are ok. */
gboolean bench_abort_upload (FakeServerKind kind);

G_END_DECLS
