/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Runs the main context until CONDITION holds; fails the test after 20 s. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 wait_end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;                         \
    guint wait_wake = wait_begin ();                                                               \
    while (!(condition))                                                                           \
      {                                                                                            \
        g_assert_cmpint (g_get_monotonic_time (), <, wait_end);                                    \
        g_main_context_iteration (NULL, TRUE);                                                     \
      }                                                                                            \
    g_source_remove (wait_wake);                                                                   \
  }                                                                                                \
  G_STMT_END

/* Runs what is ready, and what becomes ready by it. */
void  wait_idle    (void);

/* Of wait_until (): a source that wakes it up, so that its time limit is seen. */
guint wait_begin   (void);

/* Open file descriptors and threads of this process, for comparing. */
guint wait_n_fds     (void);
guint wait_n_threads (void);

G_END_DECLS
