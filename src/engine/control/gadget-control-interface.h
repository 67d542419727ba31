/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The names and errors of the D-Bus interface, for both of its sides. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_CONTROL_PATH "/io/github/gadgetchat/Gadget/Agent"
#define GADGET_CONTROL_INTERFACE "io.github.gadgetchat.Gadget.Agent1"

/* Between the application id and the digits in the bus names of gadget-cli's runs. */
#define GADGET_CONTROL_CLI_INFIX ".Cli.r"

#define GADGET_CONTROL_ERROR (gadget_control_error_quark ())
GQuark gadget_control_error_quark (void);

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

G_END_DECLS
