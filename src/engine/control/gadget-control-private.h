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
  gboolean engine_pending;      /* the engine is not open, so calls wait in deferred_calls */
  char *failure;                /* (nullable): why the engine could not be opened */
  GQueue deferred_calls;        /* of GDBusMethodInvocation */
  gboolean accepts_work;        /* whether other programs may ask for work */
  GadgetPictureFileFunc shrink; /* (nullable) */
  GPtrArray *records;           /* (element-type GadgetRunRecord) */
  GPtrArray *subscribers;       /* see gadget-control-subscribers.c */
  GPtrArray *requests;          /* (element-type GadgetPendingRequest): requests without a reply, in
                                 * the order in which they came */
};

/* The targets of a call to Abort; see gadget-control-abort.c. */
typedef struct _GadgetAbortTargets GadgetAbortTargets;

/* A call of another program, from its arrival to its reply. Reference counted, on the main context
 * only: a method that replies later keeps a reference until then. */
typedef struct _GadgetMethodCall GadgetMethodCall;
typedef void (*GadgetMethodFunc) (GadgetMethodCall *call);
struct _GadgetMethodCall
{
  GadgetControl *control;
  GDBusMethodInvocation *invocation; /* NULL once the call has its reply */
  GadgetMethodFunc func;             /* is called when the caller is identified */
  GadgetCaller caller;               /* valid from then on */
  GadgetAbortTargets *targets;       /* (nullable): only for Abort */
  GadgetPendingRequest *request;     /* (nullable): only for Ask */
};

GadgetMethodCall *_gadget_method_call_ref            (GadgetMethodCall      *call);
void              _gadget_method_call_unref          (GadgetMethodCall      *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMethodCall, _gadget_method_call_unref)

/* Send the only reply of a call: a value (floating; NULL for none) or an error. */
void              _gadget_method_call_return         (GadgetMethodCall      *call,
                                                      GVariant              *value);
void              _gadget_method_call_return_error   (GadgetMethodCall      *call,
                                                      GadgetControlError     code,
                                                      const char            *message);

/* Return the parameters, and the unique name of the caller (nullable), while the call has no reply.
 * (transfer none) */
GVariant         *_gadget_method_call_get_parameters (GadgetMethodCall      *call);
const char       *_gadget_method_call_get_sender     (GadgetMethodCall      *call);

/* Returns whether the caller may see and stop the run; without a record only the user may. */
gboolean          _gadget_method_call_may_access     (GadgetMethodCall      *call,
                                                      const char            *run_id);

/* Returns the record of a run of this process (transfer none) (nullable). */
GadgetRunRecord  *_gadget_control_find_record        (GadgetControl         *self,
                                                      const char            *run_id);

/* The method Abort. Its targets are looked up when the call arrives. */
void              _gadget_control_prepare_abort      (GadgetMethodCall      *call);
void              _gadget_control_abort              (GadgetMethodCall      *call);
void              _gadget_abort_targets_free         (GadgetAbortTargets    *self);

/* The methods Ask, Answer and StopTool. To a stop, what was asked counts from its arrival. */
void              _gadget_control_prepare_ask        (GadgetMethodCall      *call);
void              _gadget_control_ask                (GadgetMethodCall      *call);
void              _gadget_control_answer             (GadgetMethodCall      *call);
void              _gadget_control_stop_tool          (GadgetMethodCall      *call);

/* The methods Subscribe and Unsubscribe, and signals to the subscribers. _emit () takes floating
 * parameters and sends a signal only to those who may see the run. */
GPtrArray        *_gadget_control_subscribers_new    (void);
void              _gadget_control_subscribe          (GadgetMethodCall      *call);
void              _gadget_control_unsubscribe        (GadgetMethodCall      *call);
void              _gadget_control_emit               (GadgetControl         *self,
                                                      const GadgetRunRecord *record,
                                                      const char            *name,
                                                      GVariant              *parameters);

/* The method Wait. */
void              _gadget_control_wait               (GadgetMethodCall      *call);

G_END_DECLS
