/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window that shows a text which grows, and what that costs: Gadget's transcript, or a plain
 * GtkTextView beside it. Both follow the end.
 *
 * An iteration is what the main context does between two looks at what is ready. Its time is that
 * of the thread's work, so that a busy machine gives the same figures; how long a key would wait is
 * real time. */

#pragma once

#include "ui/transcript/gadget-transcript.h"

G_BEGIN_DECLS

typedef struct _BenchStage BenchStage;

typedef struct
{
  double cpu_s;      /* of the whole process, from the first delta to the last frame */
  double own_us;     /* a delta: appending it, and taking it over in the frame that follows */
  double own_ms;     /* the longest of one iteration */
  double iteration_ms; /* the longest, with layout and drawing */
  double wait_ms;    /* the longest that what has a key's priority waited: real time */
  double tenths[10]; /* CPU microseconds a delta in each tenth of the deltas */
  double parts_ms[3]; /* of all frames: what our code took over, layout and painting, the rest */
  guint n_frames;
} BenchCost;

BenchStage       *bench_stage_new_transcript (void);
BenchStage       *bench_stage_new_text_view  (void);
void              bench_stage_free           (BenchStage    *self);

/* Appends @text in @n_deltas pieces, @rate of them a second, and waits until all is shown. */
void              bench_stage_stream         (BenchStage    *self,
                                              const char    *text,
                                              guint          n_deltas,
                                              guint          rate,
                                              BenchCost     *cost);

/* The same, with a frame for each piece, however long that takes. */
void              bench_stage_step           (BenchStage    *self,
                                              const char    *text,
                                              guint          n_deltas);

/* Whether the stage has all of @text, in what it keeps and in what its rows show. */
gboolean          bench_stage_shows          (BenchStage    *self,
                                              const char    *text);

G_END_DECLS
