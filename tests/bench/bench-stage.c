/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-stage.h"

#include "gadget-test-ui.h"

#include "ui/markdown/gadget-markdown.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-markdown-view.h"

#include <string.h>

#define WIDTH 720
#define HEIGHT 720

/* Of the probe: what a user does while the text comes. */
#define PROBE_MS 23

struct _BenchStage
{
  GtkWidget *window;
  GtkAdjustment *adjustment;

  GadgetSession *session; /* either these */
  GadgetItem *item;
  GadgetTranscript *transcript;
  GtkTextBuffer *buffer; /* or these */
  GtkTextView *view;

  /* Of the stream that goes on. */
  const char *text;
  gsize length;
  gsize at;
  guint n_deltas;
  guint n_sent;
  guint rate;
  gint64 began;
  BenchCost *cost;
  gint64 own; /* of this iteration */
  gint64 own_all;
  gint64 frame;
  gint64 part;
  gint64 tenth_cpu;
};

/* The poll function has no data. */
static gint64 iteration_begin;
static double iteration_longest;
static GPollFunc real_poll;

static gint64
get_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
get_work (void)
{
  return get_clock (CLOCK_THREAD_CPUTIME_ID);
}

static gint
poll_cb (GPollFD *fds, guint n, gint timeout)
{
  gint result;

  iteration_longest = MAX (iteration_longest, (double) (get_work () - iteration_begin) / 1000);
  result = real_poll (fds, n, timeout);
  iteration_begin = get_work ();
  return result;
}

/* --- The stages --- */

static gboolean
idle_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* What a window has done long before an answer comes: its icons are there, and whatever waited for
 * a moment without work. */
static void
rest (BenchStage *self)
{
  g_autoptr (GtkIconPaintable) icon = gtk_icon_theme_lookup_icon (
      gtk_icon_theme_get_for_display (gtk_widget_get_display (self->window)), "open-menu-symbolic",
      NULL, 16, 1, GTK_TEXT_DIR_NONE, 0);
  gboolean idle = FALSE;

  gadget_test_wait_frames (self->window, 2);
  g_idle_add_full (G_PRIORITY_LOW + 1, idle_cb, &idle, NULL);
  while (!idle)
    g_main_context_iteration (NULL, TRUE);
}

static BenchStage *
stage_new (GtkWidget *child)
{
  BenchStage *self = g_new0 (BenchStage, 1);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  self->window = gadget_test_window_new (scrolled, WIDTH, HEIGHT);
  self->adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  return self;
}

BenchStage *
bench_stage_new_transcript (void)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("live", "Go on.");
  GadgetTranscript *transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  BenchStage *self = stage_new (GTK_WIDGET (transcript));

  self->transcript = transcript;
  self->session = gadget_session_new ("live");
  self->item = gadget_item_new (GADGET_ITEM_TEXT);
  gadget_turn_append (turn, self->item);
  gadget_session_append (self->session, turn);
  gadget_transcript_set_session (transcript, self->session);
  rest (self);
  return self;
}

BenchStage *
bench_stage_new_text_view (void)
{
  GtkWidget *view = gtk_text_view_new ();
  BenchStage *self;

  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  self = stage_new (view);
  self->view = GTK_TEXT_VIEW (view);
  self->buffer = gtk_text_view_get_buffer (self->view);
  rest (self);
  return self;
}

void
bench_stage_free (BenchStage *self)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_object_unref (self->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&self->item);
  g_clear_object (&self->session);
  g_free (self);
}

/* --- Streaming --- */

static void
append (BenchStage *self, const char *text, gsize length)
{
  GtkTextIter end;

  if (self->item != NULL)
    {
      gadget_item_append_text (self->item, text, (gssize) length);
      return;
    }
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, text, (int) length);
}

static void
follow (BenchStage *self)
{
  GtkTextIter end;

  if (self->view == NULL)
    return;
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_place_cursor (self->buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->view, gtk_text_buffer_get_insert (self->buffer));
}

static void
end_tenth (BenchStage *self)
{
  const gint64 now = get_clock (CLOCK_PROCESS_CPUTIME_ID);
  const guint tenth = self->n_sent * 10 / self->n_deltas;

  if (self->n_sent * 10 % self->n_deltas != 0 || tenth == 0)
    return;
  self->cost->tenths[tenth - 1] = (double) (now - self->tenth_cpu) * 10 / self->n_deltas;
  self->tenth_cpu = now;
}

static void
send_one (BenchStage *self)
{
  gsize next = self->length * (self->n_sent + 1) / self->n_deltas;

  while (next < self->length && (self->text[next] & 0xc0) == 0x80)
    next++;
  if (next > self->at)
    append (self, self->text + self->at, next - self->at);
  self->at = MAX (next, self->at);
  self->n_sent++;
  end_tenth (self);
}

static gboolean
send_cb (gpointer data)
{
  BenchStage *self = data;
  const gint64 elapsed = g_get_monotonic_time () - self->began;
  const guint due = (guint) MIN (elapsed * self->rate / G_USEC_PER_SEC, self->n_deltas);
  const gint64 begin = get_work ();
  gint64 own;

  if (due > self->n_sent)
    {
      while (self->n_sent < due)
        send_one (self);
      follow (self);
    }
  own = get_work () - begin;
  self->own_all += own;
  self->cost->own_ms = MAX (self->cost->own_ms, (double) own / 1000);
  return G_SOURCE_CONTINUE;
}

static void
before_paint_cb (GdkFrameClock *clock, BenchStage *self)
{
  self->frame = self->part = get_work ();
  self->cost->n_frames++;
}

static void
end_part (BenchStage *self, guint part)
{
  const gint64 now = get_work ();

  self->cost->parts_ms[part] += (double) (now - self->part) / 1000;
  self->part = now;
}

/* What there is to take over is taken over before the layout. */
static void
layout_cb (GdkFrameClock *clock, BenchStage *self)
{
  const gint64 own = get_work () - self->frame;

  self->own_all += own;
  self->cost->own_ms = MAX (self->cost->own_ms, (double) own / 1000);
  end_part (self, 0);
}

static void
paint_cb (GdkFrameClock *clock, BenchStage *self)
{
  end_part (self, 1);
}

static void
after_paint_cb (GdkFrameClock *clock, BenchStage *self)
{
  end_part (self, 2);
}

/* --- The probe: something with the priority of a key, posted from another thread --- */

typedef struct
{
  GMutex mutex;
  gboolean stopped;
  gint64 posted; /* 0: the last one was answered */
  double longest;
} Probe;

static gboolean
probe_cb (gpointer data)
{
  Probe *probe = data;

  g_mutex_lock (&probe->mutex);
  probe->longest = MAX (probe->longest, (double) (g_get_monotonic_time () - probe->posted) / 1000);
  probe->posted = 0;
  g_mutex_unlock (&probe->mutex);
  return G_SOURCE_REMOVE;
}

static gpointer
probe_thread (gpointer data)
{
  Probe *probe = data;

  for (;;)
    {
      gboolean post, stopped;

      g_usleep (PROBE_MS * 1000);
      g_mutex_lock (&probe->mutex);
      stopped = probe->stopped;
      post = !stopped && probe->posted == 0;
      if (post)
        probe->posted = g_get_monotonic_time ();
      g_mutex_unlock (&probe->mutex);
      if (stopped)
        return NULL;
      if (post)
        g_idle_add_full (GDK_PRIORITY_EVENTS, probe_cb, probe, NULL);
    }
}

static void
end_probe (Probe *probe, GThread *thread)
{
  g_mutex_lock (&probe->mutex);
  probe->stopped = TRUE;
  g_mutex_unlock (&probe->mutex);
  g_thread_join (thread);
  while (probe->posted != 0)
    g_main_context_iteration (NULL, TRUE);
  g_mutex_clear (&probe->mutex);
}

static void
settle (BenchStage *self)
{
  if (self->item != NULL)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, 0);

      gadget_item_set_status (self->item, GADGET_ITEM_FINISHED);
      gadget_turn_finish (turn);
    }
  gadget_test_wait_frames (self->window, 3);
}

void
bench_stage_stream (BenchStage *self, const char *text, guint n_deltas, guint rate, BenchCost *cost)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->window);
  const gint64 cpu = get_clock (CLOCK_PROCESS_CPUTIME_ID);
  Probe probe = { 0 };
  GThread *thread;
  gulong handlers[4];
  guint source;

  *cost = (BenchCost) { 0 };
  self->text = text;
  self->length = strlen (text);
  self->n_deltas = n_deltas;
  self->rate = rate;
  self->cost = cost;
  self->tenth_cpu = cpu;
  self->began = g_get_monotonic_time ();
  handlers[0] = g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), self);
  handlers[1] = g_signal_connect (clock, "layout", G_CALLBACK (layout_cb), self);
  handlers[2] = g_signal_connect (clock, "paint", G_CALLBACK (paint_cb), self);
  handlers[3] = g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint_cb), self);
  g_mutex_init (&probe.mutex);
  thread = g_thread_new ("probe", probe_thread, &probe);
  real_poll = g_main_context_get_poll_func (NULL);
  iteration_begin = get_work ();
  iteration_longest = 0;
  g_main_context_set_poll_func (NULL, poll_cb);

  /* A wake-up for each delta, where they come slowly enough for that. */
  source = g_timeout_add (MAX (1000 / rate, 1), send_cb, self);
  while (self->n_sent < n_deltas)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (source);
  settle (self);
  cost->cpu_s = (double) (get_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu) / G_USEC_PER_SEC;

  g_main_context_set_poll_func (NULL, real_poll);
  end_probe (&probe, thread);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_handler_disconnect (clock, handlers[i]);
  cost->own_us = (double) self->own_all / n_deltas;
  cost->iteration_ms = iteration_longest;
  cost->wait_ms = probe.longest;
}

/**
 * bench_stage_step:
 *
 * Like bench_stage_stream(), but with a frame for each delta, however long that takes: for counting
 * instructions, with valgrind and --toggle-collect=bench_stage_step.
 */
void
bench_stage_step (BenchStage *self, const char *text, guint n_deltas)
{
  BenchCost cost = { 0 };

  self->text = text;
  self->length = strlen (text);
  self->n_deltas = n_deltas;
  self->cost = &cost;
  while (self->n_sent < n_deltas)
    {
      send_one (self);
      follow (self);
      gadget_test_wait_frames (self->window, 1);
    }
  settle (self);
}

/* --- What is shown --- */

/* Whether the row shows what its segment says, each text in its piece. */
static gboolean
row_shows (GadgetTranscript *transcript, guint position, const char *text, gsize length)
{
  const GadgetRowSpec *spec = gadget_transcript_model_get_row (transcript->model, position);
  GadgetRealizedRow *realised = _gadget_transcript_get_realized (transcript, position);
  GtkWidget *child =
      realised != NULL ? gtk_widget_get_first_child (GTK_WIDGET (realised->widget)) : NULL;
  g_autoptr (GadgetMarkdownDocument) document = gadget_markdown_parse (
      text, spec->start, MIN (spec->end, length), spec->context, NULL, FALSE);
  GArray *places;
  guint next = 0;

  if (child == NULL || !GADGET_IS_MARKDOWN_VIEW (child))
    return FALSE;
  places = gadget_markdown_view_get_places (GADGET_MARKDOWN_VIEW (child));
  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);
      const guint n = leaf->kind == GADGET_MARKDOWN_RULE ? 0
                      : leaf->table != NULL              ? leaf->table->cells->len
                                                         : 1;

      for (guint k = 0; k < n; k++, next++)
        {
          const GadgetMarkdownText *wanted =
              leaf->table != NULL ? g_ptr_array_index (leaf->table->cells, k) : leaf->text;

          if (next >= places->len
              || !g_str_equal (g_array_index (places, GadgetTextMapping, next).text->text,
                               wanted->text)
              || gadget_selectable_text_get_length (
                     g_array_index (places, GadgetTextMapping, next).piece)
                     < wanted->length)
            return FALSE;
        }
    }
  return next == places->len;
}

static gboolean
transcript_shows (BenchStage *self, const char *text)
{
  GadgetTranscriptModel *model = self->transcript->model;
  const gsize length = strlen (text);
  gsize at = 0;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    {
      const GadgetRowSpec spec = *gadget_transcript_model_get_row (model, i);

      if (spec.kind != GADGET_ROW_KIND_TEXT)
        continue;
      if (spec.start != at)
        return FALSE;
      at = spec.end;
      if (_gadget_transcript_get_realized (self->transcript, i) == NULL)
        {
          _gadget_transcript_scroll_to (self->transcript, i, 0);
          gadget_test_wait_frames (self->window, 2);
        }
      if (!row_shows (self->transcript, i, text, length))
        {
          g_printerr ("# row %u does not show what was sent\n", i);
          return FALSE;
        }
    }
  return at == length;
}

gboolean
bench_stage_shows (BenchStage *self, const char *text)
{
  g_autofree char *shown = NULL;
  GtkTextIter start, end;

  if (self->item != NULL)
    return gadget_item_get_length (self->item) == strlen (text)
           && memcmp (gadget_item_get_text (self->item), text, strlen (text)) == 0
           && transcript_shows (self, text);
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  shown = gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
  return g_str_equal (shown, text);
}
