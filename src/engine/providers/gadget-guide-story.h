/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Make long texts for the user to stop. (transfer full) */
char *gadget_guide_story_dup_text  (guint n_nights);
char *gadget_guide_story_count     (guint n_lines);

G_END_DECLS
