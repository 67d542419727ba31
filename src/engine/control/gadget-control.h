/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "attach/gadget-attachment-reader.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CONTROL (gadget_control_get_type ())
G_DECLARE_FINAL_TYPE (GadgetControl, gadget_control, GADGET, CONTROL, GObject)

#define GADGET_CONTROL_PATH "/io/github/gadgetchat/Gadget/Agent"
#define GADGET_CONTROL_INTERFACE "io.github.gadgetchat.Gadget.Agent1"

/* Between the application id and the digits in the bus names of gadget-cli's runs. */
#define GADGET_CONTROL_CLI_INFIX ".Cli.r"

#define GADGET_CONTROL_ERROR (gadget_control_error_quark ())
GQuark         gadget_control_error_quark   (void);

/**
 * GadgetControlError:
 * @GADGET_CONTROL_ERROR_FAILED: any other error
 * @GADGET_CONTROL_ERROR_NOT_FOUND: there is no such run, session, provider, question or file
 * @GADGET_CONTROL_ERROR_ACCESS_DENIED: the run or session is not the caller's
 * @GADGET_CONTROL_ERROR_EXISTS: a run of that id has ended already
 * @GADGET_CONTROL_ERROR_BUSY: a turn is going on in the chat
 * @GADGET_CONTROL_ERROR_INVALID: an option, an attachment or an answer is not valid
 * @GADGET_CONTROL_ERROR_ABORTED: the request was stopped before its turn started
 *
 * The errors of the D-Bus interface. Their names on the bus are
 * "io.github.gadgetchat.Gadget.Error.Failed" and so on.
 */
typedef enum
{
  GADGET_CONTROL_ERROR_FAILED,
  GADGET_CONTROL_ERROR_NOT_FOUND,
  GADGET_CONTROL_ERROR_ACCESS_DENIED,
  GADGET_CONTROL_ERROR_EXISTS,
  GADGET_CONTROL_ERROR_BUSY,
  GADGET_CONTROL_ERROR_INVALID,
  GADGET_CONTROL_ERROR_ABORTED,
} GadgetControlError;

/* The engine's runs on D-Bus. Other programs can start, follow, answer, await and stop them.
 * Signal:
 *
 *   wanted ()   a call arrived while the engine is not open; only for the first one that waits */
GadgetControl *gadget_control_new           (GadgetEngine    *engine);
void           gadget_control_set_taking    (GadgetControl   *self,
                                             gboolean         accepts_work);
/* Sets the function that shrinks pictures that are too large; without it they are refused. */
void           gadget_control_set_shrink    (GadgetControl   *self,
                                             GadgetShrinkFunc shrink);

/* Between these two, calls wait for an engine that is about to be opened. */
void           gadget_control_begin_opening (GadgetControl   *self);
void           gadget_control_end_opening   (GadgetControl   *self,
                                             const GError    *error);
gboolean       gadget_control_export        (GadgetControl   *self,
                                             GDBusConnection *connection,
                                             GError         **error);
void           gadget_control_unexport      (GadgetControl   *self);

/* Returns the bus name under which gadget-cli makes a run visible (transfer full). */
char          *gadget_control_dup_cli_name  (const char      *run_id);

G_END_DECLS
