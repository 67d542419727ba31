/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

G_BEGIN_DECLS

#define GADGET_TYPE_STOP_CONTROL (gadget_stop_control_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStopControl, gadget_stop_control, GADGET, STOP_CONTROL, GObject)

/* How long the button ignores the pointer after its meaning has changed, in milliseconds. */
#define GADGET_STOP_GUARD_MS 400

/* "Aborting…" is shown only when an abort takes longer than this, in milliseconds. */
#define GADGET_STOP_DRAW_MS 150

/**
 * GadgetStopPhase:
 * @GADGET_STOP_PHASE_IDLE: nothing runs: a message can be sent
 * @GADGET_STOP_PHASE_RUNNING: a turn runs and can be aborted
 * @GADGET_STOP_PHASE_ABORTING: the turn was told to stop, and settles
 * @GADGET_STOP_PHASE_SEALING: the outcome of the turn is fixed; it cannot be aborted any more, and
 *   settles
 *
 * The state of the session's work, as the button needs it.
 */
typedef enum
{
  GADGET_STOP_PHASE_IDLE,
  GADGET_STOP_PHASE_RUNNING,
  GADGET_STOP_PHASE_ABORTING,
  GADGET_STOP_PHASE_SEALING,
} GadgetStopPhase;

/* The state of the button: its icon and label. */
typedef enum
{
  GADGET_STOP_STATE_SEND,
  GADGET_STOP_STATE_CANCEL,
  GADGET_STOP_STATE_ABORTING,
} GadgetStopState;

/* The action of a press of the button. */
typedef enum
{
  GADGET_STOP_ACTION_NONE,
  GADGET_STOP_ACTION_SEND,
  GADGET_STOP_ACTION_CANCEL,
} GadgetStopAction;

/* The logic of the button that sends and stops, without a widget. Signal "changed": the state or the
 * sensitivity has changed. */
GadgetStopControl *gadget_stop_control_new           (GadgetClock       *clock);
void               gadget_stop_control_set_phase     (GadgetStopControl *self,
                                                      GadgetStopPhase    phase);
GadgetStopPhase    gadget_stop_control_get_phase     (GadgetStopControl *self);
GadgetStopState    gadget_stop_control_get_state     (GadgetStopControl *self);
gboolean           gadget_stop_control_get_sensitive (GadgetStopControl *self);
gboolean           gadget_stop_control_is_guarded    (GadgetStopControl *self);
GadgetStopAction   gadget_stop_control_press         (GadgetStopControl *self,
                                                      gboolean           by_pointer);

G_END_DECLS
