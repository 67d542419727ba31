/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program whose picture was copied or is dragged, and that gives it when the test says so. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TYPE_SLOW_CONTENT (slow_content_get_type ())
G_DECLARE_FINAL_TYPE (SlowContent, slow_content, SLOW, CONTENT, GdkContentProvider)

SlowContent *slow_content_new      (const char   *mime_type);

/* Whether somebody was told to take it, and not yet that this was all. */
gboolean     slow_content_is_asked (SlowContent  *self);
/* Whether whoever asked wants it no longer. */
gboolean     slow_content_is_left  (SlowContent  *self);

void         slow_content_give     (SlowContent  *self,
                                    GBytes       *bytes);
void         slow_content_end      (SlowContent  *self);

G_END_DECLS
