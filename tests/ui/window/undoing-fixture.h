/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window whose agent writes files, and what is pressed to undo that: real tools, a real store,
 * keys that come from outside. */

#pragma once

#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

G_BEGIN_DECLS

typedef struct
{
  TestWindow window;
  char *workspace;
} Fixture;

GadgetSession *undoing_get_session (Fixture *fixture);
GtkWidget *undoing_get_root (Fixture *fixture);
void undoing_set_up (Fixture *fixture, gconstpointer data);
void undoing_tear_down (Fixture *fixture, gconstpointer data);
void undoing_put (Fixture *fixture, const char *name, const char *text);
gboolean undoing_is (Fixture *fixture, const char *name, const char *text);
GtkWidget *undoing_find_button (GtkWidget *root, const char *label);
/* With a key: dialogs and toasts slide in, and rows move when others come, so that a click may come
 * to where the button was. */
void undoing_activate (GtkWidget *button);
void undoing_press (Fixture *fixture, const char *label);
AdwDialog *undoing_get_dialog (Fixture *fixture);
gboolean undoing_shows (Fixture *fixture, const char *label);
void undoing_wait_dialog (Fixture *fixture, const char *label);
void undoing_press_in_dialog (Fixture *fixture, const char *label);
/* Two files are made, and the model is asked again. */
GadgetTurn *undoing_write_files (Fixture *fixture);
void undoing_finish (Fixture *fixture);

G_END_DECLS
