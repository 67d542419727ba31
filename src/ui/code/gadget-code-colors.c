/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the colors of a block of code, on the main thread, in the slices of gadget-code-worker.h.
 *
 * Colors are known from the beginning of the block up to an offset in the source (@known), which
 * moves on as far as the rows need it: by the rules of a language, the colors of a line depend on
 * everything above. The lines are given to an engine segment by segment; its runs are kept, and the
 * engine is released at the end of the block. A line is given to the engine only when it is
 * complete, so that no color is ever taken back while the text grows.
 *
 * An engine becomes slower with the lines that it was given. So from time to time a second engine
 * is given the same lines: as soon as its runs for some of them are equal to those of the first,
 * which knows everything above, it replaces the first. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-private.h"

#include "gadget-code-language.h"
#include "gadget-code-worker.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/markdown/gadget-markdown-segment.h"

#include <string.h>

/* In bytes; the text after this has no colors, since a user does not read that far. */
#define MAX_BYTES 4194304

/* In bytes: an engine is replaced after this much if a fresh one finds the same runs; if it does
 * not, another try is made after RETRY_BYTES. ENOUGH_RUNS equal runs are enough. */
#define ENGINE_BYTES 32768
#define RETRY_BYTES 4096
#define ENOUGH_RUNS 8

/* In bytes: this much is found before the text is shown for the first time, so that the colors do
 * not come later. */
#define AT_ONCE_BYTES 4096

/* --- Reading --- */

static gboolean
ends_line (GadgetCode *self, gsize at)
{
  const char *text = gadget_item_get_text (self->item);

  return at < gadget_item_get_length (self->item) && (text[at] == '\n' || text[at] == '\r');
}

/* Gives the engines the lines of @text that they do not have yet. @whole: the last line of @text
 * does not grow any more. */
static void
feed_lines (GadgetCode *self, const GadgetMarkdownText *text, gboolean whole)
{
  for (guint start = 0; start < text->length;)
    {
      const char *newline = memchr (text->text + start, '\n', text->length - start);
      const guint end = newline != NULL ? (guint) (newline - text->text) : text->length;
      const gsize source = gadget_markdown_attributes_to_source (text, start, self->known);
      const gsize source_end =
          end > start ? gadget_markdown_attributes_to_source (text, end - 1, source) + 1 : source;

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

      if (first->start != second->start || first->end != second->end
          || first->style_id != second->style_id)
        return FALSE;
    }
  return TRUE;
}

/* Compares the runs of the second engine with @runs, those of the first for the same lines. Keeps
 * the second engine, drops it, or lets it replace the first. */
static void
compare_next (GadgetCode *self, const GArray *runs)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));

  gadget_code_engine_take_runs (self->next, others);
  if (!is_same (runs, others))
    {
      g_clear_pointer (&self->next, gadget_code_engine_release);
      self->next_try = self->known + RETRY_BYTES;
    }
  else if (runs->len >= ENOUGH_RUNS)
    {
      gadget_code_engine_release (self->engine);
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
    self->next = gadget_code_engine_acquire (
        gtk_source_language_get_id (gadget_code_language_find (self->word)));
}

void
_gadget_code_drop_engines (GadgetCode *self)
{
  g_clear_pointer (&self->engine, gadget_code_engine_release);
  g_clear_pointer (&self->next, gadget_code_engine_release);
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
      gadget_code_position_read (&self->place, self->item, &leaf, &last);

  if (leaf != NULL)
    {
      feed_lines (self, leaf->text, !last || !streaming);
      take_runs (self);
    }
  if (last)
    self->closed = !streaming;
  else
    self->closed = leaf == NULL || !gadget_code_position_next (&self->place, self->item);
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
  /* The name of the language may be known better now than from the word of the fence. */
  g_object_notify (G_OBJECT (self), "foldable");
  _gadget_code_emit_colored (self);
}

/* Makes sure that there is an engine. Returns FALSE when there is none, for now or at all. */
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
  self->engine = gadget_code_engine_acquire (gtk_source_language_get_id (language));
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

/* Does one step. Returns whether there is more to do now. */
static gboolean
work (GadgetCode *self)
{
  const gsize known = self->known;
  const gsize segment = self->place.segment;

  if (!has_work (self) || !find_engine (self))
    return FALSE;
  read_segment (self);
  /* When nothing was read, more text must arrive first. */
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

/* All colors that are needed are known; looks whether the text that follows ends the block. */
static void
check_end (GadgetCode *self)
{
  gsize next_context;
  const gsize length = gadget_item_get_length (self->item);

  if (gadget_item_get_status (self->item) != GADGET_ITEM_STREAMING
      || gadget_markdown_segment_end (gadget_item_get_text (self->item), length,
                                      self->place.segment, self->place.context, &next_context)
             < length)
    read_segment (self);
}

/* Tells whether colors can be found without making an engine, which takes too long during a frame.
 * A spare one is used for text that is streaming, which would otherwise be drawn twice, without and
 * with colors; when rows scroll into view there may be many blocks at once, and they wait for the
 * worker. */
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
  const gsize end = gadget_markdown_attributes_to_source (text, text->length, self->first.begin);
  gboolean more;

  g_return_val_if_fail (GADGET_IS_CODE (self), 0);

  self->wanted = MAX (self->wanted, end);
  more = has_work (self) && !self->loading;
  if (more && has_engine_at_hand (self) && end - MIN (self->known, end) <= AT_ONCE_BYTES)
    more = gadget_code_worker_do (work_at_once, self);
  if (more)
    gadget_code_worker_add (work_cb, self);
  else if (self->engine != NULL && self->known >= end)
    check_end (self);
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
