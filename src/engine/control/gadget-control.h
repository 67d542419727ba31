/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "attach/gadget-attachment-reader.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CONTROL (gadget_control_get_type ())
G_DECLARE_FINAL_TYPE (GadgetControl, gadget_control, GADGET, CONTROL, GObject)

#define GADGET_CONTROL_PATH "/io/github/gadgetchat/Gadget/Agent"
#define GADGET_CONTROL_INTERFACE "io.github.gadgetchat.Gadget.Agent1"

/* The infix, after the application id, of the bus names of gadget-cli's runs. */
#define GADGET_CONTROL_CLI_INFIX ".Cli.r"

#define GADGET_CONTROL_ERROR (gadget_control_error_quark ())
GQuark gadget_control_error_quark (void);

/**
 * GadgetControlError:
 * @GADGET_CONTROL_ERROR_FAILED: anything else
 * @GADGET_CONTROL_ERROR_NOT_FOUND: there is no such run, session, provider, question or file
 * @GADGET_CONTROL_ERROR_ACCESS_DENIED: it is not the caller's
 * @GADGET_CONTROL_ERROR_EXISTS: a run of that id has ended already
 * @GADGET_CONTROL_ERROR_BUSY: the chat works on something
 * @GADGET_CONTROL_ERROR_INVALID: an option, an attachment or an answer cannot be
 * @GADGET_CONTROL_ERROR_ABORTED: it was stopped before anything came of it
 *
 * On the bus "io.github.gadgetchat.Gadget.Error.Failed" and so on.
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

/* The engine's runs on D-Bus: started, followed, answered, waited for and stopped by other programs.
 */
GadgetControl *gadget_control_new      (GadgetEngine     *engine);
void           gadget_control_set_taking (GadgetControl  *self,
                                        gboolean          taking);
/* How pictures that are too large are made smaller; without it they are refused. */
void           gadget_control_set_shrink (GadgetControl  *self,
                                        GadgetShrinkFunc  shrink);

/* Calls wait from now on for an engine that is about to be opened, and are answered then; or
 * refused, with why it could not be. Signal: "wanted", with the first call that waits. */
void           gadget_control_begin_opening (GadgetControl *self);
void           gadget_control_end_opening (GadgetControl  *self,
                                        const GError      *error);
gboolean       gadget_control_export   (GadgetControl    *self,
                                        GDBusConnection  *connection,
                                        GError          **error);
void           gadget_control_unexport (GadgetControl    *self);

/* The bus name under which gadget-cli makes a run visible. (transfer full) */
char          *gadget_control_dup_cli_name (const char   *run_id);

G_END_DECLS
