/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

G_BEGIN_DECLS

#define GADGET_TYPE_STOP_CONTROL (gadget_stop_control_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStopControl, gadget_stop_control, GADGET, STOP_CONTROL, GObject)

/* After its meaning changed, the button does not listen to the pointer for that long. */
#define GADGET_STOP_GUARD_MS 400

/* Only a settling that takes longer than that draws "Aborting…". */
#define GADGET_STOP_DRAW_MS 150

/**
 * GadgetStopPhase:
 * @GADGET_STOP_PHASE_IDLE: nothing runs: a message can be sent
 * @GADGET_STOP_PHASE_RUNNING: a turn runs and heeds an abort
 * @GADGET_STOP_PHASE_ABORTING: it was told to stop and settles
 * @GADGET_STOP_PHASE_SEALING: its outcome is fixed, it cannot be aborted any more, and settles
 *
 * What the session's work is doing, as far as the button is concerned.
 */
typedef enum
{
  GADGET_STOP_PHASE_IDLE,
  GADGET_STOP_PHASE_RUNNING,
  GADGET_STOP_PHASE_ABORTING,
  GADGET_STOP_PHASE_SEALING,
} GadgetStopPhase;

/* What the button shows. */
typedef enum
{
  GADGET_STOP_FACE_SEND,
  GADGET_STOP_FACE_CANCEL,
  GADGET_STOP_FACE_ABORTING,
} GadgetStopFace;

/* What a press of the button means. */
typedef enum
{
  GADGET_STOP_ACT_NONE,
  GADGET_STOP_ACT_SEND,
  GADGET_STOP_ACT_CANCEL,
} GadgetStopAct;

/* The logic of the one button that sends and stops, without a widget. Signal "changed": the face
 * or the sensitivity is another one. */
GadgetStopControl *gadget_stop_control_new           (GadgetClock       *clock);
void               gadget_stop_control_set_phase     (GadgetStopControl *self,
                                                      GadgetStopPhase    phase);
GadgetStopPhase    gadget_stop_control_get_phase     (GadgetStopControl *self);
GadgetStopFace     gadget_stop_control_get_face      (GadgetStopControl *self);
gboolean           gadget_stop_control_get_sensitive (GadgetStopControl *self);
gboolean           gadget_stop_control_is_guarded    (GadgetStopControl *self);
GadgetStopAct      gadget_stop_control_press         (GadgetStopControl *self,
                                                      gboolean           by_pointer);

G_END_DECLS
