/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the top folder of the repository that a folder is in (transfer full) (nullable). Blocks:
 * call it in a thread. */
char *gadget_git_head_find_top (const char *folder);

/* Describes the state of the repository that a folder is in, in English (transfer full) (nullable).
 * Blocks: call it in a thread. */
char *gadget_git_head_describe (const char *folder);

G_END_DECLS
