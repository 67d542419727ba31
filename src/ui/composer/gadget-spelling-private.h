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
  SpellingChecker *checker; /* (nullable): while there is no dictionary, or none is wanted */
  gboolean begun;
  gboolean loading;
  gboolean stale; /* something else was wanted while a dictionary was being read */

  /* gadget-spelling-marks.c */
  GtkTextTag *tag;
  GHashTable *known; /* words that were looked up, and whether they are right */
  guint pass_id;
  char *text; /* (nullable): what is being looked at */
  GadgetSpellingReader reader;
  GArray *wrong; /* of Range: what was found in it */

  /* gadget-spelling-menu.c */
  GSimpleActionGroup *actions;
  GMenu *menu;
  GMenu *corrections;
  GMenu *word_items;
  GMenu *rest;
  GMenu *languages;
  char *word; /* (nullable): the misspelled one that the menu is about */
  guint word_offset;
};

/* gadget-spelling-marks.c: misspelled words are underlined. */
void     _gadget_spelling_init_marks  (GadgetSpelling *self);
void     _gadget_spelling_drop_marks  (GadgetSpelling *self);
/* The text, the dictionary or the cursor is another one. */
void     _gadget_spelling_look        (GadgetSpelling *self);
/* Everything may be right or wrong now. */
void     _gadget_spelling_look_again  (GadgetSpelling *self);
gboolean _gadget_spelling_is_wrong    (GadgetSpelling *self,
                                       const GtkTextIter *at,
                                       GtkTextIter    *start,
                                       GtkTextIter    *end);

/* gadget-spelling-menu.c: corrections and languages. */
void     _gadget_spelling_init_menu   (GadgetSpelling *self);
void     _gadget_spelling_drop_menu   (GadgetSpelling *self);
void     _gadget_spelling_set_languages (GadgetSpelling *self,
                                       GListModel     *languages);
/* What the settings and the dictionary are. */
void     _gadget_spelling_update_menu (GadgetSpelling *self);

/* A dictionary is needed from now on. */
void     _gadget_spelling_begin       (GadgetSpelling *self);

gboolean _gadget_spelling_is_wanted   (GadgetSpelling *self);

G_END_DECLS
