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

  GListModel *sessions; /* the engine's */
  GListStore *fresh;    /* the current chat while it is in no list */
  GtkCustomFilter *filter;
  GtkCustomSorter *sorter;
  GtkCustomSorter *section_sorter;
  GtkSortListModel *model;
  GtkSingleSelection *selection;
  GHashTable *places; /* GadgetSession → Place, as last sorted */
  GPtrArray *headers; /* of GtkListHeader, those in use */
  char *needle;       /* what is searched for, case-folded; NULL for everything */
  GadgetSession *current;
  gboolean reveal; /* the current chat comes to another place */
  gboolean syncing;
  guint sort_id;

  GtkWidget *context_menu;
  GadgetSession *context_session; /* (nullable): that the menu was opened for */
  gboolean focus_list;            /* it had the focus when the menu was opened */
};

/* gadget-library-model.c: what the list shows. */
void _gadget_library_model_init           (GadgetLibrary  *self);
void _gadget_library_make_model           (GadgetLibrary  *self);
void _gadget_library_sessions_changed_cb  (GadgetLibrary  *self,
                                           guint           position,
                                           guint           removed,
                                           guint           added);

/* The position in the list; GTK_INVALID_LIST_POSITION for a chat that it does not show. */
guint _gadget_library_find                (GadgetLibrary  *self,
                                           GadgetSession  *session);

/* The current chat is shown before the engine lists it, and is the one that is selected. */
void _gadget_library_update_fresh         (GadgetLibrary  *self);
void _gadget_library_select_current       (GadgetLibrary  *self);

/* Of a GtkListHeader: the name of the group below it. */
void _gadget_library_update_header        (gpointer        header,
                                           gpointer        library);

/* gadget-library-top.c: the list changes, and stays at its top if that is what is looked at. */
void _gadget_library_keep_top             (GadgetLibrary  *self);

/* gadget-library-rows.c */
void _gadget_library_bind_rows            (GtkWidgetClass *widget_class);

/* gadget-library-menu.c */
void _gadget_library_menu_class_init      (GtkWidgetClass *widget_class);
void _gadget_library_open_context_menu    (GadgetLibrary  *self,
                                           GtkWidget      *row,
                                           double          x,
                                           double          y);

G_END_DECLS
