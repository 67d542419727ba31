/* SPDX-License-Identifier: GPL-3.0-or-later */

/* So many threads hang that gadget_blocking_run_async () takes nothing more. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hung_jobs_begin (void);
void hung_jobs_end   (void);

G_END_DECLS
