/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-operation-labels.h"

#include <glib/gi18n.h>

const char *
gadget_operation_labels_get_icon (GadgetReceiptKind kind)
{
  switch (kind)
    {
    case GADGET_RECEIPT_CONNECTION:
      return "network-transmit-receive-symbolic";
    case GADGET_RECEIPT_PROCESS:
      return "utilities-terminal-symbolic";
    case GADGET_RECEIPT_SUBAGENT:
      return "system-users-symbolic";
    case GADGET_RECEIPT_QUESTION:
      return "dialog-question-symbolic";
    case GADGET_RECEIPT_KEYRING:
      return "dialog-password-symbolic";
    case GADGET_RECEIPT_RETRY:
      return "view-refresh-symbolic";
    case GADGET_RECEIPT_REPLY:
      return "document-edit-symbolic";
    case GADGET_RECEIPT_TOOL:
    case GADGET_RECEIPT_MCP:
    default:
      return "system-run-symbolic";
    }
}

const char *
gadget_operation_labels_get_kind (GadgetReceiptKind kind)
{
  switch (kind)
    {
    case GADGET_RECEIPT_CONNECTION:
      return _ ("Connection");
    case GADGET_RECEIPT_PROCESS:
      return _ ("Command");
    case GADGET_RECEIPT_SUBAGENT:
      return _ ("Subagent");
    case GADGET_RECEIPT_QUESTION:
      return _ ("Waiting for you");
    case GADGET_RECEIPT_KEYRING:
      return _ ("Keyring");
    case GADGET_RECEIPT_RETRY:
      return _ ("Waiting to Retry");
    case GADGET_RECEIPT_REPLY:
      return _ ("Reply");
    case GADGET_RECEIPT_MCP:
      return _ ("MCP tool");
    case GADGET_RECEIPT_TOOL:
    default:
      return _ ("Tool");
    }
}
