/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rows of several pages are made with. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A picture of how something went: "dialog-error-symbolic" and "error", say. */
GtkWidget *gadget_preferences_mark        (const char   *icon,
                                           const char   *style);

/* A flat button at the end of a row. LABEL is its accessible name, TOOLTIP may be NULL. */
GtkWidget *gadget_preferences_icon_button (const char   *icon,
                                           const char   *tooltip,
                                           const char   *label);

/* The button at the end of a row that opens what the row is about; the row activates it. */
GtkWidget *gadget_preferences_add_change_button (AdwActionRow *row,
                                                 const char   *name);

/* "Add Something…", the last row of a list. */
GtkWidget *gadget_preferences_add_row     (const char   *title);

/* What is typed there, without spaces around it. (transfer full) */
char      *gadget_preferences_dup_text    (AdwEntryRow  *row);
void       gadget_preferences_set_text    (AdwEntryRow  *row,
                                           const char   *text);

/* A path as people know it, with "~". (transfer full) */
char      *gadget_preferences_dup_path    (const char   *path);

/* Scrolls the page to a row that may be new. */
void       gadget_preferences_reveal      (GtkWidget    *row);

/* Asks before something is removed for good, and calls REMOVE (OWNER) if it is. */
void       gadget_preferences_confirm     (GtkWidget    *owner,
                                           const char   *title,
                                           const char   *body,
                                           const char   *action,
                                           void        (*remove) (GtkWidget *owner));

/* Asks before a key is sent without encryption, and calls SAVE (OWNER) if it may be. */
void       gadget_preferences_confirm_exposed (GtkWidget *owner,
                                           void        (*save) (GtkWidget *owner));

G_END_DECLS
