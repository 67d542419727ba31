/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"

G_BEGIN_DECLS

/**
 * GadgetSaveRetry:
 *
 * Decides when a write that failed is repeated: 1, 2, 4 … 30 s after the failure, or earlier if
 * another write has succeeded. @func is called at that time, and also when a write has not been
 * answered after a second. A member of another struct, which is initialized with init () and
 * emptied with clear ().
 */
typedef struct
{
  GadgetClock *clock; /* (unowned) */
  const char *name;
  GSourceOnceFunc func;
  gpointer data;
  guint timeout; /* id of the clock's timeout; 0 for none */
  guint n_failures;
  gint64 tried_at; /* in microseconds of the clock */
} GadgetSaveRetry;

/* NAME is a static string, the name of the timeout's source. CLOCK is not referenced. */
void     _gadget_save_retry_init   (GadgetSaveRetry *self,
                                    GadgetClock     *clock,
                                    const char      *name,
                                    GSourceOnceFunc  func,
                                    gpointer         data);
void     _gadget_save_retry_clear  (GadgetSaveRetry *self);

/* Called when a write begins. FUNC is called if the write has not been answered after a second. */
void     _gadget_save_retry_begin  (GadgetSaveRetry *self);
/* Called when the write has failed, or has not been answered yet: FUNC is called after the next
 * interval. */
void     _gadget_save_retry_fail   (GadgetSaveRetry *self);

/* Returns whether a failed write that began at TRIED_AT, in microseconds of the clock, may be
 * repeated because another write has succeeded: at most once a second. */
gboolean _gadget_save_retry_is_due (GadgetClock     *clock,
                                    gint64           tried_at);

G_END_DECLS
