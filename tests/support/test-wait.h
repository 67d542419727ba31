/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef gboolean (*TestCondition) (gpointer user_data);

/* Runs the main context until the condition holds; FALSE if it did not within that time. */
gboolean test_wait_until        (TestCondition  condition,
                                 gpointer       user_data,
                                 guint          timeout_ms);
void     test_run_for           (guint          ms);

/* An async callback that keeps the result, for test_wait_result (). */
void     test_result_cb         (GObject       *source,
                                 GAsyncResult  *result,
                                 gpointer       user_data);
gboolean test_wait_result       (GAsyncResult **result,
                                 guint          timeout_ms);

G_END_DECLS
