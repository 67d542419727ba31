/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-run.h"

G_BEGIN_DECLS

/**
 * GadgetPendingRequest:
 * @sender: (nullable): the unique name of the program that asks
 * @session: the id of the session; "" for a new chat
 * @run: the id that the run will have; "" when it is not known before the run starts
 * @duplicates: (element-type GadgetMethodCall): calls for the same run, which get the same reply
 * @accepted: the caller may ask for this run; from then on other calls may wait for its reply
 * @reading: (nullable): the run that reads the attachments, while it does
 * @starting: the run is being created at the moment
 * @over: the request has its reply
 * @started: a run was started; @run is its id from then on
 * @stopped: the request was stopped before a run started. The run is aborted as it starts; with
 *   attachments no run starts
 *
 * A request of another program for work, until it has its reply. To a stop it counts as a run from
 * the moment the call arrived, so a program that chose the run's id may stop it immediately after.
 * Reference counted.
 */
typedef struct
{
  char *sender;
  char *session;
  char *run;
  GPtrArray *duplicates;
  gboolean accepted;
  GadgetRun *reading;
  gboolean starting;
  gboolean over;
  gboolean started;
  gboolean stopped;
} GadgetPendingRequest;

/* Creates a request, and counts the references to it. */
GadgetPendingRequest *gadget_pending_request_new     (const char           *sender,
                                                      GVariant             *parameters);
GadgetPendingRequest *gadget_pending_request_ref     (GadgetPendingRequest *self);
void                  gadget_pending_request_unref   (GadgetPendingRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPendingRequest, gadget_pending_request_unref)

gboolean              gadget_pending_request_matches (GadgetPendingRequest *self,
                                                      const char           *session_id,
                                                      const char           *run_id);
void                  gadget_pending_request_end     (GadgetPendingRequest *self,
                                                      const char           *run_id);

G_END_DECLS
