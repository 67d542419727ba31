/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The limit of open file descriptors of this process. Callable from any thread; each raise is
 * paired with a lower. */
guint gadget_fd_limit_raise     (guint wanted);
void  gadget_fd_limit_lower     (void);
guint gadget_fd_limit_get_usual (void);

G_END_DECLS
