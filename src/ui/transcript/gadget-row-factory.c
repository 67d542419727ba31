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

typedef struct
{
  GType (*get_type) (void);
  GadgetRowEstimate estimate;
  int height;
} Widget;

static const Widget widgets[] = {
  [GADGET_ROW_KIND_PROMPT] = { gadget_prompt_row_get_type, GADGET_ROW_ESTIMATE_BUBBLE, 24 },
  [GADGET_ROW_KIND_STEER] = { gadget_prompt_row_get_type, GADGET_ROW_ESTIMATE_BUBBLE, 24 },
  [GADGET_ROW_KIND_ATTACHMENTS] = { gadget_attachments_row_get_type,
                                    GADGET_ROW_ESTIMATE_ATTACHMENTS, 0 },
  [GADGET_ROW_KIND_STEER_ATTACHMENTS] = { gadget_attachments_row_get_type,
                                          GADGET_ROW_ESTIMATE_ATTACHMENTS, 0 },
  [GADGET_ROW_KIND_TEXT] = { gadget_markdown_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_NOTE] = { gadget_markdown_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_REASONING] = { gadget_reasoning_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 28 },
  [GADGET_ROW_KIND_REASONING_TEXT] = { gadget_text_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_SUMMARY] = { gadget_reasoning_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 28 },
  [GADGET_ROW_KIND_GROUP] = { gadget_group_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 28 },
  [GADGET_ROW_KIND_TOOL] = { gadget_tool_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 28 },
  [GADGET_ROW_KIND_TOOL_ARGUMENTS] = { gadget_text_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_TOOL_OUTPUT] = { gadget_output_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_DIFF] = { gadget_diff_row_get_type, GADGET_ROW_ESTIMATE_TEXT, 0 },
  [GADGET_ROW_KIND_PICTURE] = { gadget_picture_row_get_type, GADGET_ROW_ESTIMATE_PICTURE, 0 },
  [GADGET_ROW_KIND_ASK] = { gadget_ask_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 132 },
  [GADGET_ROW_KIND_ABORTED] = { gadget_aborted_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 132 },
  [GADGET_ROW_KIND_ERROR] = { gadget_error_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 132 },
  [GADGET_ROW_KIND_UNSAVED] = { gadget_unsaved_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 132 },
  [GADGET_ROW_KIND_FOOTER] = { gadget_footer_row_get_type, GADGET_ROW_ESTIMATE_HEIGHT, 18 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (widgets) == GADGET_N_ROW_KINDS);

GtkWidget *
gadget_row_factory_new_row (GadgetRowData *data)
{
  GType type;
  GadgetRow *self;

  g_return_val_if_fail (GADGET_IS_ROW_DATA (data), NULL);

  type = gadget_row_data_get_folded (data) ? GADGET_TYPE_CODE_FOLD_ROW
                                           : widgets[gadget_row_data_get_kind (data)].get_type ();
  self = g_object_new (type, NULL);
  gadget_row_bind (self, data);
  return GTK_WIDGET (self);
}

GadgetRowEstimate
gadget_row_factory_get_estimate (GadgetRowKind kind)
{
  return widgets[kind].estimate;
}

int
gadget_row_factory_get_height (GadgetRowKind kind)
{
  return widgets[kind].height;
}
