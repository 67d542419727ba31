/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-types"

#include "config.h"

#include "gadget-types.h"

static const char *const turn_status_names[] = { "processing", "finished", "aborted", "error" };
static const char *const stop_reason_names[] = { "none",   "user",        "api",
                                                 "signal", "closed",      "deadline",
                                                 "budget", "interrupted", "length" };
static const char *const item_kind_names[] = { "text", "reasoning", "tool-call",
                                               "note", "steer",     "summary" };
static const char *const item_status_names[] = { "streaming", "pending", "running", "finished",
                                                 "error",     "aborted", "not-run" };
static const char *const run_kind_names[] = { "turn",       "subagent", "compaction", "title",
                                              "attachment", "picture",  "undo" };

static const char *const mode_names[] = { "ask", "accept-edits", "read-only", "sandbox" };

guint
gadget_find_name (const char *const *names, guint n_names, const char *name, guint fallback)
{
  for (guint i = 0; i < n_names; i++)
    if (g_strcmp0 (names[i], name) == 0)
      return i;
  return fallback;
}

const char *
gadget_turn_status_to_string (GadgetTurnStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (turn_status_names), NULL);
  return turn_status_names[status];
}

GadgetTurnStatus
gadget_turn_status_from_string (const char *name)
{
  return (GadgetTurnStatus) gadget_find_name (turn_status_names, G_N_ELEMENTS (turn_status_names),
                                              name, 0);
}

const char *
gadget_stop_reason_to_string (GadgetStopReason reason)
{
  g_return_val_if_fail ((guint) reason < G_N_ELEMENTS (stop_reason_names), NULL);
  return stop_reason_names[reason];
}

GadgetStopReason
gadget_stop_reason_from_string (const char *name)
{
  return (GadgetStopReason) gadget_find_name (stop_reason_names, G_N_ELEMENTS (stop_reason_names),
                                              name, 0);
}

const char *
gadget_item_kind_to_string (GadgetItemKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (item_kind_names), NULL);
  return item_kind_names[kind];
}

GadgetItemKind
gadget_item_kind_from_string (const char *name)
{
  return (GadgetItemKind) gadget_find_name (item_kind_names, G_N_ELEMENTS (item_kind_names), name,
                                            GADGET_ITEM_NOTE);
}

const char *
gadget_item_status_to_string (GadgetItemStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (item_status_names), NULL);
  return item_status_names[status];
}

GadgetItemStatus
gadget_item_status_from_string (const char *name)
{
  return (GadgetItemStatus) gadget_find_name (item_status_names, G_N_ELEMENTS (item_status_names),
                                              name, 0);
}

const char *
gadget_run_kind_to_string (GadgetRunKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (run_kind_names), NULL);
  return run_kind_names[kind];
}

const char *
gadget_mode_to_string (GadgetMode mode)
{
  g_return_val_if_fail ((guint) mode < G_N_ELEMENTS (mode_names), NULL);
  return mode_names[mode];
}

GadgetMode
gadget_mode_from_string (const char *name)
{
  return (GadgetMode) gadget_find_name (mode_names, G_N_ELEMENTS (mode_names), name,
                                        GADGET_MODE_READ_ONLY);
}
