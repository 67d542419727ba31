/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SUGGESTIONS (gadget_suggestions_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSuggestions, gadget_suggestions, GADGET, SUGGESTIONS, GtkPopover)

/* A popover of suggestions for what is being typed. It never has the focus: the text view that has
 * it passes on the keys. Signals: "chosen" (value), and "attach" (value): to be attached
 * instead. */
GtkWidget  *gadget_suggestions_new          (void);
/* Adds a button for "attach" to the rows that are added from now on. */
void        gadget_suggestions_set_attachable (GadgetSuggestions *self);
/* Removes all rows. @narrow: the next ones are for a narrow window. */
void        gadget_suggestions_clear        (GadgetSuggestions *self,
                                             gboolean           narrow);
void        gadget_suggestions_add          (GadgetSuggestions *self,
                                             const char        *value,
                                             const char        *title,
                                             const char        *detail);
guint       gadget_suggestions_get_n        (GadgetSuggestions *self);

/* Returns the value of the selected row, which Enter would choose; NULL for none. (transfer
 * none) */
const char *gadget_suggestions_get_selected (GadgetSuggestions *self);
void        gadget_suggestions_select       (GadgetSuggestions *self,
                                             guint              index);

/**
 * GadgetSuggestionsKey:
 * @GADGET_SUGGESTIONS_KEY_OTHER: the key is not for the popover, or that is closed
 * @GADGET_SUGGESTIONS_KEY_TAKEN: another row was selected
 * @GADGET_SUGGESTIONS_KEY_CLOSE: the popover is to be closed
 * @GADGET_SUGGESTIONS_KEY_CHOOSE: the selected suggestion is chosen
 * @GADGET_SUGGESTIONS_KEY_COMPLETE: the selected suggestion is to be written out
 */
typedef enum
{
  GADGET_SUGGESTIONS_KEY_OTHER,
  GADGET_SUGGESTIONS_KEY_TAKEN,
  GADGET_SUGGESTIONS_KEY_CLOSE,
  GADGET_SUGGESTIONS_KEY_CHOOSE,
  GADGET_SUGGESTIONS_KEY_COMPLETE,
} GadgetSuggestionsKey;

/* Handles a key that was pressed in the text, and returns what it means. @self is (nullable). Only
 * GADGET_SUGGESTIONS_KEY_TAKEN was done already; the caller does the rest. */
GadgetSuggestionsKey gadget_suggestions_press (GadgetSuggestions *self,
                                             guint              keyval);

/* Tells whether gadget_suggestions_press() would use the key. */
gboolean    gadget_suggestions_wants        (GadgetSuggestions *self,
                                             guint              keyval);

/* Announces the selected row to screen readers, which do not notice it because it has no focus. */
void        gadget_suggestions_announce     (GadgetSuggestions *self);

G_END_DECLS
