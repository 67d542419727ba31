/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding text in the chat: what is drawn as found, and the current match. Where the matches are is
 * known to GadgetTranscriptMatches, for all rows; in the rows that are widgets they are found
 * again, so that they are drawn on what is really shown. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-find.h"

#include "gadget-transcript-private.h"
#include "ui/common/gadget-announcer.h"
#include "ui/transcript/model/gadget-transcript-matches.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* The opacity of the tint behind a match. */
#define TINT_LIGHT 0.2f
#define TINT_DARK 0.42f

/* Where in the viewport a match is put that was out of sight, from its top. */
#define PLACE 0.25

/* A longer selection is not meant to be looked for, in bytes. */
#define MAX_QUERY 200

/* A part that was unfolded for the current match: a row, or a block of code in a list or a
 * quote. */
typedef struct
{
  GadgetTurn *turn;
  GadgetRowSpec row;
  GadgetCode *code; /* (nullable) */
  gboolean needed;  /* by the current match */
} Fold;

struct _GadgetTranscriptFind
{
  GadgetTranscriptMatches *matches; /* (nullable): NULL while nothing is to be found */
  GadgetTurn *turn;                 /* (nullable): of the current match */
  GadgetTranscriptMatch match;      /* the current match */
  GPtrArray *folds;                 /* of Fold */
  GtkWidget *color_probe;           /* its color is the background of the view */

  gboolean seeking; /* there is no current match yet; it is looked for from here on: */
  GadgetRowSpec origin;
  gsize origin_offset; /* in the text of the row, or */
  gboolean by_source;  /* in its source */

  int n_steps;      /* steps to a match that is not known yet; < 0 backward */
  gboolean waiting; /* the current match is to be shown in the next frame */
};

static void
free_fold (gpointer data)
{
  Fold *fold = data;

  g_object_unref (fold->turn);
  g_clear_object (&fold->code);
  g_free (fold);
}

static int
get_turn_number (GadgetTranscript *self, GadgetTurn *turn)
{
  return gadget_session_find_turn (gadget_transcript_model_get_session (self->model),
                                   gadget_turn_get_id (turn));
}

/* Returns the row of the turn that shows @row, or the part of it that is not folded; -1 when it is
 * folded or gone. */
static int
find_position (GadgetTranscript *self, GadgetTurn *turn, const GadgetRowSpec *row)
{
  const int number = get_turn_number (self, turn);
  guint first, end;

  if (number < 0)
    return -1;
  first = gadget_transcript_model_get_turn_row (self->model, (guint) number);
  end = (guint) number + 1 < gadget_transcript_model_get_n_turns (self->model)
            ? gadget_transcript_model_get_turn_row (self->model, (guint) number + 1)
            : gadget_transcript_model_get_n_rows (self->model);
  for (guint i = first; i < end; i++)
    if (gadget_row_spec_shows_same (gadget_transcript_model_get_row (self->model, i), row))
      return (int) i;
  return -1;
}

/* --- Drawing --- */

static GadgetFoundColors
get_colors (GadgetTranscript *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const AdwAccentColor accent = adw_style_manager_get_accent_color (style);
  const gboolean dark = adw_style_manager_get_dark (style);
  GadgetFoundColors colors;

  adw_accent_color_to_rgba (accent, &colors.tint);
  colors.tint.alpha = dark ? TINT_DARK : TINT_LIGHT;
  adw_accent_color_to_standalone_rgba (accent, dark, &colors.current_background);
  gtk_widget_get_color (self->find->color_probe, &colors.current_text);
  return colors;
}

/* @anew: also when the same number of matches is drawn */
static void
draw_row (GadgetTranscript *self, GadgetRealizedRow *row, const GadgetFoundColors *colors,
          gboolean anew)
{
  GadgetTranscriptFind *find = self->find;
  const GadgetRowSpec *spec = gadget_transcript_model_get_row (self->model, row->position);
  const guint n =
      find->matches != NULL ? gadget_transcript_matches_count_in (find->matches, spec) : 0;
  const gboolean has_current = find->turn != NULL && n > 0 && spec->turn == find->match.turn
                               && gadget_row_spec_shows_same (spec, &find->match.row);
  const int current = has_current ? (int) find->match.nth : -1;

  if (!anew && row->n_found == n && row->current_found == current)
    return;
  row->n_found = n;
  row->current_found = current;
  gadget_row_show_found (row->widget,
                         n > 0 ? gadget_transcript_matches_get_pattern (find->matches) : NULL, n,
                         current, colors);
}

void
_gadget_transcript_find_draw (GadgetTranscript *self, GadgetRealizedRow *row)
{
  GadgetFoundColors colors;

  if (self->find == NULL || self->find->matches == NULL)
    return;
  colors = get_colors (self);
  draw_row (self, row, &colors, TRUE);
}

static void
draw (GadgetTranscript *self, gboolean anew)
{
  const guint n_rows = self->model != NULL ? gadget_transcript_model_get_n_rows (self->model) : 0;
  GadgetFoundColors colors;

  if (self->find == NULL || self->model == NULL)
    return;
  colors = get_colors (self);
  /* Until the next frame there may be widgets of rows that are gone. */
  for (guint i = 0; i < self->realized_rows->len; i++)
    if (_gadget_transcript_get_nth (self, i)->position < n_rows)
      draw_row (self, _gadget_transcript_get_nth (self, i), &colors, anew);
}

/* --- Unfolding --- */

static gboolean
is_expanded (GadgetTranscript *self, guint position)
{
  g_autoptr (GadgetRowData) data = g_list_model_get_item (G_LIST_MODEL (self->model), position);

  return gadget_row_data_get_expanded (data);
}

static void
remember_fold (GadgetTranscript *self, const GadgetRowSpec *row, GadgetCode *code)
{
  Fold *fold = g_new0 (Fold, 1);

  fold->turn = g_object_ref (self->find->turn);
  fold->row = *row;
  g_set_object (&fold->code, code);
  fold->needed = TRUE;
  g_ptr_array_add (self->find->folds, fold);
}

static void
set_expanded (GadgetTranscript *self, guint position, gboolean expanded)
{
  const GadgetRealizedRow *realized = _gadget_transcript_get_realized (self, position);

  /* The row that is read keeps its place. */
  if (realized != NULL)
    _gadget_transcript_hold_row (self, realized);
  gadget_transcript_model_set_expanded (self->model, position, expanded);
}

/* Unfolds the line at the row, unless it is unfolded. */
static void
unfold_line (GadgetTranscript *self, const GadgetRowSpec *row)
{
  GadgetTranscriptFind *find = self->find;
  const int position = find_position (self, find->turn, row);

  for (guint i = 0; i < find->folds->len; i++)
    {
      Fold *fold = g_ptr_array_index (find->folds, i);

      if (fold->turn == find->turn && gadget_row_spec_shows_same (&fold->row, row))
        fold->needed = TRUE;
    }
  if (position < 0 || is_expanded (self, (guint) position))
    return;
  remember_fold (self, row, NULL);
  set_expanded (self, (guint) position, TRUE);
}

/* Unfolds the end of a difference or of a block of code of which the row has the beginning, or
 * which the row stands for. Returns whether there was something to unfold. */
static gboolean
unfold_rest (GadgetTranscript *self, guint position)
{
  GadgetRowSpec row = *gadget_transcript_model_get_row (self->model, position);

  if (row.kind == GADGET_ROW_KIND_DIFF)
    {
      if (is_expanded (self, position))
        return FALSE;
      remember_fold (self, &row, NULL);
      set_expanded (self, position, TRUE);
      return TRUE;
    }
  if (!row.folded && position + 1 < gadget_transcript_model_get_n_rows (self->model))
    row = *gadget_transcript_model_get_row (self->model, ++position);
  if (!row.folded)
    return FALSE;
  set_expanded (self, position, TRUE);
  /* Unfolded, the block begins with another row. */
  row.folded = FALSE;
  row.start = row.context;
  remember_fold (self, &row, NULL);
  return TRUE;
}

/* Returns whether the current match is in what was unfolded within its row or in rows of the same
 * text; a line that was unfolded is found by unfold_line (). */
static gboolean
is_needed_inside (GadgetTranscript *self, const Fold *fold)
{
  const GadgetRowSpec *row = &self->find->match.row;

  return !gadget_row_kind_is_line (fold->row.kind) && fold->turn == self->find->turn
         && fold->row.kind == row->kind && fold->row.item == row->item
         && fold->row.scope == row->scope
         && (fold->row.start == row->start || fold->row.start == row->context);
}

static void
fold_again (GadgetTranscript *self, const Fold *fold)
{
  const int position = find_position (self, fold->turn, &fold->row);

  if (position < 0)
    return;
  if (fold->code != NULL)
    gadget_code_set_open (fold->code, FALSE);
  else
    set_expanded (self, (guint) position, FALSE);
}

/* Unfolds what the current match is folded in, and folds what was unfolded for another one. */
static void
update_folds (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  g_autoptr (GArray) rows = gadget_transcript_matches_dup_folds (find->matches, &find->match);

  for (guint i = 0; i < find->folds->len; i++)
    {
      Fold *fold = g_ptr_array_index (find->folds, i);

      fold->needed = is_needed_inside (self, fold);
    }
  for (guint i = 0; i < rows->len; i++)
    unfold_line (self, &g_array_index (rows, GadgetRowSpec, i));
  for (guint i = find->folds->len; i > 0; i--)
    if (!((Fold *) g_ptr_array_index (find->folds, i - 1))->needed)
      {
        fold_again (self, g_ptr_array_index (find->folds, i - 1));
        g_ptr_array_remove_index (find->folds, i - 1);
      }
}

/* --- Showing the current match --- */

/* Returns the row as a widget near the viewport, which is scrolled if need be. */
static GadgetRealizedRow *
reach (GadgetTranscript *self, guint position)
{
  GadgetRealizedRow *row;

  _gadget_transcript_layout (self, self->width, self->height);
  row = _gadget_transcript_get_realized (self, position);
  if (row != NULL && _gadget_transcript_is_near (self, row))
    return row;
  _gadget_transcript_scroll_to (self, position, self->height * PLACE);
  _gadget_transcript_layout (self, self->width, self->height);
  return _gadget_transcript_get_realized (self, position);
}

/* Finds the current match in its row, and unfolds it in there. Returns FALSE when it is not there
 * any more, or when rows have changed by unfolding. */
static gboolean
find_in_row (GadgetTranscript *self, GadgetRealizedRow *row, GadgetRowFound *match)
{
  GadgetTranscriptFind *find = self->find;
  g_autoptr (GArray) found =
      gadget_row_find (row->widget, gadget_transcript_matches_get_pattern (find->matches));
  GadgetCode *code;
  guint start, end;

  if (find->match.nth >= found->len)
    {
      unfold_rest (self, row->position);
      return FALSE;
    }
  *match = g_array_index (found, GadgetRowFound, find->match.nth);
  if (gadget_row_get_found_range (row->widget, match, &start, &end))
    return TRUE;
  code = gadget_row_get_found_code (row->widget, match);
  if (code == NULL)
    return gadget_row_data_get_kind (gadget_row_get_data (row->widget)) != GADGET_ROW_KIND_DIFF
           || !unfold_rest (self, row->position);
  remember_fold (self, &find->match.row, code);
  gadget_code_set_open (code, TRUE);
  gtk_widget_queue_resize (GTK_WIDGET (row->widget));
  return FALSE;
}

/* Gets what should be in sight, in coordinates of the transcript: the match, or the whole row of
 * one that is not text. */
static void
get_box (GadgetTranscript *self, GadgetRealizedRow *row, const GadgetRowFound *match, float *top,
         float *bottom)
{
  graphene_rect_t box;
  guint start, end;

  *top = (float) (row->y + row->gap);
  *bottom = *top + (float) row->height;
  if (!gadget_row_get_found_range (row->widget, match, &start, &end))
    return;
  gadget_row_reveal (row->widget, end);
  gadget_row_reveal (row->widget, start);
  if (!gadget_row_get_caret_box (row->widget, GTK_WIDGET (self), start, &box))
    return;
  *top = box.origin.y;
  *bottom = box.origin.y + box.size.height;
  /* A match may be wrapped. */
  if (gadget_row_get_caret_box (row->widget, GTK_WIDGET (self), end, &box))
    *bottom = box.origin.y + box.size.height;
}

static void
show_current (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  GadgetRowFound match;

  find->waiting = TRUE;
  if (self->column_width <= 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  find->waiting = FALSE;
  /* Each round may unfold one part. */
  for (guint round = 0; round < 4; round++)
    {
      const int position = find_position (self, find->turn, &find->match.row);
      GadgetRealizedRow *row;
      float top, bottom;

      if (position < 0)
        return;
      if (gadget_transcript_model_get_row (self->model, (guint) position)->folded)
        {
          if (!unfold_rest (self, (guint) position))
            return;
          continue;
        }
      row = reach (self, (guint) position);
      if (row == NULL || !find_in_row (self, row, &match))
        continue;
      get_box (self, row, &match, &top, &bottom);
      if (top >= 0 && bottom <= (float) self->height)
        return;
      _gadget_transcript_scroll_to (self, (guint) position,
                                    row->y + self->height * PLACE - (double) top);
      _gadget_transcript_layout (self, self->width, self->height);
      return;
    }
}

static void
announce (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  const guint number = gadget_transcript_matches_get_number (find->matches, &find->match);
  g_autofree char *line = gadget_transcript_matches_dup_line (find->matches, &find->match);
  g_autofree char *text = NULL;

  if (line == NULL)
    return;
  /* Translators: what screen readers say of a match of a search: its number, the number of all
     matches, and the line of text that it is in */
  text = g_strdup_printf (_ ("%u of %u: %s"), number,
                          gadget_transcript_matches_get_n (find->matches), line);
  gadget_announce (GTK_WIDGET (self), number > 0 ? text : line,
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
set_current (GadgetTranscript *self, const GadgetTranscriptMatch *match)
{
  GadgetTranscriptFind *find = self->find;
  GadgetSession *session = gadget_transcript_model_get_session (self->model);

  find->match = *match;
  find->seeking = FALSE;
  g_set_object (&find->turn, gadget_session_get_turn (session, match->turn));
  update_folds (self);
  show_current (self);
  draw (self, FALSE);
}

/* --- Looking for the current match --- */

/* Returns how many matches of the row are before the offset in its text where the search began. */
static guint
count_before (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  GadgetSession *session = gadget_transcript_model_get_session (self->model);
  const int position =
      find_position (self, gadget_session_get_turn (session, find->origin.turn), &find->origin);
  const GadgetRealizedRow *row =
      position >= 0 ? _gadget_transcript_get_realized (self, (guint) position) : NULL;
  g_autoptr (GArray) found = NULL;
  guint n = 0;

  if (row == NULL || find->origin_offset == 0)
    return 0;
  found = gadget_row_find (row->widget, gadget_transcript_matches_get_pattern (find->matches));
  for (; n < found->len; n++)
    {
      guint start, end;

      if (!gadget_row_get_found_range (row->widget, &g_array_index (found, GadgetRowFound, n),
                                       &start, &end)
          || start >= find->origin_offset)
        break;
    }
  return n;
}

static void
seek (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  GadgetTranscriptMatch match;

  if (find->origin.turn >= gadget_transcript_model_get_n_turns (self->model))
    return;
  if (find->by_source ? gadget_transcript_matches_find_source (find->matches, &find->origin,
                                                               find->origin_offset, &match)
                      : gadget_transcript_matches_find (find->matches, &find->origin,
                                                        count_before (self), &match))
    set_current (self, &match);
}

/* Goes one step; FALSE when that has to wait. */
static gboolean
step (GadgetTranscript *self, gboolean forward)
{
  GadgetTranscriptFind *find = self->find;
  GadgetTranscriptMatch match = find->match;
  gboolean wrapped;

  if (!gadget_transcript_matches_step (find->matches, forward, &match, &wrapped))
    return gadget_transcript_matches_is_complete (find->matches);
  set_current (self, &match);
  announce (self);
  if (wrapped)
    _gadget_transcript_emit_found_wrapped (self, forward);
  return TRUE;
}

static void
take_steps (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;

  while (find->turn != NULL && find->n_steps != 0)
    {
      const gboolean forward = find->n_steps > 0;

      if (!step (self, forward))
        return;
      find->n_steps += forward ? -1 : 1;
    }
}

/* The number of the turn changes with turns before it, and the match may be gone. */
static void
check_current (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  const int number = get_turn_number (self, find->turn);
  GadgetRowSpec row = find->match.row;
  guint n = 0;

  if (number >= 0)
    {
      row.turn = find->match.turn = (guint) number;
      n = gadget_transcript_matches_count_in (find->matches, &row);
    }
  if (n == 0 && gadget_transcript_matches_is_complete (find->matches))
    g_clear_object (&find->turn);
  else if (n > 0)
    find->match.nth = MIN (find->match.nth, n - 1);
}

static void
matches_changed_cb (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;

  if (find->turn != NULL)
    check_current (self);
  if (find->seeking)
    seek (self);
  take_steps (self);
  draw (self, FALSE);
  _gadget_transcript_emit_found (self);
}

/* --- Beginning and ending --- */

static void
style_changed_cb (GadgetTranscript *self)
{
  if (self->find->matches != NULL)
    draw (self, TRUE);
}

static void
need_find (GadgetTranscript *self)
{
  static const char *const properties[] = { "notify::dark", "notify::high-contrast",
                                            "notify::accent-color" };

  if (self->find != NULL)
    return;
  self->find = g_new0 (GadgetTranscriptFind, 1);
  self->find->folds = g_ptr_array_new_with_free_func (free_fold);
  self->find->color_probe = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, "accessible-role",
                                          GTK_ACCESSIBLE_ROLE_NONE, NULL);
  gtk_widget_add_css_class (self->find->color_probe, "view-color-probe");
  gtk_widget_set_parent (self->find->color_probe, GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    g_signal_connect_swapped (adw_style_manager_get_default (), properties[i],
                              G_CALLBACK (style_changed_cb), self);
}

static void
drop_matches (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;

  if (find->matches != NULL)
    g_signal_handlers_disconnect_by_data (find->matches, self);
  g_clear_object (&find->matches);
  find->n_steps = 0;
  find->waiting = FALSE;
  find->seeking = FALSE;
}

/* Frees everything; to be called before the model goes. */
void
_gadget_transcript_find_end (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;

  if (find == NULL)
    return;
  g_signal_handlers_disconnect_by_func (adw_style_manager_get_default (), style_changed_cb, self);
  drop_matches (self);
  g_clear_object (&find->turn);
  g_clear_pointer (&find->folds, g_ptr_array_unref);
  g_clear_pointer (&find->color_probe, gtk_widget_unparent);
  g_clear_pointer (&self->find, g_free);
}

/* Shows a match that was waiting for the rows to be placed. */
void
_gadget_transcript_find_update (GadgetTranscript *self)
{
  if (self->find == NULL || !self->find->waiting || self->find->turn == NULL
      || self->find->matches == NULL)
    return;
  show_current (self);
  draw (self, FALSE);
}

/* Returns whether the current match is in sight, and sets where it is. */
static gboolean
get_current_place (GadgetTranscript *self, GadgetRowSpec *row, gsize *offset)
{
  GadgetTranscriptFind *find = self->find;
  const int position = find->turn != NULL ? find_position (self, find->turn, &find->match.row) : -1;
  GadgetRealizedRow *realized =
      position >= 0 ? _gadget_transcript_get_realized (self, (guint) position) : NULL;
  g_autoptr (GArray) found = NULL;
  graphene_rect_t box;
  guint start, end;

  if (realized == NULL || find->matches == NULL)
    return FALSE;
  found = gadget_row_find (realized->widget, gadget_transcript_matches_get_pattern (find->matches));
  if (find->match.nth >= found->len
      || !gadget_row_get_found_range (
          realized->widget, &g_array_index (found, GadgetRowFound, find->match.nth), &start, &end)
      || !gadget_row_get_caret_box (realized->widget, GTK_WIDGET (self), start, &box)
      || box.origin.y + box.size.height < 0 || box.origin.y > (float) self->height)
    return FALSE;
  *row = *gadget_transcript_model_get_row (self->model, (guint) position);
  *offset = start;
  return TRUE;
}

/* Sets where the search begins: the current match if it is in sight, else the selection, else the
 * top of what is in sight. */
static void
set_origin (GadgetTranscript *self)
{
  GadgetTranscriptFind *find = self->find;
  const guint n_rows = gadget_transcript_model_get_n_rows (self->model);
  guint position = MIN (self->anchor, n_rows - 1);
  GadgetTextPosition fixed, head;
  GadgetRealizedRow *row;
  guint offset = 0;

  find->by_source = FALSE;
  if (get_current_place (self, &find->origin, &find->origin_offset))
    return;
  row = _gadget_transcript_get_realized (self, position);
  if (row != NULL && row->y + row->gap < 0)
    gadget_row_get_offset_at (row->widget, GTK_WIDGET (self), 0, 0, &offset);
  if (gadget_transcript_selection_get_ends (self->selection, &fixed, &head)
      && (fixed.row != head.row || fixed.offset != head.offset)
      && MAX (fixed.row, head.row) < n_rows)
    {
      const gboolean backward =
          head.row < fixed.row || (head.row == fixed.row && head.offset < fixed.offset);
      const GadgetTextPosition first = backward ? head : fixed;

      position = first.row;
      row = _gadget_transcript_get_realized (self, position);
      offset = row != NULL ? gadget_row_from_source (row->widget, first.offset) : 0;
    }
  find->origin = *gadget_transcript_model_get_row (self->model, position);
  find->origin_offset = offset;
}

void
gadget_transcript_find (GadgetTranscript *self, const char *query, gboolean match_case,
                        gboolean whole_words)
{
  g_autoptr (GadgetTextPattern) pattern = NULL;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (query != NULL)
    pattern = gadget_text_pattern_new (query, match_case, whole_words);
  if (pattern == NULL && self->find == NULL)
    return;
  need_find (self);
  if (self->model == NULL || pattern == NULL
      || gadget_transcript_model_get_n_rows (self->model) == 0)
    {
      drop_matches (self);
      g_clear_object (&self->find->turn);
      /* Unfolded parts stay, since they are read now. */
      g_ptr_array_set_size (self->find->folds, 0);
    }
  else
    {
      set_origin (self);
      drop_matches (self);
      g_clear_object (&self->find->turn);
      self->find->seeking = TRUE;
      self->find->matches =
          gadget_transcript_matches_new (self->model, pattern, self->find->origin.turn);
      g_signal_connect_swapped (self->find->matches, "changed", G_CALLBACK (matches_changed_cb),
                                self);
    }
  draw (self, TRUE);
  _gadget_transcript_emit_found (self);
}

void
gadget_transcript_find_place (GadgetTranscript *self, const char *turn_id, int item,
                              GadgetRowText text, gsize offset)
{
  GadgetTranscriptFind *find;
  GadgetTurn *turn;
  int number;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self) && turn_id != NULL);

  find = self->find;
  if (find == NULL || find->matches == NULL)
    return;
  number = gadget_session_find_turn (gadget_transcript_model_get_session (self->model), turn_id);
  if (number < 0)
    return;
  turn =
      gadget_session_get_turn (gadget_transcript_model_get_session (self->model), (guint) number);
  if (item >= (int) gadget_turn_get_n_items (turn))
    return;
  find->origin =
      (GadgetRowSpec) { .turn = (guint) number, .item = item < 0 ? 0 : (guint) item & 0xffffff };
  find->origin.kind = gadget_transcript_matches_get_kind (
      item < 0 ? NULL : gadget_turn_get_item (turn, (guint) item), text);
  find->origin_offset = offset;
  find->by_source = TRUE;
  find->seeking = TRUE;
  seek (self);
}

void
gadget_transcript_find_step (GadgetTranscript *self, gboolean forward)
{
  GadgetTranscriptFind *find;

  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  find = self->find;
  if (find == NULL || find->matches == NULL
      || gadget_transcript_model_get_n_rows (self->model) == 0)
    return;
  /* The current match may have gone with its turn. */
  if (find->turn == NULL && !find->seeking)
    {
      set_origin (self);
      seek (self);
    }
  else
    {
      find->n_steps += forward ? 1 : -1;
      take_steps (self);
    }
  _gadget_transcript_emit_found (self);
}

guint
gadget_transcript_get_n_found (GadgetTranscript *self, guint *current, gboolean *complete)
{
  const GadgetTranscriptFind *find;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), 0);

  find = self->find;
  *current = 0;
  *complete = TRUE;
  if (find == NULL || find->matches == NULL)
    return 0;
  *complete = gadget_transcript_matches_is_complete (find->matches);
  if (find->turn != NULL)
    *current = gadget_transcript_matches_get_number (find->matches, &find->match);
  return gadget_transcript_matches_get_n (find->matches);
}

char *
gadget_transcript_dup_find_query (GadgetTranscript *self)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);

  text = gadget_transcript_dup_selection (self);
  if (text == NULL || strlen (text) > MAX_QUERY || strchr (text, '\n') != NULL)
    return NULL;
  return g_steal_pointer (&text);
}
