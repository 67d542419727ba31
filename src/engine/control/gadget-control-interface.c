/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-interface.h"

#include <gio/gio.h>

static const GDBusErrorEntry error_entries[] = {
  { GADGET_CONTROL_ERROR_FAILED, "io.github.gadgetchat.Gadget.Error.Failed" },
  { GADGET_CONTROL_ERROR_NOT_FOUND, "io.github.gadgetchat.Gadget.Error.NotFound" },
  { GADGET_CONTROL_ERROR_ACCESS_DENIED, "io.github.gadgetchat.Gadget.Error.AccessDenied" },
  { GADGET_CONTROL_ERROR_EXISTS, "io.github.gadgetchat.Gadget.Error.Exists" },
  { GADGET_CONTROL_ERROR_BUSY, "io.github.gadgetchat.Gadget.Error.Busy" },
  { GADGET_CONTROL_ERROR_INVALID, "io.github.gadgetchat.Gadget.Error.Invalid" },
  { GADGET_CONTROL_ERROR_ABORTED, "io.github.gadgetchat.Gadget.Error.Aborted" },
};

/**
 * gadget_control_error_quark:
 *
 * Returns: the domain of #GadgetControlError. The first call registers the names that the errors
 *   have on the bus
 */
GQuark
gadget_control_error_quark (void)
{
  static gsize quark;

  g_dbus_error_register_error_domain ("gadget-control-error-quark", &quark, error_entries,
                                      G_N_ELEMENTS (error_entries));
  return (GQuark) quark;
}
