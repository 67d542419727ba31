/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-first-run.h"
#include "gadget-window.h"

#include "ui/inspector/gadget-inspector.h"
#include "ui/library/gadget-library.h"

G_BEGIN_DECLS

struct _GadgetWindow
{
  AdwApplicationWindow parent_instance;

  GtkStack *pages;           /* the chats, or the choice of the first run */
  GtkWidget *chats;
  GadgetFirstRun *first_run;
  AdwOverlaySplitView *split_view;
  GadgetLibrary *library;
  GadgetChat *chat;
  AdwWindowTitle *title;
  AdwBanner *recovered_banner;
  GPtrArray *recovered;    /* (nullable) (element-type GadgetRecovered): not shown yet */
  guint recover_id;        /* the timeout after which it is tried again */
  guint recover_ms;        /* how long that was, the last time */
  char *recorded_chat;     /* (nullable): the id of the chat that the next start shows */
  gboolean closed;         /* by the user */
  gboolean asked_for_chat; /* the user asked for a new one before there was an engine */
  GtkMenuButton *chat_menu;
  GtkLayoutManager *sidebar_layout;  /* whether there is room for the sidebar beside the chat */
  GtkLayoutManager *activity_layout; /* whether there is room for the inspector as well */
  AdwBottomSheet *activity_sheet;
  AdwOverlaySplitView *activity_view;
  GadgetInspector *activity_below;  /* in the sheet */
  GadgetInspector *activity_beside; /* in the view */
  gboolean shows_sidebar;  /* the user wants it where there is room beside the chat */
  gboolean shows_activity; /* the user wants it where there is room beside the chat */

  GadgetEngine *engine;
  GadgetSession *session;
  GSettings *settings;
};

/* gadget-window-actions.c: win.*, the keys, and the dialogs. */
void        _gadget_window_install_actions (GtkWidgetClass *widget_class);
void        _gadget_window_update_actions  (GadgetWindow   *self);

/* gadget-window-chats.c: renaming and removing. */
void        _gadget_window_rename          (GadgetWindow   *self,
                                            GadgetSession  *session);
void        _gadget_window_delete          (GadgetWindow   *self,
                                            GadgetSession  *session);

/* gadget-window-activity.c: where the sidebar and the inspector are, and whether. */
void        _gadget_window_restore_sides   (GadgetWindow   *self);
void        _gadget_window_uncover_chat    (GadgetWindow   *self);
void        _gadget_window_show_sidebar    (GadgetWindow   *self,
                                            gboolean        show);
void        _gadget_window_bind_activity   (GtkWidgetClass *widget_class);
void        _gadget_window_set_activity    (GadgetWindow   *self,
                                            gboolean        shown);
void        _gadget_window_toggle_activity (GadgetWindow   *self);
void        _gadget_window_update_activity (GadgetWindow   *self);

/* FALSE when it does not lie on top of the chat. */
gboolean    _gadget_window_lower_activity  (GadgetWindow   *self);

/* gadget-window-first-run.c: the choice of the first run. */
void        _gadget_window_bind_first_run  (GtkWidgetClass *widget_class);
void        _gadget_window_begin_first_run (GadgetWindow   *self);
gboolean    _gadget_window_is_first_run    (GadgetWindow   *self);
void        _gadget_window_use_provider    (GtkWidget      *window,
                                            const char     *id);

/* gadget-window-failure.c: data that cannot be opened. */
void        _gadget_window_install_failure (GtkWidgetClass *widget_class);

/* gadget-window-recovered.c: replies that an earlier process could not save, or that were cut off
 * with it, and the chat that it showed. */
void        _gadget_window_bind_recovered  (GtkWidgetClass *widget_class);
void        _gadget_window_restore_chat    (GadgetWindow   *self);
void        _gadget_window_record_chat     (GadgetWindow   *self);
void        _gadget_window_forget_chat     (GadgetWindow   *self);
void        _gadget_window_recover         (GadgetWindow   *self);

/* Of gadget-window.c. */
void        _gadget_window_show_new_chat   (GadgetWindow   *self);

/* For tests. */
GadgetChat *_gadget_window_get_chat        (GadgetWindow   *self);

G_END_DECLS
