/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-library-group.h"
#include "gadget-library.h"

G_BEGIN_DECLS

struct _GadgetLibrary
{
  AdwBin parent_instance;

  GtkMenuButton *menu_button;
  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *list;

  GListModel *sessions; /* (nullable): the engine's list */
  GListStore *fresh;    /* the current chat, while the engine does not list it */
  GtkCustomFilter *filter;
  GtkCustomSorter *sorter;
  GtkCustomSorter *section_sorter;
  GtkSortListModel *model;
  GtkSingleSelection *selection;
  GHashTable *sort_keys; /* GadgetSession → SortKeys: those that each chat was last sorted by */
  GPtrArray *headers; /* of GtkListHeader, unowned: those in use */
  char *needle;       /* (nullable): the search text, case-folded; NULL for no search */
  GadgetSession *current;
  gboolean reveal; /* scroll to the current chat when it is selected next */
  gboolean syncing; /* the library changes the selection, not the user */
  guint sort_id;

  GtkWidget *context_menu;
  GadgetSession *context_session; /* (nullable): the chat that the context menu is about */
  gboolean focus_list;            /* the list had the focus when the context menu was opened */
};

/* gadget-library-model.c: the model of the list. */
void _gadget_library_model_init           (GadgetLibrary  *self);
void _gadget_library_make_model           (GadgetLibrary  *self);
void _gadget_library_sessions_changed_cb  (GadgetLibrary  *self,
                                           guint           position,
                                           guint           removed,
                                           guint           added);

/* Returns the position of a chat in the list, or GTK_INVALID_LIST_POSITION when it is not shown. */
guint _gadget_library_find                (GadgetLibrary  *self,
                                           GadgetSession  *session);

/* Tells whether the engine lists a chat. */
gboolean _gadget_library_is_stored        (GadgetLibrary  *self,
                                           GadgetSession  *session);

/* Update the model when the current chat is not in the engine's list yet, and select the current
 * chat. */
void _gadget_library_update_fresh         (GadgetLibrary  *self);
void _gadget_library_select_current       (GadgetLibrary  *self);

/* A GFunc: sets the label of a GtkListHeader to the name of its group. */
void _gadget_library_update_header        (gpointer        header,
                                           gpointer        library);

/* gadget-library-top.c: to be called before the list changes; keeps it scrolled to its top if it is
 * there. */
void _gadget_library_keep_top             (GadgetLibrary  *self);

/* gadget-library-rows.c: the factories of rows and headers. */
void _gadget_library_bind_rows            (GtkWidgetClass *widget_class);

/* gadget-library-menu.c: the context menu of a row at the point (@x, @y) of that row, and its
 * keys. */
void _gadget_library_menu_class_init      (GtkWidgetClass *widget_class);
void _gadget_library_open_context_menu    (GadgetLibrary  *self,
                                           GtkWidget      *row,
                                           double          x,
                                           double          y);

G_END_DECLS
