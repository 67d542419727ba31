/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-kind.h"

typedef struct
{
  GadgetRowText text;
  GadgetRowFlags flags;
} Kind;

static const Kind kinds[] = {
  [GADGET_ROW_KIND_PROMPT] = { GADGET_ROW_TEXT_PROMPT, GADGET_ROW_OF_TURN },
  [GADGET_ROW_KIND_STEER] = { GADGET_ROW_TEXT_ITEM, 0 },
  [GADGET_ROW_KIND_ATTACHMENTS] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_OF_TURN },
  [GADGET_ROW_KIND_STEER_ATTACHMENTS] = { GADGET_ROW_TEXT_NONE, 0 },
  [GADGET_ROW_KIND_TEXT] = { GADGET_ROW_TEXT_ITEM, GADGET_ROW_MARKDOWN },
  [GADGET_ROW_KIND_NOTE] = { GADGET_ROW_TEXT_ITEM, GADGET_ROW_MARKDOWN },
  [GADGET_ROW_KIND_REASONING] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_LINE },
  [GADGET_ROW_KIND_REASONING_TEXT] = { GADGET_ROW_TEXT_ITEM, GADGET_ROW_DETAIL },
  [GADGET_ROW_KIND_SUMMARY] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_LINE },
  [GADGET_ROW_KIND_GROUP] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_LINE },
  [GADGET_ROW_KIND_TOOL] = { GADGET_ROW_TEXT_CALL, GADGET_ROW_LINE },
  [GADGET_ROW_KIND_TOOL_ARGUMENTS] = { GADGET_ROW_TEXT_ARGUMENTS, GADGET_ROW_DETAIL },
  [GADGET_ROW_KIND_TOOL_OUTPUT] = { GADGET_ROW_TEXT_OUTPUT, GADGET_ROW_DETAIL },
  [GADGET_ROW_KIND_DIFF] = { GADGET_ROW_TEXT_ITEM, GADGET_ROW_DETAIL },
  [GADGET_ROW_KIND_PICTURE] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_DETAIL },
  [GADGET_ROW_KIND_ASK] = { GADGET_ROW_TEXT_NONE, 0 },
  [GADGET_ROW_KIND_ABORTED] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_OF_TURN },
  [GADGET_ROW_KIND_ERROR] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_OF_TURN },
  [GADGET_ROW_KIND_UNSAVED] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_OF_TURN },
  [GADGET_ROW_KIND_FOOTER] = { GADGET_ROW_TEXT_NONE, GADGET_ROW_OF_TURN },
};

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == GADGET_N_ROW_KINDS);

/* What the table says of a kind: gadget_row_kind_get_text () which text its rows show parts of,
 * gadget_row_kind_is_of_turn () whether they stand for a whole turn and not for an item,
 * gadget_row_kind_is_markdown () whether that text is Markdown, gadget_row_kind_is_line () whether
 * they are single quiet lines, gadget_row_kind_is_detail () whether they are seen only while their
 * line is unfolded. */
GadgetRowText
gadget_row_kind_get_text (GadgetRowKind kind)
{
  return kinds[kind].text;
}

gboolean
gadget_row_kind_is_of_turn (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_OF_TURN) != 0;
}

gboolean
gadget_row_kind_is_markdown (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_MARKDOWN) != 0;
}

gboolean
gadget_row_kind_is_line (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_LINE) != 0;
}

gboolean
gadget_row_kind_is_detail (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_DETAIL) != 0;
}
