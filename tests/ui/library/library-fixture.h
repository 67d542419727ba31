/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats in the list of a whole window, and keys and clicks on their rows. */

#pragma once

#include "test-window.h"
#include "ui/library/gadget-library-private.h"

G_BEGIN_DECLS

/* Makes a chat with one turn that has ended, and shows it. (transfer none) */
GadgetSession *library_add_chat       (TestWindow *self,
                                       const char *title);

/* A turn of the chat, which ends with the answer "text" if @end is TRUE. */
void           library_run_turn       (TestWindow    *self,
                                       GadgetSession *session,
                                       gboolean       end);

/* The chat that is shown gets a turn, and so do N - 1 new ones. */
void           library_make_chats     (TestWindow    *self,
                                       guint          n);

/* How many rows the list has. */
guint          library_count_listed   (TestWindow    *self);

/* Returns the chat whose row has the focus. (transfer none) (nullable) */
GadgetSession *library_get_focused_chat (TestWindow  *self);

/* Goes to the row of a chat with the keyboard. */
void           library_focus_list     (TestWindow    *self);

/* Starts a turn of a chat, and waits until the provider was asked. */
void           library_start_turn     (TestWindow    *self,
                                       GadgetSession *session);

/* The folders of the engine. */
GadgetChatFolders *library_get_folders (TestWindow *self);

/* What the list shows: two spaces for each level, names of folders with a slash at the end and
 * titles of chats, one a line. (transfer full) */
char          *library_dup_rows       (TestWindow *self);
gboolean       library_has_rows       (TestWindow *self,
                                       const char *rows);

/* Gives the focus to the row of a chat or folder with the keyboard, without choosing it. */
void           library_focus          (TestWindow *self,
                                       gpointer    item);

/* The row with that title or name, which has to be in sight. (transfer none) */
GtkWidget     *library_find_row       (TestWindow *self,
                                       const char *label);

/* Opens the menu of the row that has the focus, and clicks an item. */
void           library_press_in_menu  (TestWindow *self,
                                       const char *label);

/* For test_find (). */
gboolean       library_is_open_menu   (GtkWidget  *widget,
                                       gpointer    user_data);
gboolean       library_has_dialog     (TestWindow *self);

G_END_DECLS
