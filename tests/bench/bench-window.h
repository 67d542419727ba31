/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program with a window, started, watched and ended from outside, the same way whichever program
 * it is: nothing in the program knows of it. A failure is said on standard error and ends the
 * bench. */

#pragma once

#include <X11/Xlib.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct _BenchWindow BenchWindow;

BenchWindow       *bench_window_start       (const char    *program,
                                             const char    *argument);
void               bench_window_end         (BenchWindow   *self);

double             bench_window_await_frame (BenchWindow   *self);
double             bench_window_get_pss     (BenchWindow   *self);
void               bench_window_focus       (BenchWindow   *self);
Display           *bench_window_get_display (BenchWindow   *self);

G_NORETURN
void               bench_fail               (const char    *format,
                                             ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
