/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_IMPORT_ERROR (gadget_import_error_quark ())
GQuark gadget_import_error_quark (void);

/**
 * GadgetImportError:
 * @GADGET_IMPORT_ERROR_UNKNOWN: the file is none of those that can be imported
 * @GADGET_IMPORT_ERROR_DAMAGED: the file is damaged, or does not deserve the trust that reading on
 *   would need
 * @GADGET_IMPORT_ERROR_IN_USE: another program writes to the file
 *
 * Errors of the domain %GADGET_IMPORT_ERROR. Their messages are for the user.
 */
typedef enum
{
  GADGET_IMPORT_ERROR_UNKNOWN,
  GADGET_IMPORT_ERROR_DAMAGED,
  GADGET_IMPORT_ERROR_IN_USE,
} GadgetImportError;

G_END_DECLS
