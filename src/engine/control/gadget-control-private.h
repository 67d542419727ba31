/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the parts of GadgetControl, which shows the registry on D-Bus. */

#pragma once

#include "gadget-caller.h"
#include "gadget-control.h"
#include "gadget-pending-request.h"
#include "gadget-remote-run-watcher.h"
#include "gadget-run-record.h"

G_BEGIN_DECLS

#define GADGET_CONTROL_LEAVING "Gadget leaves the bus"

struct _GadgetControl
{
  GObject parent_instance;

  GadgetEngine *engine;
  GDBusConnection *connection; /* NULL while it is on no bus */
  guint registration;
  GadgetRemoteRunWatcher *remote_watcher; /* (nullable): on a bus, with a store */
  gboolean opening;                  /* the engine is not open yet, so calls wait in early */
  char *failure;                     /* (nullable): why the engine could not be opened */
  GQueue early;                      /* of GDBusMethodInvocation: calls that wait for the engine */
  gboolean accepts_work;                   /* whether other programs may ask for work */
  GadgetShrinkFunc shrink;           /* (nullable) */
  GPtrArray *records;                /* (element-type GadgetRunRecord) */
  GPtrArray *subscribers;            /* see gadget-control-subscribers.c */
  GPtrArray *requests;               /* (element-type GadgetPendingRequest): requests without a
                                      * reply */
};

/* A method call whose caller is being identified, or that waits for something else. */
typedef struct _GadgetControlCall GadgetControlCall;
typedef void (*GadgetControlCallFunc) (GadgetControlCall *call, GadgetCaller caller);
struct _GadgetControlCall
{
  GadgetControl *control;
  GDBusMethodInvocation *invocation;
  GStrv runs;                    /* ids of the runs that the call names, or that match it */
  gboolean named;                /* the call names a session or run that exists here */
  gboolean all;                  /* the call stops everything */
  GVariant *parameters;          /* (nullable) */
  GadgetPendingRequest *request; /* (nullable): only for Ask */
  GPtrArray *matching_requests;              /* (nullable) (element-type GadgetPendingRequest): stopped as
                                  * well */
  GHashTable *aborted;           /* (nullable) (element-type utf8): ids of the runs stopped so
                                  * far */
  gboolean any_aborted;          /* something was stopped, which need not be a run */
  GadgetCaller caller;           /* set when the call continues later */
  GadgetControlCallFunc func;
};

/* Returns the record of a run of this process (transfer none) (nullable). */
GadgetRunRecord   *_gadget_control_find_record     (GadgetControl         *self,
                                                    const char            *run_id);

/* Send the only reply of a call: a value (floating; NULL for none) or an error. _get_sender () is
 * the unique name of the caller (nullable). _is_open () returns whether the caller may see and stop
 * the run; without a record only the user may. */
void               _gadget_control_call_answer     (GadgetControlCall     *call,
                                                    GVariant              *value);
void               _gadget_control_call_refuse     (GadgetControlCall     *call,
                                                    GadgetControlError     code,
                                                    const char            *message);
const char        *_gadget_control_call_get_sender (GadgetControlCall     *call);
gboolean           _gadget_control_call_is_open    (GadgetControlCall     *call,
                                                    const char            *run_id,
                                                    GadgetCaller           caller);

/* Moves the invocation and the request to a new call, which can outlive the callback that
 * identified the caller. */
GadgetControlCall *_gadget_control_call_steal      (GadgetControlCall     *call);
void               _gadget_control_call_free       (GadgetControlCall     *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetControlCall, _gadget_control_call_free)

/* The methods Ask and Answer. */
void               _gadget_control_ask             (GadgetControlCall     *call,
                                                    GadgetCaller           caller);
void               _gadget_control_answer          (GadgetControlCall     *call,
                                                    GadgetCaller           caller);

/* The method StopTool. */
void               _gadget_control_stop_tool       (GadgetControlCall     *call,
                                                    GadgetCaller           caller);

/* The methods Subscribe and Unsubscribe, and signals to the subscribers. _emit () takes floating
 * parameters and sends a signal only to those who may see the run. */
GPtrArray         *_gadget_control_subscribers_new (void);
void               _gadget_control_subscribe       (GadgetControlCall     *call,
                                                    GadgetCaller           caller);
void               _gadget_control_unsubscribe     (GadgetControlCall     *call,
                                                    GadgetCaller           caller);
void               _gadget_control_emit            (GadgetControl         *self,
                                                    const GadgetRunRecord *record,
                                                    const char            *name,
                                                    GVariant              *parameters);

/* The method Wait. */
void               _gadget_control_wait            (GadgetControlCall     *call,
                                                    GadgetCaller           caller);

G_END_DECLS
