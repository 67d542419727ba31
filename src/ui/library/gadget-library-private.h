/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-library-model.h"
#include "gadget-library.h"

G_BEGIN_DECLS

struct _GadgetLibrary
{
  AdwBin parent_instance;

  AdwWindowTitle *title;
  GtkWidget *toggle;
  GtkWindowControls *controls;
  GtkWidget *new_chat;
  GtkWidget *back;
  GtkWidget *cancel;
  GtkWidget *select_all;
  GtkWidget *foot;
  GtkLabel *n_selected;
  GtkWidget *move_button;
  GtkLabel *archive_label;
  GtkMenuButton *menu_button;
  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *list;
  GtkLabel *empty;
  GtkWidget *search_all;
  GtkLabel *search_all_label;

  GadgetEngine *engine; /* (nullable) */
  GadgetLibraryModel *model;
  GObject *archive; /* the item of the row that leads to the archived chats */
  GSettings *settings; /* (nullable) */
  GHashTable *closed_folders; /* the ids of the folders that the user has closed */
  GHashTable *watched; /* GadgetSession or GadgetChatFolder → number of the last rebuild that it was
                        * seen in */
  guint n_rebuilds;
  GPtrArray *headers; /* of GtkListHeader, unowned: those in use */
  GPtrArray *rows;    /* of GtkListItem, unowned: those in use */
  char *needle;       /* (nullable): the search text, case-folded; NULL for no search */
  GadgetSession *current;
  gboolean fresh;         /* the current chat is listed though the engine does not list it yet */
  gboolean shows_archive; /* the archived chats are listed instead of the others */
  gboolean covering;      /* the library covers the window */
  gboolean reveal;        /* scroll to the current chat when it is shown next */
  guint reveal_id;        /* timeout that does so */
  guint rebuild_id;
  guint n_listed; /* so many entries are listed so far; G_MAXUINT when all are */
  guint grow_id;  /* timeout that lists more of them */

  GPtrArray *dragged;               /* (nullable) of GadgetSession: the chats that are dragged */
  GdkDrag *drag;                    /* (nullable), weak: the one that goes on */
  GadgetChatFolder *hovered_folder; /* (nullable): opens if the drag stays over it */
  guint open_id;

  GtkWidget *rename_entry; /* (nullable): in the row whose title is changed */
  GObject *renamed_item;   /* (nullable): the chat or folder of that row */
  guint rename_id;         /* idle callback that takes the name */

  GtkWidget *context_menu;
  GObject *context_item;          /* (nullable): the chat or folder that the context menu is for */
  gboolean focus_list;            /* the list had the focus when the context menu was opened */
};

/* gadget-library.c: shows the list, or says why it is empty. */
void _gadget_library_update_stack         (GadgetLibrary  *self);

/* Lists the archived chats instead of the others, or the others again. */
void _gadget_library_show_archive         (GadgetLibrary  *self,
                                           gboolean        shown);

/* gadget-library-entries.c: what is listed. */
void _gadget_library_set_engine           (GadgetLibrary  *self,
                                           GadgetEngine   *engine);
void _gadget_library_set_current          (GadgetLibrary  *self,
                                           GadgetSession  *session);
void _gadget_library_show_current         (GadgetLibrary  *self);
void _gadget_library_rebuild              (GadgetLibrary  *self);
void _gadget_library_unwatch_all          (GadgetLibrary  *self);

/* Tells whether the engine lists a chat, or will when its deletion is undone. */
gboolean _gadget_library_is_stored        (GadgetLibrary  *self,
                                           GadgetSession  *session);

/* gadget-library-folders.c: the folders of chats, and what can be done with them. */
void _gadget_library_folders_class_init   (GtkWidgetClass *widget_class);
void _gadget_library_folders_init         (GadgetLibrary  *self);
GadgetChatFolder *_gadget_library_get_folder (GadgetLibrary *self,
                                           GadgetSession  *session);
GPtrArray *_gadget_library_dup_subfolders (GadgetLibrary  *self,
                                           GadgetChatFolder *parent);
gboolean _gadget_library_is_folder_open   (GadgetLibrary  *self,
                                           GadgetChatFolder *folder);
void _gadget_library_set_folder_open      (GadgetLibrary  *self,
                                           GadgetChatFolder *folder,
                                           gboolean        open);
void _gadget_library_toggle_folder        (GadgetLibrary  *self,
                                           GadgetChatFolder *folder);
guint _gadget_library_find_parent         (GadgetLibrary  *self,
                                           guint           position);
gboolean _gadget_library_open_or_close    (GadgetLibrary  *self,
                                           gboolean        open);
void _gadget_library_move                 (GadgetLibrary  *self,
                                           GPtrArray      *sessions,
                                           GadgetChatFolder *folder);
void _gadget_library_remove_folder        (GadgetLibrary  *self,
                                           GadgetChatFolder *folder);
GMenuModel *_gadget_library_make_move_menu (GadgetLibrary *self);
GMenuModel *_gadget_library_make_folder_menu (GadgetChatFolder *folder);

/* gadget-library-drag.c: makes the chat of a row draggable, and lets chats be dropped on a row or on
 * a heading. */
void _gadget_library_add_drag_source      (GadgetLibrary  *self,
                                           GtkWidget      *row);
gboolean _gadget_library_cancel_drag      (GadgetLibrary  *self);
void _gadget_library_add_drop_target      (GadgetLibrary  *self,
                                           GtkWidget      *widget);
void _gadget_library_open_at_hover        (GadgetLibrary  *self,
                                           GtkWidget      *row);
void _gadget_library_stop_hovering        (GadgetLibrary  *self);

/* gadget-library-selecting.c: selecting several chats. */
void _gadget_library_selecting_class_init (GtkWidgetClass *widget_class);
void _gadget_library_bind_selecting       (GtkWidgetClass *widget_class);
void _gadget_library_selecting_init       (GadgetLibrary  *self);
void _gadget_library_update_head          (GadgetLibrary  *self);
gboolean _gadget_library_leave_selecting  (GadgetLibrary  *self);

/* gadget-library-renaming.c: renames the chat or folder of a row in its place. */
void _gadget_library_begin_renaming       (GadgetLibrary  *self,
                                           GObject        *item);
void _gadget_library_cancel_renaming      (GadgetLibrary  *self,
                                           GObject        *item);

/* gadget-library-top.c: to be called before the list changes; keeps it scrolled to its top if it is
 * there. */
void _gadget_library_keep_top             (GadgetLibrary  *self);

/* gadget-library-rows.c: the chat or folder of a row that is in use. (transfer none) (nullable) */
GObject *_gadget_library_get_row_item     (GadgetLibrary  *self,
                                           GtkWidget      *row);

/* gadget-library-rows.c: the factories of rows and headers, and what rows and headers in use show
 * of their entries. The second is a GFunc. */
void _gadget_library_bind_rows            (GtkWidgetClass *widget_class);
void _gadget_library_update_header        (gpointer        header,
                                           gpointer        library);
void _gadget_library_update_row           (GadgetLibrary  *self,
                                           GtkListItem    *item);

/* gadget-library-menu.c: the context menu of a row at the point (@x, @y) of that row, and its
 * keys. */
void _gadget_library_menu_class_init      (GtkWidgetClass *widget_class);
void _gadget_library_open_context_menu    (GadgetLibrary  *self,
                                           GtkWidget      *row,
                                           double          x,
                                           double          y);

/* The chat or folder whose row has the focus. (transfer none) (nullable) */
GObject *_gadget_library_get_focused_item (GadgetLibrary  *self);

/* The chats that an action is for: those that are selected, and then selecting ends, or the one of
 * the menu. (transfer full) (element-type GadgetSession) */
GPtrArray *_gadget_library_take_targets   (GadgetLibrary  *self);

G_END_DECLS
