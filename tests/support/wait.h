/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A program with a sanitizer is many times slower, and its windows more than that. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WAIT_S 100
#endif
#endif
#ifndef WAIT_S
#define WAIT_S 20
#endif

/* Runs the main context until CONDITION holds; fails the test after WAIT_S seconds. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 wait_end = g_get_monotonic_time () + WAIT_S * G_USEC_PER_SEC;                     \
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
