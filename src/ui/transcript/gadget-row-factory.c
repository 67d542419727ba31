/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-factory.h"

#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "ui/transcript/rows/diff/gadget-diff-row.h"
#include "ui/transcript/rows/gadget-aborted-row.h"
#include "ui/transcript/rows/gadget-attachments-row.h"
#include "ui/transcript/rows/gadget-code-fold-row.h"
#include "ui/transcript/rows/gadget-error-row.h"
#include "ui/transcript/rows/gadget-footer-row.h"
#include "ui/transcript/rows/gadget-group-row.h"
#include "ui/transcript/rows/gadget-markdown-row.h"
#include "ui/transcript/rows/gadget-output-row.h"
#include "ui/transcript/rows/gadget-picture-row.h"
#include "ui/transcript/rows/gadget-prompt-row.h"
#include "ui/transcript/rows/gadget-reasoning-row.h"
#include "ui/transcript/rows/gadget-text-row.h"
#include "ui/transcript/rows/gadget-tool-row.h"
#include "ui/transcript/rows/gadget-unsaved-row.h"

static GType
get_row_type (GadgetRowKind kind)
{
  switch (kind)
    {
    case GADGET_ROW_KIND_PROMPT:
    case GADGET_ROW_KIND_STEER:
      return GADGET_TYPE_PROMPT_ROW;
    case GADGET_ROW_KIND_REASONING:
    case GADGET_ROW_KIND_SUMMARY:
      return GADGET_TYPE_REASONING_ROW;
    case GADGET_ROW_KIND_GROUP:
      return GADGET_TYPE_GROUP_ROW;
    case GADGET_ROW_KIND_TOOL:
      return GADGET_TYPE_TOOL_ROW;
    case GADGET_ROW_KIND_DIFF:
      return GADGET_TYPE_DIFF_ROW;
    case GADGET_ROW_KIND_TOOL_OUTPUT:
      return GADGET_TYPE_OUTPUT_ROW;
    case GADGET_ROW_KIND_ATTACHMENTS:
    case GADGET_ROW_KIND_STEER_ATTACHMENTS:
      return GADGET_TYPE_ATTACHMENTS_ROW;
    case GADGET_ROW_KIND_PICTURE:
      return GADGET_TYPE_PICTURE_ROW;
    case GADGET_ROW_KIND_ASK:
      return GADGET_TYPE_ASK_ROW;
    case GADGET_ROW_KIND_ABORTED:
      return GADGET_TYPE_ABORTED_ROW;
    case GADGET_ROW_KIND_ERROR:
      return GADGET_TYPE_ERROR_ROW;
    case GADGET_ROW_KIND_UNSAVED:
      return GADGET_TYPE_UNSAVED_ROW;
    case GADGET_ROW_KIND_FOOTER:
      return GADGET_TYPE_FOOTER_ROW;
    case GADGET_ROW_KIND_TEXT:
    case GADGET_ROW_KIND_NOTE:
      return GADGET_TYPE_MARKDOWN_ROW;
    case GADGET_ROW_KIND_REASONING_TEXT:
    case GADGET_ROW_KIND_TOOL_ARGUMENTS:
    default:
      return GADGET_TYPE_TEXT_ROW;
    }
}

GtkWidget *
gadget_row_new (GadgetRowData *data)
{
  GadgetRow *self;

  g_return_val_if_fail (GADGET_IS_ROW_DATA (data), NULL);

  self = g_object_new (gadget_row_data_get_folded (data)
                           ? GADGET_TYPE_CODE_FOLD_ROW
                           : get_row_type (gadget_row_data_get_kind (data)),
                       NULL);
  gadget_row_bind (self, data);
  return GTK_WIDGET (self);
}
