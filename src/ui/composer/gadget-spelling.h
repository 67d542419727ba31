/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SPELLING (gadget_spelling_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSpelling, gadget_spelling, GADGET, SPELLING, GObject)

/* A longer text is not looked at. */
#define GADGET_SPELLING_MAX_CHARACTERS 50000

/* Underlines misspelled words of a text and corrects them from its menu, as long as the settings say
 * so and there is a dictionary. */
GadgetSpelling *gadget_spelling_new      (GtkTextView    *view);

/* For tests: what marks misspelled words, and whether there is a dictionary. */
GtkTextTag     *_gadget_spelling_get_tag (GadgetSpelling *self);
gboolean        _gadget_spelling_is_ready (GadgetSpelling *self);

G_END_DECLS
