/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the cards in the transcript are made of. */

/* A card; @css_class says of which kind ("quiet" or "failure"). */
GtkWidget *_gadget_card_new         (const char *css_class);

/* An icon (or NULL) and a title in bold, wrapped. */
GtkWidget *_gadget_card_title_new   (const char *icon_name,
                                     const char *icon_class,
                                     const char *title);

/* A wrapped text, with a style class or NULL. */
GtkWidget *_gadget_card_text_new    (const char *text,
                                     const char *css_class);

/* A field with a text in monospace that can be copied, with a button for it if @copy. */
GtkWidget *_gadget_card_field_new   (const char *text,
                                     gboolean    copy);

/* Buttons beside each other, in several lines where there is no room. */
GtkWidget *_gadget_card_buttons_new (void);
GtkWidget *_gadget_card_add_action  (GtkWidget  *buttons,
                                     const char *label,
                                     const char *action,
                                     const char *target);

/* The key that chooses a button while its card has the focus. */
GtkWidget *_gadget_card_digit_new   (const char *digit);

/* A sentence that warns, and one that somebody else wrote: plain text behind a line at its start,
 * under SOURCE (nullable), which is Gadget's and says whose words they are. A long one scrolls. */
GtkWidget *_gadget_card_warning_new (const char *text);
GtkWidget *_gadget_card_quote_new   (const char *source,
                                     const char *text);

G_END_DECLS
