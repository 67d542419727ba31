/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many descriptors this process may have open. From any thread. */
guint gadget_fd_limit_raise     (guint wanted);
void  gadget_fd_limit_lower     (void);
guint gadget_fd_limit_get_usual (void);

G_END_DECLS
