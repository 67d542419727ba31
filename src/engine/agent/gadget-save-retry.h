/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"

G_BEGIN_DECLS

/**
 * GadgetSaveRetry:
 *
 * When something that has to be saved is written again: 1, 2, 4 … 30 s after a write failed, or
 * earlier, when another write succeeded. Its function is called then, and also when a write has
 * given no answer for a second. Part of another struct.
 */
typedef struct
{
  GadgetClock *clock; /* not owned */
  const char *name;
  GSourceOnceFunc func;
  gpointer data;
  guint timeout; /* the clock's */
  guint n_failures;
  gint64 tried_at; /* the clock's */
} GadgetSaveRetry;

/* NAME is a static string, that of the source. */
void     _gadget_save_retry_init   (GadgetSaveRetry       *self,
                                    GadgetClock           *clock,
                                    const char            *name,
                                    GSourceOnceFunc        func,
                                    gpointer               data);
void     _gadget_save_retry_clear  (GadgetSaveRetry       *self);

/* A write begins. */
void     _gadget_save_retry_begin  (GadgetSaveRetry       *self);
/* The write failed, or has given no answer yet. */
void     _gadget_save_retry_fail   (GadgetSaveRetry       *self);

/* Tells whether what was written at TRIED_AT, in microseconds of the clock, and failed may be
 * written again since another write succeeded. */
gboolean _gadget_save_retry_is_due (GadgetClock           *clock,
                                    gint64                 tried_at);

G_END_DECLS
