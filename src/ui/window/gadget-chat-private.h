/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-escape.h"
#include "gadget-session-watch.h"

#include "ui/composer/gadget-composer.h"
#include "ui/transcript/gadget-change-book.h"

G_BEGIN_DECLS

struct _GadgetChat
{
  GtkBox parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  GadgetComposer *composer;

  GSettings *settings; /* (nullable) */
  GadgetClock *clock;
  GadgetEngine *engine;
  GadgetSession *session;
  GadgetSessionWatch *watch;
  GadgetEscape *escape;
  GadgetChangeBook *book; /* (nullable): what the turns of the session changed */
  gboolean narrow;

  /* gadget-chat-stop.c */
  AdwToast *escape_toast; /* "Press Esc again to abort", then "Aborting…" */
  gint64 aborting_since;  /* when the toast began to say "Aborting…"; 0 when it does not */
  guint toast_id;
};

/* gadget-chat-stop.c: the button, Esc, and what is said about them. */
void     _gadget_chat_stop_init      (GadgetChat         *self);
void     _gadget_chat_stop_set_clock (GadgetChat         *self);
void     _gadget_chat_stop_dispose   (GadgetChat         *self);
void     _gadget_chat_stop_switched  (GadgetChat         *self);
void     _gadget_chat_completed      (GadgetChat         *self,
                                      GadgetTurn         *turn);

/* gadget-chat-actions.c: session.* */
void     _gadget_chat_install_actions (GtkWidgetClass    *widget_class);

/* gadget-chat-undo.c: what turns did, and taking it back. */
void     _gadget_chat_install_undo_actions (GtkWidgetClass *widget_class);
void     _gadget_chat_renew_book     (GadgetChat         *self);

gboolean _gadget_chat_send           (GadgetChat         *self,
                                      const char         *text,
                                      GPtrArray          *attachments);

G_END_DECLS
