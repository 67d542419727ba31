/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on what is written into the buffer is broken into lines in bounded time, and without
 * hyphens that nobody wrote. Lives as long as the buffer. */
void gadget_long_words_watch (GtkTextBuffer *buffer);

G_END_DECLS
