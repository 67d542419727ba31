/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes text that is inserted into @buffer wrap in bounded time, and without inserted hyphens, as
 * long as the buffer lives. */
void gadget_long_words_watch (GtkTextBuffer *buffer);

G_END_DECLS
