/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-library-group.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * GadgetLibraryEntry:
 * @item: the #GadgetSession of a chat, or another object: a folder, or the archive
 * @group: the section that the entry is in
 * @depth: how many folders a chat or folder is in
 * @selectable: of a chat, whether it can be selected among others: a new one cannot
 * @open: of a folder, whether its chats are listed below it
 * @count: of a folder or of the archive, the number of its chats
 * @n_unread: of a folder, how many of its chats are unread
 *
 * A row of the list.
 */
typedef struct
{
  GObject *item;
  GadgetLibraryGroup group : 8;
  guint depth : 4;
  guint open : 1;
  guint selectable : 1;
  guint count;
  guint n_unread;
} GadgetLibraryEntry;

#define GADGET_TYPE_LIBRARY_MODEL (gadget_library_model_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLibraryModel, gadget_library_model, GADGET, LIBRARY_MODEL, GObject)

/* The model of the list view: entries in their groups, which are its sections. It is also the
 * selection: that is the current chat, and choosing another one emits "chosen" (GadgetSession).
 * While "selecting" is TRUE it is the chats that the user has selected, and none is chosen; Ctrl or
 * Shift with a click or a key begins that. What is not listed any more is not selected either. */
GadgetLibraryModel *gadget_library_model_new      (void);

/* Returns an array for gadget_library_model_take (), whose elements hold their items. */
GArray             *gadget_library_entries_new    (void);

/* Lists ENTRIES (transfer full), which are ordered by group. */
void                gadget_library_model_take     (GadgetLibraryModel *self,
                                                   GArray             *entries);

/* (transfer none): the entry at a position that exists. */
const GadgetLibraryEntry *gadget_library_model_get_entry (GadgetLibraryModel *self,
                                                   guint               position);

/* The position of an item, or GTK_INVALID_LIST_POSITION. */
guint               gadget_library_model_find     (GadgetLibraryModel *self,
                                                   gconstpointer       item);

/* SESSION may be NULL, and need not be listed. */
void                gadget_library_model_set_current (GadgetLibraryModel *self,
                                                   GadgetSession      *session);

/* Tells whether the user selects several chats. */
gboolean            gadget_library_model_get_selecting (GadgetLibraryModel *self);

/* Begins without a selected chat, or forgets those that are. */
void                gadget_library_model_set_selecting (GadgetLibraryModel *self,
                                                   gboolean            selecting);

/* Selects a chat while others are selected, or does not any more. */
void                gadget_library_model_toggle   (GadgetLibraryModel *self,
                                                   gconstpointer       item);

/* The selected chats in the order of the list; none unless the user selects. (transfer full)
 * (element-type GadgetSession) */
GPtrArray          *gadget_library_model_dup_selected (GadgetLibraryModel *self);

G_END_DECLS
