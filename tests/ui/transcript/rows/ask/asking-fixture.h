/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window whose agent asks for a permission or an answer. */

#pragma once

#include "test-wait.h"
#include "test-window.h"

G_BEGIN_DECLS

#define QUESTION "{\"question\":\"Where to?\",\"choices\":[\"Here\",\"There\"]}"

gboolean asking_is_a (GtkWidget *widget, gpointer type);
GtkWidget *asking_find (TestWindow *self, GType type);
void asking_ask (TestWindow *self, guint n_lines);
gboolean asking_is_in_card (TestWindow *self);
void asking_read_outside (TestWindow *self, const char *path);
GtkWidget *asking_get_focus (TestWindow *self);
void asking_set_folder (TestWindow *self, const char *name);

G_END_DECLS
