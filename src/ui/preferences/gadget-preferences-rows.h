/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows, buttons and questions that several pages use. Widgets are returned floating, unless it says
 * otherwise. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Makes an icon for a result; @style is a style class, such as "error". */
GtkWidget *gadget_preferences_mark        (const char   *icon,
                                           const char   *style);

/* Makes a flat icon button for the end of a row. @label is its accessible name; @tooltip is
 * (nullable). */
GtkWidget *gadget_preferences_icon_button (const char   *icon,
                                           const char   *tooltip,
                                           const char   *label);

/* Adds the button at the end of @row that opens the thing called @name; the row activates the
 * button. (transfer none) */
GtkWidget *gadget_preferences_add_change_button (AdwActionRow *row,
                                                 const char   *name);

/* Makes the last row of a list, which adds something: "Add Something…". */
GtkWidget *gadget_preferences_add_row     (const char   *title);

/* Get the text of a row without white space around it (transfer full), and set it; @text is
 * (nullable). */
char      *gadget_preferences_dup_text    (AdwEntryRow  *row);
void       gadget_preferences_set_text    (AdwEntryRow  *row,
                                           const char   *text);

/* Makes a check button for a question; its text wraps. */
GtkWidget *gadget_preferences_check       (const char   *text);

/* Scrolls the page to a row, also to one that was just added. */
void       gadget_preferences_reveal      (GtkWidget    *row);

/* Makes a part of a form sensitive or not. The focus leaves it first: a text that becomes
 * insensitive is not told that it lost the focus, and its cursor would go on blinking. */
void       gadget_preferences_set_sensitive (GtkWidget  *form,
                                             gboolean    sensitive);

/* Asks before something is lost for good, and calls @confirmed with @owner if the user agrees. */
void       gadget_preferences_confirm     (GtkWidget    *owner,
                                           const char   *title,
                                           const char   *body,
                                           const char   *action,
                                           void        (*confirmed) (GtkWidget *owner));

/* Asks before a key is sent without encryption, and calls @confirmed with @owner if the user
 * agrees. */
void       gadget_preferences_confirm_exposed (GtkWidget *owner,
                                           void        (*confirmed) (GtkWidget *owner));

G_END_DECLS
