/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window, its turns, and the buttons and menus that belong to them. */

#pragma once

#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "session/gadget-attachment.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-turn-actions.h"
#include "ui/window/gadget-chat-private.h"

G_BEGIN_DECLS

typedef struct
{
  const char *action;
  const char *turn_id; /* (nullable) */
} Wanted;

GadgetSession *turn_actions_get_session (TestWindow *window);
GadgetTurn *turn_actions_say (TestWindow *window, const char *prompt, const char *answer);
gboolean turn_actions_has_prompts (TestWindow *window, const char *prompts);
void turn_actions_expect (TestWindow *window, const char *prompts);
gboolean turn_actions_does (GtkWidget *widget, gpointer user_data);
GtkWidget *turn_actions_find (TestWindow *window, const char *action, guint nth);
gboolean turn_actions_shows (TestWindow *window, const char *label);
gboolean turn_actions_is_more (GtkWidget *widget, gpointer user_data);
void turn_actions_press (TestWindow *window, const char *action, guint nth);
void turn_actions_press_label (TestWindow *window, const char *label);

G_END_DECLS
