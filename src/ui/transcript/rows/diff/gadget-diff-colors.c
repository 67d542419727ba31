/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A difference contains two texts: the old and the new one. Each is read by an engine of its own;
 * unchanged lines are given to both, and get their colors from the new text. The lines between two
 * hunks are unknown, so both engines start again at each hunk.
 *
 * When a difference is unfolded, all of its lines are read again, since the engines are released
 * after the last line; until then the old colors are used. The tool or the card limits the length
 * of a difference, and so the amount of work. Everything here runs on the main context. */

#define G_LOG_DOMAIN "gadget-diff-colors"

#include "config.h"

#include "gadget-diff-colors.h"

#include "ui/code/gadget-code-engine.h"
#include "ui/code/gadget-code-language.h"
#include "ui/code/gadget-code-worker.h"

/* This many lines are read in one step. */
#define STEP_LINES 8

enum
{
  OLD,
  NEW,
  N_SIDES
};

typedef struct
{
  GadgetDiffLine kind;
  guint32 start; /* in the text of all lines, in bytes */
  guint32 end;
} Line;

struct _GadgetDiffColors
{
  GObject parent_instance;

  char *name;
  char *id; /* (nullable): the language's id */
  GString *text;
  GArray *lines; /* of Line */
  guint n_read;
  gboolean loading;
  gboolean prepared;
  gboolean closed; /* there are no rules for such a file */

  GadgetCodeEngine *engines[N_SIDES]; /* (nullable): borrowed while there is work */
  GArray *read[N_SIDES];              /* of GadgetCodeRun: colors of the lines read so far */
  GArray *runs[N_SIDES];              /* of GadgetCodeRun: colors when all lines had been read */
};

enum
{
  COLORED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetDiffColors, gadget_diff_colors, G_TYPE_OBJECT)

/* --- Reading -----------------------------------------------------------------------------------
 */

static void
drop_engines (GadgetDiffColors *self)
{
  for (guint i = 0; i < N_SIDES; i++)
    g_clear_pointer (&self->engines[i], gadget_code_engine_release);
}

static void
take_runs (GadgetDiffColors *self)
{
  for (guint i = 0; i < N_SIDES; i++)
    if (self->engines[i] != NULL)
      gadget_code_engine_take_runs (self->engines[i], self->read[i]);
}

static void
begin_again (GadgetDiffColors *self)
{
  take_runs (self);
  drop_engines (self);
}

/* All lines were read: releases the engines and publishes the colors. */
static void
finish (GadgetDiffColors *self)
{
  drop_engines (self);
  for (guint i = 0; i < N_SIDES; i++)
    {
      g_array_set_size (self->runs[i], 0);
      g_array_append_vals (self->runs[i], self->read[i]->data, self->read[i]->len);
    }
}

static gboolean work_cb (gpointer data);

static void
ready_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetDiffColors) self = user_data;

  self->loading = FALSE;
  gadget_code_worker_add (work_cb, self);
}

/* Returns the id of the language; NULL when there is none, or the languages are not loaded yet. */
static const char *
get_id (GadgetDiffColors *self)
{
  GtkSourceLanguage *language =
      self->id == NULL ? gadget_code_language_find_for_file (self->name) : NULL;

  if (language != NULL)
    self->id = g_strdup (gtk_source_language_get_id (language));
  return self->id;
}

/* Borrows the engines. FALSE when there are none, or they are being prepared; then ready_cb ()
 * continues. */
static gboolean
find_engines (GadgetDiffColors *self)
{
  if (self->engines[OLD] != NULL && self->engines[NEW] != NULL)
    return TRUE;
  if (!gadget_code_language_load (ready_cb, self))
    {
      g_object_ref (self);
      self->loading = TRUE;
      return FALSE;
    }
  self->closed = get_id (self) == NULL;
  for (guint i = 0; i < N_SIDES && !self->closed; i++)
    if (self->engines[i] == NULL)
      self->engines[i] = gadget_code_engine_acquire (self->id);
  if (self->closed || (self->engines[OLD] != NULL && self->engines[NEW] != NULL))
    return !self->closed;
  self->closed = self->prepared;
  if (!self->prepared)
    {
      self->loading = self->prepared = TRUE;
      gadget_code_engine_prepare (self->id, ready_cb, g_object_ref (self));
    }
  return FALSE;
}

static void
read_line (GadgetDiffColors *self, const Line *line)
{
  const gboolean sides[N_SIDES] = {
    [OLD] = line->kind == GADGET_DIFF_SAME || line->kind == GADGET_DIFF_REMOVED,
    [NEW] = line->kind == GADGET_DIFF_SAME || line->kind == GADGET_DIFF_ADDED,
  };

  for (guint i = 0; i < N_SIDES; i++)
    if (sides[i])
      gadget_code_engine_add_line (self->engines[i], self->text->str + line->start,
                                   line->end - line->start, line->start);
}

static gboolean
has_work (GadgetDiffColors *self)
{
  return self->n_read < self->lines->len && !self->closed && !self->loading;
}

/* Reads some lines. Returns whether there is more to do now. */
static gboolean
work (GadgetDiffColors *self)
{
  const guint end = MIN (self->n_read + STEP_LINES, self->lines->len);

  if (!has_work (self) || !find_engines (self))
    return FALSE;
  while (self->n_read < end)
    {
      const Line *line = &g_array_index (self->lines, Line, self->n_read++);

      if (line->kind != GADGET_DIFF_RANGE)
        {
          read_line (self, line);
          continue;
        }
      begin_again (self);
      if (!find_engines (self))
        return FALSE;
    }
  take_runs (self);
  if (self->n_read == self->lines->len)
    finish (self);
  return has_work (self);
}

static gboolean
work_at_once (gpointer data)
{
  return work (data);
}

/* The signal is emitted once at the end, so that the colors do not change line by line. */
static gboolean
work_cb (gpointer data)
{
  GadgetDiffColors *self = data;
  const gboolean had_work = has_work (self);
  const gboolean more = work (self);

  if (had_work && self->n_read == self->lines->len)
    g_signal_emit (self, signals[COLORED], 0);
  return more;
}

/* --- Object ------------------------------------------------------------------------------------
 */

static void
gadget_diff_colors_dispose (GObject *object)
{
  GadgetDiffColors *self = GADGET_DIFF_COLORS (object);

  gadget_code_worker_remove (self);
  drop_engines (self);

  G_OBJECT_CLASS (gadget_diff_colors_parent_class)->dispose (object);
}

static void
gadget_diff_colors_finalize (GObject *object)
{
  GadgetDiffColors *self = GADGET_DIFF_COLORS (object);

  for (guint i = 0; i < N_SIDES; i++)
    {
      g_array_unref (self->read[i]);
      g_array_unref (self->runs[i]);
    }
  g_array_unref (self->lines);
  g_string_free (self->text, TRUE);
  g_free (self->id);
  g_free (self->name);

  G_OBJECT_CLASS (gadget_diff_colors_parent_class)->finalize (object);
}

static void
gadget_diff_colors_class_init (GadgetDiffColorsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_diff_colors_dispose;
  object_class->finalize = gadget_diff_colors_finalize;

  signals[COLORED] = g_signal_new ("colored", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_diff_colors_init (GadgetDiffColors *self)
{
  self->text = g_string_new (NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; i < N_SIDES; i++)
    {
      self->read[i] = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));
      self->runs[i] = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));
    }
}

/* --- Public ------------------------------------------------------------------------------------
 */

/**
 * gadget_diff_colors_new:
 * @name: the name of the file, with or without its folders
 *
 * Returns: (transfer full): an object without lines
 */
GadgetDiffColors *
gadget_diff_colors_new (const char *name)
{
  GadgetDiffColors *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (GADGET_TYPE_DIFF_COLORS, NULL);
  self->name = g_strdup (name);
  return self;
}

const char *
gadget_diff_colors_get_name (GadgetDiffColors *self)
{
  g_return_val_if_fail (GADGET_IS_DIFF_COLORS (self), NULL);
  return self->name;
}

/**
 * gadget_diff_colors_add_line:
 * @kind: the kind of the line; %GADGET_DIFF_RANGE begins a hunk and has no colors
 * @line: the text of the line without its sign and its line end
 */
void
gadget_diff_colors_add_line (GadgetDiffColors *self, GadgetDiffLine kind, const char *line,
                             gsize length)
{
  Line added = { .kind = kind };

  g_return_if_fail (GADGET_IS_DIFF_COLORS (self) && line != NULL);

  added.start = (guint32) self->text->len;
  g_string_append_len (self->text, line, (gssize) length);
  added.end = (guint32) self->text->len;
  /* The separator keeps the ranges of two lines apart. */
  g_string_append_c (self->text, '\n');
  g_array_append_val (self->lines, added);
  self->n_read = 0;
  drop_engines (self);
  for (guint i = 0; i < N_SIDES; i++)
    g_array_set_size (self->read[i], 0);
}

guint
gadget_diff_colors_get_n_lines (GadgetDiffColors *self)
{
  g_return_val_if_fail (GADGET_IS_DIFF_COLORS (self), 0);
  return self->lines->len;
}

/**
 * gadget_diff_colors_begin:
 *
 * Computes the colors of the lines that were added: for a short time at once, and the rest in idle
 * time; "colored" is emitted when that is done.
 */
void
gadget_diff_colors_begin (GadgetDiffColors *self)
{
  g_return_if_fail (GADGET_IS_DIFF_COLORS (self));

  if (!has_work (self))
    return;
  /* If an engine must be made first, the work is left to idle time, so that it does not delay a
   * frame. */
  if (get_id (self) == NULL || !gadget_code_engine_is_spare (self->id)
      || gadget_code_worker_do (work_at_once, self))
    gadget_code_worker_add (work_cb, self);
}

/**
 * gadget_diff_colors_apply:
 * @number: the number of the line, counted from 0 in the order of adding
 * @at: where the line begins in the text of @attributes, in bytes
 */
void
gadget_diff_colors_apply (GadgetDiffColors *self, guint number, PangoAttrList *attributes, gsize at)
{
  const Line *line;
  guint side;

  g_return_if_fail (GADGET_IS_DIFF_COLORS (self) && number < self->lines->len);

  line = &g_array_index (self->lines, Line, number);
  if (line->kind == GADGET_DIFF_RANGE || line->kind == GADGET_DIFF_NOTE)
    return;
  side = line->kind == GADGET_DIFF_REMOVED ? OLD : NEW;
  gadget_code_runs_add (self->runs[side], line->start, line->end, GADGET_CODE_ON_TINT, attributes,
                        (guint) at);
}
