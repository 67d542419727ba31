/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-run.h"

G_BEGIN_DECLS

/**
 * GadgetAsking:
 * @sender: (nullable): who asks
 * @session: "" for a new chat
 * @run: what its run will be called; "" when that is not known before it starts
 * @same: calls that name the same run, and are answered together with this one
 * @reading: (nullable): the run that reads its attachments, while it does
 * @starting: its run is being made at the moment
 * @over: it was answered
 * @started: a run came of it, named by @run from then on
 * @stopped: somebody stopped it before that. The run is aborted as it starts; with attachments
 *   none starts
 *
 * Work that another program asks for, until it is answered. To stop it counts as a run from the
 * moment in which the call came: who named its run may stop it in the same breath.
 */
typedef struct
{
  char *sender;
  char *session;
  char *run;
  GPtrArray *same;
  GadgetRun *reading;
  gboolean starting;
  gboolean over;
  gboolean started;
  gboolean stopped;
} GadgetAsking;

GadgetAsking *gadget_asking_new     (const char   *sender,
                                     GVariant     *parameters);
GadgetAsking *gadget_asking_ref     (GadgetAsking *self);
void          gadget_asking_unref   (GadgetAsking *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAsking, gadget_asking_unref)

gboolean      gadget_asking_matches (GadgetAsking *self,
                                     const char   *session_id,
                                     const char   *run_id);
void          gadget_asking_end     (GadgetAsking *self,
                                     const char   *run_id);

G_END_DECLS
