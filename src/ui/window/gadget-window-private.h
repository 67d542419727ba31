/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-first-run.h"
#include "gadget-window.h"

#include "store/export/gadget-export.h"
#include "ui/inspector/gadget-inspector.h"
#include "ui/ledger/gadget-ledger-page.h"
#include "ui/library/gadget-library.h"
#include "ui/search/gadget-search-page.h"

G_BEGIN_DECLS

struct _GadgetWindow
{
  AdwApplicationWindow parent_instance;

  GtkStack *pages;           /* shows @chats, or @first_run */
  GtkWidget *chats;
  GadgetFirstRun *first_run; /* (nullable) */
  AdwOverlaySplitView *split_view;
  GadgetLibrary *library;
  AdwToastOverlay *cover_toasts; /* around @content: the toasts while a page covers the chat */
  GtkStack *content;      /* shows @chat_page, @search_page or @ledger_page */
  GtkWidget *chat_page;
  GadgetSearchPage *search_page; /* (nullable): NULL before it was needed */
  GadgetLedgerPage *ledger_page; /* (nullable): the same */
  GadgetChat *chat;
  AdwWindowTitle *title;
  AdwBanner *recovered_banner;
  GPtrArray *recovered;    /* (nullable) (element-type GadgetRecoveredChat): what the banner still
                            * has to show */
  guint recover_id;        /* timeout after which storing is tried again */
  guint recover_ms;        /* its last duration in milliseconds; 0 before the first */
  char *recorded_chat;     /* (nullable): id of the chat that the next start shows, as it is in the
                            * store */
  gboolean closed;         /* the user closed the window: nothing is recorded any more */
  gboolean failed;         /* there is no engine, and the window says why */
  gboolean asked_for_chat; /* the user asked for a new chat before there was an engine */
  GPtrArray *deleted;      /* of GadgetSession: chats whose deletion a toast offers to undo */
  GtkMenuButton *chat_menu;
  GtkWidget *activity_button;
  GtkWidget *export_button; /* of @ledger_page */
  GadgetFindBar *find_bar; /* (nullable): @chat's, when it has been made */
  GMenu *find_section;     /* (nullable): what the find bar has in @chat_menu */
  GtkLayoutManager *sidebar_layout;  /* its "narrow" tells that there is no room for the sidebar
                                      * beside the chat */
  GtkLayoutManager *phone_layout;    /* its "narrow" tells that the sidebar covers the window */
  GtkLayoutManager *activity_layout; /* its "narrow" tells that there is no room for the inspector
                                      * beside the chat */
  AdwBottomSheet *activity_sheet;
  AdwOverlaySplitView *activity_view;
  GadgetInspector *inspector; /* in @activity_sheet when the window is narrow, else in
                               * @activity_view */
  gboolean shows_sidebar;  /* the user wants the sidebar, where there is room beside the chat */
  gboolean shows_activity; /* the user wants the inspector, where there is room beside the chat */

  GadgetEngine *engine;
  GadgetSession *session;
  GSettings *settings;
};

/* gadget-window-actions.c: the win.* actions and their keys. */
void        _gadget_window_install_actions (GtkWidgetClass *widget_class);
void        _gadget_window_update_actions  (GadgetWindow   *self);

/* gadget-window-chats.c: asks for a new title; deletes, after a question when a reply is being
 * written, and offers to undo that. */
void        _gadget_window_rename          (GadgetWindow   *self,
                                            GadgetSession  *session);
void        _gadget_window_delete          (GadgetWindow   *self,
                                            GPtrArray      *sessions);

/* gadget-window-chats.c: deletes what could still be undone. */
void        _gadget_window_end_deletions   (GadgetWindow   *self);

/* gadget-window-chats.c: offers to undo that a folder of chats was removed. */
void        _gadget_window_offer_folder    (GadgetWindow     *self,
                                            GadgetChatFolder *folder);

/* gadget-window-chats.c: makes a copy of a chat, and shows it. */
void        _gadget_window_duplicate       (GadgetWindow   *self,
                                            GadgetSession  *session);

/* gadget-window-chats.c: shows an incognito chat without turns; has one stored from now on. */
void        _gadget_window_new_incognito   (GadgetWindow   *self);
void        _gadget_window_keep            (GadgetWindow   *self,
                                            GadgetSession  *session);

/* gadget-window-export.c: asks how to export a chat, those of @selected (nullable), or all of
 * them. */
void        _gadget_window_export          (GadgetWindow   *self,
                                            GadgetSession  *session,
                                            GPtrArray      *selected);

/* gadget-window-print.c: prints chats by the print dialog. */
void        _gadget_window_print           (GadgetWindow      *self,
                                            const char *const *ids,
                                            GadgetExportParts  parts);

/* gadget-window-activity.c: where the sidebar and the inspector are, and whether they are shown. */
void        _gadget_window_restore_sides   (GadgetWindow   *self);
void        _gadget_window_store_sides     (GadgetWindow   *self);
void        _gadget_window_uncover_chat    (GadgetWindow   *self);
void        _gadget_window_bind_activity   (GtkWidgetClass *widget_class);
void        _gadget_window_toggle_activity (GadgetWindow   *self);
void        _gadget_window_update_activity (GadgetWindow   *self);

/* Returns FALSE when the inspector does not cover the chat. */
gboolean    _gadget_window_close_covering_inspector (GadgetWindow *self);

/* gadget-window-first-run.c: the page of the first run. */
void        _gadget_window_bind_first_run  (GtkWidgetClass *widget_class);
void        _gadget_window_begin_first_run (GadgetWindow   *self);
gboolean    _gadget_window_is_first_run    (GadgetWindow   *self);
void        _gadget_window_use_provider    (GtkWidget      *window,
                                            const char     *id);

/* gadget-window-failure.c: actions for data that cannot be opened. */
void        _gadget_window_install_failure (GtkWidgetClass *widget_class);

/* gadget-window-recovered.c: replies that an earlier process could not save, or that were cut off
 * when it ended, and the chat that it showed. */
void        _gadget_window_bind_recovered  (GtkWidgetClass *widget_class);
void        _gadget_window_restore_chat    (GadgetWindow   *self);
void        _gadget_window_record_chat     (GadgetWindow   *self);
void        _gadget_window_record_again    (GadgetWindow   *self);
void        _gadget_window_forget_chat     (GadgetWindow   *self);
void        _gadget_window_recover         (GadgetWindow   *self);

/* gadget-window-search.c: the pages that cover the chat, and the search over all chats.
 * _leave_page () returns FALSE if the chat is shown. */
void        _gadget_window_show_page       (GadgetWindow   *self,
                                            GtkWidget      *page);
gboolean    _gadget_window_leave_page      (GadgetWindow   *self);
void        _gadget_window_bind_search     (GtkWidgetClass *widget_class);
void        _gadget_window_search          (GadgetWindow   *self,
                                            const char     *text);
gboolean    _gadget_window_is_searching    (GadgetWindow   *self);

/* gadget-window-beside.c: what windows have to do with each other. */
void        _gadget_window_bind_settings   (GadgetWindow   *self);
gboolean    _gadget_window_is_first        (GadgetWindow   *self,
                                            GadgetEngine   *engine);
void        _gadget_window_add_toast_in_front (GadgetWindow *self,
                                            const char     *text);
/* gadget-window-ledger.c: what was done in all chats, or by one turn. _stop_ledger () returns FALSE
 * if nothing is being undone there. */
void        _gadget_window_show_ledger     (GadgetWindow   *self,
                                            const char     *turn_id);
gboolean    _gadget_window_shows_ledger    (GadgetWindow   *self);
gboolean    _gadget_window_stop_ledger     (GadgetWindow   *self);
void        _gadget_window_refresh_ledger  (GadgetWindow   *self);
void        _gadget_window_export_ledger   (GadgetWindow   *self,
                                            gboolean        json);

/* gadget-window-switcher.c: the quick way to a chat, an action or a setting. */
void        _gadget_window_switch          (GadgetWindow   *self);

/* gadget-window-find.c: makes and connects the find bar at the first call. */
GadgetFindBar *
            _gadget_window_get_find_bar    (GadgetWindow   *self);

/* gadget-window.c: shows what the window is about in its title. */
void        _gadget_window_update_title    (GadgetWindow   *self);

/* gadget-window.c: gives a new chat what the settings say, and the model of the chat that was SHOWN
 * (nullable) before. */
void        _gadget_window_begin_chat      (GadgetWindow   *self,
                                            GadgetSession  *session,
                                            GadgetSession  *shown);

/* gadget-window.c: shows a new chat without moving the focus; does nothing if the chat that is
 * shown is new. */
void        _gadget_window_show_new_chat   (GadgetWindow   *self);

G_END_DECLS
