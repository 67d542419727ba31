/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: one face of the registry in several files. */

#pragma once

#include "gadget-asking.h"
#include "gadget-caller.h"
#include "gadget-control.h"
#include "gadget-elsewhere.h"
#include "gadget-known-run.h"

G_BEGIN_DECLS

#define GADGET_CONTROL_LEAVING "Gadget leaves the bus"

struct _GadgetControl
{
  GObject parent_instance;

  GadgetEngine *engine;
  GDBusConnection *connection; /* NULL while it is on no bus */
  guint registration;
  GadgetElsewhere *elsewhere; /* as long as it is on a bus, and the engine has a store */
  gboolean opening; /* the engine is not open yet: calls wait */
  char *failure;    /* (nullable): why it could not be opened */
  GQueue early;     /* of GDBusMethodInvocation: those that came meanwhile */
  gboolean taking;  /* whether others may ask it for work */
  GadgetShrinkFunc shrink; /* (nullable) */
  GPtrArray *known;  /* (element-type GadgetKnownRun) */
  GPtrArray *subscribers; /* see gadget-control-subscribers.c */
  GPtrArray *asking; /* (element-type GadgetAsking): those that are not answered yet */
};

/* A call that waits to hear who made it. */
typedef struct _GadgetControlCall GadgetControlCall;
typedef void (*GadgetControlCallFunc) (GadgetControlCall *call, GadgetCaller caller);
struct _GadgetControlCall
{
  GadgetControl *control;
  GDBusMethodInvocation *invocation;
  GStrv runs;
  gboolean named;
  gboolean all;         /* a stop of everything */
  GVariant *parameters; /* (nullable) */
  GadgetAsking *asking; /* (nullable): of Ask */
  GPtrArray *asked;     /* (nullable) (element-type GadgetAsking): which a stop means as well */
  GHashTable *aborted;  /* (nullable) (element-type utf8): what a stop stopped so far */
  gboolean any_aborted; /* it stopped something, which need not be a run */
  GadgetCaller caller;  /* of one that goes on later */
  GadgetControlCallFunc func;
};

GadgetKnownRun    *_gadget_control_find_known      (GadgetControl      *self,
                                                    const char         *run_id);

/* The one answer of a call. */
void               _gadget_control_call_answer     (GadgetControlCall  *call,
                                                    GVariant           *value);
void               _gadget_control_call_refuse     (GadgetControlCall  *call,
                                                    GadgetControlError  code,
                                                    const char         *message);
const char        *_gadget_control_call_get_sender (GadgetControlCall  *call);
gboolean           _gadget_control_call_is_open    (GadgetControlCall  *call,
                                                    const char         *run_id,
                                                    GadgetCaller        caller);

/* For what goes on after it was told who calls. */
GadgetControlCall *_gadget_control_call_steal      (GadgetControlCall  *call);
void               _gadget_control_call_free       (GadgetControlCall  *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetControlCall, _gadget_control_call_free)

/* The methods that put something in. */
void               _gadget_control_ask             (GadgetControlCall  *call,
                                                    GadgetCaller        caller);
void               _gadget_control_answer          (GadgetControlCall  *call,
                                                    GadgetCaller        caller);

void               _gadget_control_stop_tool       (GadgetControlCall  *call,
                                                    GadgetCaller        caller);

/* Signals. */
GPtrArray         *_gadget_control_subscribers_new (void);
void               _gadget_control_subscribe       (GadgetControlCall  *call,
                                                    GadgetCaller        caller);
void               _gadget_control_unsubscribe     (GadgetControlCall  *call,
                                                    GadgetCaller        caller);
void               _gadget_control_emit            (GadgetControl      *self,
                                                    const GadgetKnownRun *known,
                                                    const char         *name,
                                                    GVariant           *parameters);

void               _gadget_control_wait            (GadgetControlCall  *call,
                                                    GadgetCaller        caller);

G_END_DECLS
