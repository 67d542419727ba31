/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SUGGESTIONS (gadget_suggestions_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSuggestions, gadget_suggestions, GADGET, SUGGESTIONS, GtkPopover)

/* What could be meant by what is being typed, to choose from. It never has the focus: who has it gives
 * it the keys. Signals: "chosen" (value), and "attach" (value): it is to be attached instead. */
GtkWidget  *gadget_suggestions_new          (void);
/* What is added from now on can be attached. */
void        gadget_suggestions_set_attachable (GadgetSuggestions *self);
/* NARROW: for a narrow window. */
void        gadget_suggestions_clear        (GadgetSuggestions *self,
                                             gboolean           narrow);
void        gadget_suggestions_add          (GadgetSuggestions *self,
                                             const char        *value,
                                             const char        *title,
                                             const char        *detail);
guint       gadget_suggestions_get_n        (GadgetSuggestions *self);

/* The one that Enter would choose; NULL for none. */
const char *gadget_suggestions_get_selected (GadgetSuggestions *self);
void        gadget_suggestions_select       (GadgetSuggestions *self,
                                             guint              index);
void        gadget_suggestions_move         (GadgetSuggestions *self,
                                             gboolean           down);

/**
 * GadgetSuggestionsKey:
 * @GADGET_SUGGESTIONS_KEY_OTHER: it is not for what is offered, or nothing is
 * @GADGET_SUGGESTIONS_KEY_TAKEN: another one is selected
 * @GADGET_SUGGESTIONS_KEY_CLOSE: nothing of it is wanted
 * @GADGET_SUGGESTIONS_KEY_CHOOSE: the selected one is wanted
 * @GADGET_SUGGESTIONS_KEY_COMPLETE: it is to be written out
 */
typedef enum
{
  GADGET_SUGGESTIONS_KEY_OTHER,
  GADGET_SUGGESTIONS_KEY_TAKEN,
  GADGET_SUGGESTIONS_KEY_CLOSE,
  GADGET_SUGGESTIONS_KEY_CHOOSE,
  GADGET_SUGGESTIONS_KEY_COMPLETE,
} GadgetSuggestionsKey;

/* What a key means that was pressed where it is written. SELF may be NULL. */
GadgetSuggestionsKey gadget_suggestions_press (GadgetSuggestions *self,
                                             guint              keyval);

gboolean    gadget_suggestions_wants        (GadgetSuggestions *self,
                                             guint              keyval);

/* Tells a screen reader which one that is: the focus never says so. */
void        gadget_suggestions_announce     (GadgetSuggestions *self);

G_END_DECLS
