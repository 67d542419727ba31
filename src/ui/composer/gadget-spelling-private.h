/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-spelling-words.h"
#include "gadget-spelling.h"

#include <libspelling.h>

G_BEGIN_DECLS

struct _GadgetSpelling
{
  GObject parent_instance;

  GtkTextView *view;        /* (unowned): NULL once this is disposed */
  GSettings *settings;      /* (nullable) */
  SpellingChecker *checker; /* (nullable): NULL when there is no dictionary, or spelling is not to
                             * be checked */
  gboolean begun; /* loading has begun, which waits for the first text or menu */
  gboolean loading;
  gboolean stale; /* the settings have changed while a dictionary was being loaded */

  /* gadget-spelling-marks.c */
  GtkTextTag *tag;
  GHashTable *known; /* word → whether it is spelled correctly */
  guint pass_id;
  char *text; /* (nullable): the text that is being checked */
  GadgetSpellingReader reader;
  GArray *wrong; /* of Range: the misspelled words found in @text so far */

  /* gadget-spelling-menu.c */
  GSimpleActionGroup *actions;
  GMenu *menu;
  GMenu *corrections;
  GMenu *word_items;
  GMenu *rest;
  GMenu *languages;
  char *word; /* (nullable): the misspelled word that the menu is about */
  guint word_offset; /* of @word in the buffer, in characters */
};

/* gadget-spelling-marks.c: underlines misspelled words. */
void     _gadget_spelling_init_marks    (GadgetSpelling    *self);
void     _gadget_spelling_drop_marks    (GadgetSpelling    *self);
/* Checks the text soon, without the results of earlier checks, which may be wrong now. */
void     _gadget_spelling_recheck       (GadgetSpelling    *self);

/* Tells whether there is a marked word at @at, and returns its bounds. */
gboolean _gadget_spelling_is_wrong      (GadgetSpelling    *self,
                                         const GtkTextIter *at,
                                         GtkTextIter       *start,
                                         GtkTextIter       *end);

/* gadget-spelling-menu.c: corrections and languages. */
void     _gadget_spelling_init_menu     (GadgetSpelling    *self);
void     _gadget_spelling_drop_menu     (GadgetSpelling    *self);
void     _gadget_spelling_set_languages (GadgetSpelling    *self,
                                         GListModel        *languages);
/* Updates the state of the menu from the settings and the dictionary. */
void     _gadget_spelling_update_menu   (GadgetSpelling    *self);

/* Loads the dictionary, on the first call: from now on it is needed. */
void     _gadget_spelling_begin         (GadgetSpelling    *self);

/* Tells whether the settings say that spelling is to be checked. */
gboolean _gadget_spelling_is_wanted     (GadgetSpelling    *self);

G_END_DECLS
