/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window with messages in the queue above its composer. */

#pragma once

#include "test-wait.h"
#include "test-window.h"
#include "ui/window/gadget-chat-private.h"

G_BEGIN_DECLS

void queue_assert_queue (TestWindow *self, const char *expected);
GtkWidget *queue_find_row (TestWindow *self, const char *text);
gboolean queue_is_more (GtkWidget *widget, gpointer user_data);
/* Three messages wait while a reply is written. */
void queue_fill (TestWindow *self);
/* Ends what runs, and returns the prompt of what comes next. */
const char *queue_end_one (TestWindow *self);
GPtrArray *queue_make_attachments (void);

G_END_DECLS
