/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The parts that the cards of the transcript are made of. All functions return new widgets.
 * (transfer floating) */

/* A card; @css_class is its style: "quiet" or "failure". */
GtkWidget *_gadget_card_new         (const char *css_class);

/* An icon, with the style class @icon_class (both nullable), and a wrapped title in bold. */
GtkWidget *_gadget_card_title_new   (const char *icon_name,
                                     const char *icon_class,
                                     const char *title);

/* A label with a wrapped text, with a style class or NULL. */
GtkWidget *_gadget_card_text_new    (const char *text,
                                     const char *css_class);

/* A field with a selectable text; with @copy also a button that copies it. */
GtkWidget *_gadget_card_field_new   (const char *text,
                                     gboolean    copy);

/* A box of buttons, which wraps into several lines where it is narrow. _add_action () adds a button
 * to it that activates @action (nullable) with the string @target (nullable), and returns the
 * button. */
GtkWidget *_gadget_card_buttons_new (void);
GtkWidget *_gadget_card_add_action  (GtkWidget  *buttons,
                                     const char *label,
                                     const char *action,
                                     const char *target);

/* A label that shows the key which presses a button while its card has the focus. */
GtkWidget *_gadget_card_digit_new   (const char *digit);

/* A warning with an icon; and a quotation, which is plain text beside a line. The caption SOURCE
 * (nullable) is written by Gadget and says whose text it is. A long quotation scrolls. */
GtkWidget *_gadget_card_warning_new (const char *text);
GtkWidget *_gadget_card_quote_new   (const char *source,
                                     const char *text);

G_END_DECLS
