/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-turn-text.h"

static void
append_quoted (GString *text, const char *words)
{
  g_auto (GStrv) lines = g_strsplit (words, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "%s> %s", i > 0 ? "\n" : "", lines[i]);
}

char *
gadget_turn_dup_text (GadgetTurn *turn)
{
  GString *text;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  text = g_string_new (gadget_turn_get_prompt (turn));
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);
      const GadgetItemKind kind = gadget_item_get_kind (item);

      if (gadget_item_get_length (item) == 0
          || (kind != GADGET_ITEM_TEXT && kind != GADGET_ITEM_STEER))
        continue;
      g_string_append (text, "\n\n");
      if (kind == GADGET_ITEM_STEER)
        append_quoted (text, gadget_item_get_text (item));
      else
        g_string_append (text, gadget_item_get_text (item));
    }
  return g_string_free_and_steal (text);
}
