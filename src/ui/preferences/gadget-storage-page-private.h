/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the files of the page of storage. */

#pragma once

#include "gadget-storage-bar.h"
#include "gadget-storage-page.h"

#include "store/gadget-storage.h"

G_BEGIN_DECLS

struct _GadgetStoragePage
{
  AdwPreferencesPage parent_instance;

  AdwPreferencesGroup *space_group;
  GadgetStorageBar *bar;
  AdwActionRow *chats_row;
  AdwActionRow *attachments_row;
  GtkWidget *clearing_row;
  AdwSpinRow *undo_days_row;
  AdwSpinRow *undo_megabytes_row;
  GtkLabel *chats_size;
  GtkLabel *attachments_size;
  GtkLabel *undo_size;
  GtkLabel *caches_size;
  GtkButton *back_up_button;
  GtkWidget *clear_chats_button;
  GtkWidget *clear_attachments_button;
  GtkWidget *clear_undo_button;
  GtkWidget *clear_caches_button;
  GtkListBox *backups;

  GadgetEngine *engine;
  GadgetStorage storage;     /* what was measured last */
  gboolean measuring;        /* and no size was shown yet */
  guint measuring_id;        /* the source that shows so */
  GCancellable *cancellable; /* (nullable): of what is being cleared */
};

/* (transfer none): the store. */
GadgetStore *_gadget_storage_page_get_store     (GadgetStoragePage *self);
/* Tells whether the dialog was closed, while something was being read. */
gboolean     _gadget_storage_page_is_closed     (GadgetStoragePage *self);

void         _gadget_storage_page_show_toast    (GadgetStoragePage *self,
                                                 const char        *text);
void         _gadget_storage_page_show_error    (GadgetStoragePage *self,
                                                 const GError      *error);
/* A dialog that is closed cannot start the program again, so it stays until it was restored. */
void         _gadget_storage_page_set_restoring (GadgetStoragePage *self,
                                                 gboolean           restoring);
/* Shows the sizes when they are known. */
void         _gadget_storage_page_measure       (GadgetStoragePage *self);

/* Reads the list of backups, and makes one when the button is pressed. */
void         _gadget_storage_page_list_backups  (GadgetStoragePage *self);
void         _gadget_storage_page_back_up_cb    (GadgetStoragePage *self);

G_END_DECLS
