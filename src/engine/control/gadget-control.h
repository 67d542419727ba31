/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-control-interface.h"
#include "agent/gadget-engine.h"
#include "attach/gadget-attachment-reader.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CONTROL (gadget_control_get_type ())
G_DECLARE_FINAL_TYPE (GadgetControl, gadget_control, GADGET, CONTROL, GObject)

/* The engine's runs on D-Bus. Other programs can start, follow, answer, await and stop them.
 * Signal:
 *
 *   open-requested ()   a call arrived while the engine is not open; only for the first one that waits */
GadgetControl *gadget_control_new              (GadgetEngine         *engine);
void           gadget_control_set_accepts_work (GadgetControl        *self,
                                                gboolean              accepts_work);
/* Sets the function that shrinks pictures that are too large; without it they are refused. */
void           gadget_control_set_shrink       (GadgetControl        *self,
                                                GadgetPictureFileFunc shrink);

/* Between these two, calls wait for an engine that is about to be opened. */
void           gadget_control_begin_opening    (GadgetControl        *self);
void           gadget_control_end_opening      (GadgetControl        *self,
                                                const GError         *error);
gboolean       gadget_control_export           (GadgetControl        *self,
                                                GDBusConnection      *connection,
                                                GError              **error);
void           gadget_control_unexport         (GadgetControl        *self);

/* Returns the bus name under which gadget-cli makes a run visible (transfer full). */
char          *gadget_control_dup_cli_name     (const char           *run_id);

G_END_DECLS
