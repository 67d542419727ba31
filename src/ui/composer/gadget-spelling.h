/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SPELLING (gadget_spelling_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSpelling, gadget_spelling, GADGET, SPELLING, GObject)

/* A longer text is not checked. */
#define GADGET_SPELLING_MAX_CHARACTERS 50000

/* Underlines misspelled words of a text view and adds corrections to its menu, if the settings say
 * so and there is a dictionary. */
GadgetSpelling *gadget_spelling_new      (GtkTextView    *view);

/* For tests: the tag of misspelled words, and whether a dictionary is loaded. */
GtkTextTag     *_gadget_spelling_get_tag (GadgetSpelling *self);
gboolean        _gadget_spelling_is_ready (GadgetSpelling *self);

G_END_DECLS
