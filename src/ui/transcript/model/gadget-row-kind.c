/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-kind.h"

typedef struct
{
  const char *name;
  GadgetRowText text;
  GadgetRowFlags flags;
} Kind;

static const Kind kinds[] = {
#define KIND(name, widget, text, flag, estimate, height)                                           \
  { #name, GADGET_ROW_TEXT_##text, GADGET_ROW_FLAG_##flag },
  GADGET_ROW_KINDS (KIND)
#undef KIND
};

/* gadget_row_kind_to_string: returns the name of the kind, which may be stored. */
const char *
gadget_row_kind_to_string (GadgetRowKind kind)
{
  return kinds[kind].name;
}

/* gadget_row_kind_from_string: returns %GADGET_N_ROW_KINDS for what is no name of a kind. */
GadgetRowKind
gadget_row_kind_from_string (const char *name)
{
  guint kind = 0;

  while (kind < GADGET_N_ROW_KINDS && !g_str_equal (kinds[kind].name, name))
    kind++;
  return kind;
}

/* The columns of the table: gadget_row_kind_get_text () returns the text that rows of a kind show
 * parts of, gadget_row_kind_is_of_turn () whether they stand for a whole turn and not for an item,
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
  return (kinds[kind].flags & GADGET_ROW_FLAG_OF_TURN) != 0;
}

gboolean
gadget_row_kind_is_markdown (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_FLAG_MARKDOWN) != 0;
}

gboolean
gadget_row_kind_is_line (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_FLAG_LINE) != 0;
}

gboolean
gadget_row_kind_is_detail (GadgetRowKind kind)
{
  return (kinds[kind].flags & GADGET_ROW_FLAG_DETAIL) != 0;
}
