/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-transcript-matches.h"
#include "gadget-transcript-model-private.h"
#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

/* A row with matches. */
typedef struct
{
  GadgetRowSpec row;
  guint order; /* of the row in its turn when nothing is folded */
  guint n;
} Block;

typedef enum
{
  STATE_NEW,
  STATE_CHANGED, /* was searched before it changed */
  STATE_DONE,
} State;

typedef struct
{
  State state;
  guint n;
  GArray *blocks; /* (nullable) of Block */
} Entry;

/* The turn that is being searched. */
typedef struct
{
  gboolean active;
  gboolean first;   /* the turn was not searched before */
  gboolean reading; /* there may be a match, so the rows are looked at */
  guint turn;
  guint item;     /* the next one whose sources are looked at; 0 for the turn itself */
  GArray *rows;   /* of GadgetRowSpec */
  guint row;      /* the next one */
  GArray *blocks; /* (nullable) */
  guint n;
} Scan;

struct _GadgetTranscriptMatches
{
  GObject parent_instance;

  GadgetTranscriptModel *model;
  GadgetTextPattern *pattern;
  GArray *entries; /* of Entry, one for each turn */
  guint origin;    /* the turn where the search began; from it to the end and then back */
  guint forward;   /* all turns from the origin to this one were searched */
  guint backward;  /* all turns from this one to the origin were searched */
  guint n;
  guint n_new; /* entries that are in the states */
  guint n_changed;
  Scan scan;
  guint slice_id;
  guint gather_id;
};

/* A match in a text. */
typedef struct
{
  const char *text;
  gsize length;
  gsize start;
  gsize end;
  const GadgetMarkdownText *markdown; /* (nullable): has the text */
  gsize base;                         /* where the text begins in the source */
} GadgetMatchHit;

/* Called for each match; returns FALSE to stop. */
typedef gboolean (*GadgetMatchFunc) (const GadgetMatchHit *hit, gpointer user_data);

/* gadget-transcript-matches-text.c. _visit_row () calls @func for the matches in a row, in the order
 * in which they are shown. _is_in_string () and _may_be_in_item () look at sources: where they
 * return FALSE there is no match. _get_turn () returns the turn of a row. */
void        _gadget_transcript_matches_visit_row      (GadgetTranscriptMatches *self,
                                                       guint                    turn,
                                                       const GadgetRowSpec     *row,
                                                       GadgetMatchFunc          func,
                                                       gpointer                 user_data);
gboolean    _gadget_transcript_matches_is_in_string   (GadgetTranscriptMatches *self,
                                                       const char              *text);
gboolean    _gadget_transcript_matches_may_be_in_item (GadgetTranscriptMatches *self,
                                                       GadgetItem              *item);
GadgetTurn *_gadget_transcript_matches_get_turn       (GadgetTranscriptMatches *self,
                                                       guint                    turn,
                                                       const GadgetRowSpec     *row);

G_END_DECLS
