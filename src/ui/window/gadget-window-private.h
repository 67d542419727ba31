/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-window.h"

#include "ui/library/gadget-library.h"

G_BEGIN_DECLS

struct _GadgetWindow
{
  AdwApplicationWindow parent_instance;

  AdwOverlaySplitView *split_view;
  GadgetLibrary *library;
  GadgetChat *chat;
  AdwWindowTitle *title;
  GtkMenuButton *chat_menu;

  GadgetEngine *engine;
  GadgetSession *session;
  GSettings *settings;
  guint frames_to_focus; /* after a breakpoint */
  GHashTable *leaving; /* chats whose removal can still be undone → their toast */
};

/* gadget-window-actions.c: win.*, the keys, and the dialogs. */
void        _gadget_window_install_actions (GtkWidgetClass *widget_class);

/* gadget-window-chats.c: renaming and removing. */
void        _gadget_window_rename          (GadgetWindow   *self,
                                            GadgetSession  *session);
void        _gadget_window_delete          (GadgetWindow   *self,
                                            GadgetSession  *session);
void        _gadget_window_settle_deletes  (GadgetWindow   *self);

/* For tests. */
GadgetChat *_gadget_window_get_chat        (GadgetWindow   *self);

G_END_DECLS
