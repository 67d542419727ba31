/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cases that run with and without a sandbox, and commands whose processes are found in /proc. */

#pragma once

#include "process/gadget-process.h"
#include "test-process.h"

G_BEGIN_DECLS

#define SANDBOXED GINT_TO_POINTER (1)

GadgetSandbox *process_get_sandbox (gconstpointer data, gboolean *skip);
char *process_make_command (const char *template, const char *marker);
/* On a machine that is too busy for it our own deadline comes before the helper's word, and the
 * result says so. That may happen now and then, and everything ends all the same. */
gboolean process_assert_ended (TestProcess *process, const char *marker);
void process_add_both (const char *name, GTestDataFunc function);

G_END_DECLS
