/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Another process streams a reply into the store in @directory and is killed (SIGKILL)
 * @milliseconds after it showed the first words. What the store has then must be a turn that was
 * interrupted, with the beginning of what was shown, byte for byte, and a history that can be sent.
 *
 * Returns: how much of the end is lost, in microseconds of what was shown */
gint64 test_killed_stream (const char *directory,
                           guint       milliseconds);

G_END_DECLS
