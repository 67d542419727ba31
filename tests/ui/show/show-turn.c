/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-turn.h"

#include "common/gadget-clock.h"

GadgetTurn *
show_turn_add (GadgetSession *session, const char *prompt, gint64 started_ago)
{
  g_autofree char *id = g_strdup_printf ("turn-%u", gadget_session_get_n_turns (session));
  GadgetTurn *turn = gadget_turn_new (id, prompt);
  const GadgetTurnRecord record = {
    .status = GADGET_TURN_PROCESSING,
    .started_at = gadget_clock_wall_ms () - started_ago,
  };

  gadget_turn_restore (turn, &record);
  gadget_turn_set_model (turn, "ollama", "qwen3:14b");
  gadget_session_append (session, turn);
  g_object_unref (turn);
  return turn;
}

GadgetItem *
show_turn_add_text (GadgetTurn *turn, GadgetItemKind kind, const char *text,
                    GadgetItemStatus status)
{
  GadgetItem *item = gadget_item_new (kind);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_started_at (item, 1000);
  gadget_item_set_ended_at (item, 9500);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

GadgetItem *
show_turn_add_call (GadgetTurn *turn, const char *name, const char *summary,
                    GadgetItemStatus status, const char *output)
{
  GadgetItem *item = gadget_item_new_tool_call (name, name);
  const char *arguments = g_str_equal (name, "shell")  ? "{\"command\": \"meson test stream\"}"
                          : g_str_equal (name, "task") ? "{\"prompt\": \"Read all of it.\"}"
                                                       : "{\"path\": \"tests/test-abort.c\"}";

  /* Each in a step of its own, unless a state says otherwise. */
  gadget_item_set_step (item, gadget_turn_get_n_items (turn));
  gadget_item_append_arguments (item, arguments);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL));
  gadget_item_set_started_at (item, gadget_clock_wall_ms () - 6300);
  if (output != NULL)
    gadget_item_append_text (item, output, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

void
show_turn_end (GadgetTurn *turn, GadgetTurnStatus status, GadgetStopReason reason, gint64 tokens,
               gint64 seconds)
{
  const gint64 started = gadget_turn_get_started_at (turn);
  GadgetTurnRecord record = {
    .status = status,
    .stop_reason = reason,
    .started_at = started,
    .ended_at = started + seconds * 1000,
    .usage = { .output_tokens = tokens },
  };

  if (status == GADGET_TURN_ERROR)
    {
      record.error_code = "provider/unreachable";
      record.error_detail = "connect 127.0.0.1:11434: Connection refused\n3 attempts in 4.1 s";
    }
  gadget_turn_restore (turn, &record);
}
