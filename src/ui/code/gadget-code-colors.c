/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colours are known up to a place in the source, which goes down the block as far as its rows need
 * it: the rules of a language ask for all that is above. Segment by segment the lines are given to
 * an engine; what it says is kept, and the engine given back when the end was reached. A line
 * counts when it has its end, so that no colour is ever taken back while the text grows.
 *
 * An engine is slower the more it was given. Now and then another one is therefore given the same
 * lines: as soon as it says the same of some of them as the first, which knows all that is above,
 * it takes its place. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-private.h"

#include "gadget-code-language.h"
#include "gadget-code-worker.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown-shape.h"

#include <string.h>

/* Nobody reads on for so long; what follows has no colours. */
#define MAX_BYTES 4194304

/* After so much an engine is replaced, if one that begins in the midst of it says the same; and
 * after so much it is tried again. */
#define ENGINE_BYTES 32768
#define RETRY_BYTES 4096
#define ENOUGH_RUNS 8

/* So much is found out before it is shown at all, and not after it. */
#define AT_ONCE_BYTES 4096

/* --- Reading --- */

static gboolean
ends_line (GadgetCode *self, gsize at)
{
  const char *text = gadget_item_get_text (self->item);

  return at < gadget_item_get_length (self->item) && (text[at] == '\n' || text[at] == '\r');
}

/* Takes the lines of @text that were not taken. @whole: its last one does not grow any more. */
static void
take_lines (GadgetCode *self, const GadgetMarkdownText *text, gboolean whole)
{
  for (guint start = 0; start < text->length;)
    {
      const char *newline = memchr (text->text + start, '\n', text->length - start);
      const guint end = newline != NULL ? (guint) (newline - text->text) : text->length;
      const gsize source = gadget_markdown_shape_to_source (text, start, self->known);
      const gsize source_end =
          end > start ? gadget_markdown_shape_to_source (text, end - 1, source) + 1 : source;

      if (source >= self->known)
        {
          if (!whole && newline == NULL && !ends_line (self, source_end))
            return;
          gadget_code_engine_add_line (self->engine, text->text + start, end - start,
                                       (guint32) source);
          if (self->next != NULL)
            gadget_code_engine_add_line (self->next, text->text + start, end - start,
                                         (guint32) source);
          self->known = source_end + 1;
        }
      start = end + 1;
    }
}

static gboolean
is_same (const GArray *a, const GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const GadgetCodeRun *first = &g_array_index (a, GadgetCodeRun, i);
      const GadgetCodeRun *second = &g_array_index (b, GadgetCodeRun, i);

      if (first->start != second->start || first->end != second->end || first->look != second->look)
        return FALSE;
    }
  return TRUE;
}

/* What the other engine says of the lines of which the first one says @runs. */
static void
compare_next (GadgetCode *self, const GArray *runs)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));

  gadget_code_engine_take_runs (self->next, others);
  if (!is_same (runs, others))
    {
      g_clear_pointer (&self->next, gadget_code_engine_give_back);
      self->next_try = self->known + RETRY_BYTES;
    }
  else if (runs->len >= ENOUGH_RUNS)
    {
      gadget_code_engine_give_back (self->engine);
      self->engine = g_steal_pointer (&self->next);
      self->next_try = self->known + ENGINE_BYTES;
    }
}

static void
take_runs (GadgetCode *self)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));

  gadget_code_engine_take_runs (self->engine, runs);
  if (runs->len > 0)
    g_array_append_vals (self->runs, runs->data, runs->len);
  if (self->next != NULL)
    compare_next (self, runs);
  else if (self->known > self->next_try)
    self->next = gadget_code_engine_borrow (
        gtk_source_language_get_id (gadget_code_language_find (self->word)));
}

void
_gadget_code_drop_engines (GadgetCode *self)
{
  g_clear_pointer (&self->engine, gadget_code_engine_give_back);
  g_clear_pointer (&self->next, gadget_code_engine_give_back);
}

static void
close_code (GadgetCode *self)
{
  self->closed = TRUE;
  _gadget_code_drop_engines (self);
}

static void
read_segment (GadgetCode *self)
{
  const gboolean streaming = gadget_item_get_status (self->item) == GADGET_ITEM_STREAMING;
  const GadgetMarkdownLeaf *leaf;
  gboolean last;
  g_autoptr (GadgetMarkdownDocument) document =
      gadget_code_place_read (&self->place, self->item, &leaf, &last);

  if (leaf != NULL)
    {
      take_lines (self, leaf->text, !last || !streaming);
      take_runs (self);
    }
  if (last)
    self->closed = !streaming;
  else
    self->closed = leaf == NULL || !gadget_code_place_next (&self->place, self->item);
  if (last && streaming)
    return;
  if (self->closed || self->place.segment - self->first.segment > MAX_BYTES)
    close_code (self);
}

static void
ready_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetCode) self = user_data;

  self->loading = FALSE;
  /* Its name may be known better than by what the fence says. */
  g_object_notify (G_OBJECT (self), "foldable");
  _gadget_code_emit_colored (self);
}

/* Whether there is somebody to ask for colours. */
static gboolean
find_engine (GadgetCode *self)
{
  GtkSourceLanguage *language;

  if (self->engine != NULL)
    return TRUE;
  if (self->closed || self->loading || self->word == NULL)
    return FALSE;
  if (!gadget_code_language_load (ready_cb, self))
    {
      g_object_ref (self);
      self->loading = TRUE;
      return FALSE;
    }
  language = gadget_code_language_find (self->word);
  if (language == NULL)
    {
      self->closed = TRUE;
      return FALSE;
    }
  self->engine = gadget_code_engine_borrow (gtk_source_language_get_id (language));
  self->next_try = self->known + ENGINE_BYTES;
  if (self->engine == NULL && self->prepared)
    self->closed = TRUE;
  else if (self->engine == NULL)
    {
      self->loading = self->prepared = TRUE;
      gadget_code_engine_prepare (gtk_source_language_get_id (language), ready_cb,
                                  g_object_ref (self));
    }
  return self->engine != NULL;
}

static gboolean
has_work (GadgetCode *self)
{
  return !self->closed && self->item != NULL && self->known < self->wanted;
}

/* One step. Whether there is more to do now. */
static gboolean
work (GadgetCode *self)
{
  const gsize known = self->known;
  const gsize segment = self->place.segment;

  if (!has_work (self) || !find_engine (self))
    return FALSE;
  read_segment (self);
  /* What has not come is waited for. */
  return has_work (self) && (self->known > known || self->place.segment > segment);
}

static gboolean
work_cb (gpointer data)
{
  GadgetCode *self = data;
  const gboolean more = work (self);

  _gadget_code_emit_colored (self);
  return more;
}

static gboolean
work_at_once (gpointer data)
{
  return work (data);
}

/* All that is needed is known; what follows may show that the block has ended. */
static void
look_for_end (GadgetCode *self)
{
  gsize next_context;
  const gsize length = gadget_item_get_length (self->item);

  if (gadget_item_get_status (self->item) != GADGET_ITEM_STREAMING
      || gadget_markdown_segment_end (gadget_item_get_text (self->item), length,
                                      self->place.segment, self->place.context, &next_context)
             < length)
    read_segment (self);
}

/* An engine is not made while somebody waits for a frame. One that is spare is borrowed for what
 * comes in, which would be painted again with its colours; when rows come into sight there may be
 * many blocks at once. */
static gboolean
has_engine_at_hand (GadgetCode *self)
{
  const char *id;

  if (self->engine != NULL || gadget_item_get_status (self->item) != GADGET_ITEM_STREAMING)
    return self->engine != NULL;
  id = gadget_code_language_get_id (self->word);
  return id != NULL && gadget_code_engine_is_spare (id);
}

gsize
gadget_code_want (GadgetCode *self, const GadgetMarkdownText *text)
{
  const gsize end = gadget_markdown_shape_to_source (text, text->length, self->first.begin);
  gboolean more;

  g_return_val_if_fail (GADGET_IS_CODE (self), 0);

  self->wanted = MAX (self->wanted, end);
  more = has_work (self) && !self->loading;
  if (more && has_engine_at_hand (self) && end - MIN (self->known, end) <= AT_ONCE_BYTES)
    more = gadget_code_worker_do (work_at_once, self);
  if (more)
    gadget_code_worker_add (work_cb, self);
  else if (self->engine != NULL && self->known >= end)
    look_for_end (self);
  return self->known;
}

void
gadget_code_add_colors (GadgetCode *self, const GadgetMarkdownText *text, PangoAttrList *attributes)
{
  g_return_if_fail (GADGET_IS_CODE (self));

  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *part = &g_array_index (text->runs, GadgetMarkdownRun, i);

      if (part->length != part->source_length)
        continue;
      gadget_code_runs_add (self->runs, part->source, part->source + part->length,
                            GADGET_CODE_ON_VIEW, attributes, part->text);
    }
}
