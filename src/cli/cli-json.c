/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The --json output: one object per line, "event" first, and exactly one "completed" at the end.
 * Members are only ever added, never removed. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include "cli-writer.h"
#include "common/gadget-json.h"
#include "control/gadget-event.h"

#include <glib/gi18n.h>

#define GADGET_TYPE_CLI_JSON (gadget_cli_json_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCliJson, gadget_cli_json, GADGET, CLI_JSON, GObject)

struct _GadgetCliJson
{
  GObject parent_instance;

  GadgetCli *cli;
};

static void gadget_cli_json_writer_init (GadgetCliWriterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetCliJson, gadget_cli_json, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_CLI_WRITER,
                                                      gadget_cli_json_writer_init))

void
gadget_cli_print_json (GadgetCli *cli, JsonBuilder *builder)
{
  g_autoptr (JsonNode) node = json_builder_get_root (builder);
  g_autofree char *line = json_to_string (node, FALSE);
  GadgetCliOutput *out = gadget_cli_get_out (cli);

  gadget_cli_output_write (out, line);
  gadget_cli_output_write (out, "\n");
}

void
gadget_cli_json_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  g_autofree char *valid = NULL;

  /* A path may not be valid UTF-8. */
  if (value != NULL && !g_utf8_validate (value, -1, NULL))
    valid = g_utf8_make_valid (value, -1);
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, valid != NULL ? valid : value);
  else
    json_builder_add_null_value (builder);
}

void
gadget_cli_json_add_usage (JsonBuilder *builder, const GadgetUsage *usage)
{
  json_builder_set_member_name (builder, "usage");
  json_builder_begin_object (builder);
  gadget_json_add_int (builder, "input_tokens", usage != NULL ? usage->input_tokens : 0);
  gadget_json_add_int (builder, "output_tokens", usage != NULL ? usage->output_tokens : 0);
  if (usage != NULL && usage->cost > 0)
    {
      gadget_json_add_double (builder, "cost_usd",
                              (double) usage->cost / (double) GADGET_COST_DOLLAR);
    }
  gadget_json_add_boolean (builder, "estimated", usage != NULL && usage->estimated);
  json_builder_end_object (builder);
}

/**
 * gadget_cli_json_add_arguments:
 * @arguments: the arguments as the model wrote them
 *
 * Adds the member "arguments": an object, or null for arguments that are not a complete object.
 */
void
gadget_cli_json_add_arguments (JsonBuilder *builder, const char *arguments)
{
  g_autoptr (JsonNode) node = json_from_string (*arguments != '\0' ? arguments : "{}", NULL);

  json_builder_set_member_name (builder, "arguments");
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    json_builder_add_value (builder, g_steal_pointer (&node));
  else
    json_builder_add_null_value (builder);
}

static JsonBuilder *
begin_event (const char *name)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "event", name);
  return builder;
}

static void
end_event (GadgetCliJson *self, JsonBuilder *builder)
{
  json_builder_end_object (builder);
  gadget_cli_print_json (self->cli, builder);
}

static void
started (GadgetCliWriter *writer, const char *session_id, const char *turn_id, const char *run_id)
{
  g_autoptr (JsonBuilder) builder = begin_event ("run-started");

  gadget_cli_json_add_string (builder, "session", session_id);
  gadget_cli_json_add_string (builder, "turn", turn_id);
  gadget_cli_json_add_string (builder, "run", run_id);
  end_event (GADGET_CLI_JSON (writer), builder);
}

static void
add_prompt (JsonBuilder *builder, GadgetPrompt *prompt)
{
  gadget_cli_json_add_string (builder, "id", gadget_prompt_get_id (prompt));
  if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION)
    {
      gadget_cli_json_add_string (builder, "tool", gadget_prompt_get_tool (prompt));
      gadget_cli_json_add_string (builder, "summary", gadget_prompt_get_subject (prompt));
    }
  else
    {
      gadget_cli_json_add_string (builder, "text", gadget_prompt_get_title (prompt));
      if (gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER) != NULL)
        gadget_cli_json_add_string (builder, "asker",
                                    gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER));
    }
  json_builder_set_member_name (builder, "choices");
  json_builder_begin_array (builder);
  for (guint i = 0;
       gadget_prompt_get_choices (prompt) != NULL && gadget_prompt_get_choices (prompt)[i] != NULL;
       i++)
    json_builder_add_string_value (builder, gadget_prompt_get_choices (prompt)[i]);
  json_builder_end_array (builder);
}

static void
add_subagent (JsonBuilder *builder, GadgetItem *item, gboolean ended)
{
  GadgetTurn *turn = gadget_item_get_child_turn (item);

  gadget_cli_json_add_string (builder, "id", gadget_item_get_call_id (item));
  gadget_cli_json_add_string (builder, "session", gadget_item_get_child_id (item));
  gadget_cli_json_add_string (builder, "turn", gadget_item_get_child_turn_id (item));
  if (!ended)
    {
      GadgetSession *child = gadget_item_get_child (item);

      gadget_cli_json_add_string (builder, "run", gadget_session_get_active_run (child));
      gadget_cli_json_add_string (builder, "title", gadget_session_get_title (child));
      return;
    }
  gadget_cli_json_add_string (builder, "status",
                              gadget_turn_status_to_string (gadget_turn_get_status (turn)));
  gadget_cli_json_add_usage (builder, gadget_turn_get_usage (turn));
}

static void
write_event (GadgetCliWriter *writer, const GadgetTurnEvent *event)
{
  const char *result;
  g_autoptr (JsonBuilder) builder = NULL;

  if (event->type == GADGET_TURN_EVENT_PROMPT_GONE)
    return;
  builder = begin_event (gadget_event_get_name (event));
  switch (event->type)
    {
    case GADGET_TURN_EVENT_TOOL_CALL:
      gadget_cli_json_add_string (builder, "id", gadget_item_get_call_id (event->item));
      gadget_cli_json_add_string (builder, "name", gadget_item_get_name (event->item));
      gadget_cli_json_add_arguments (builder, gadget_item_get_arguments (event->item));
      break;
    case GADGET_TURN_EVENT_TOOL_RESULT:
      gadget_cli_json_add_string (builder, "id", gadget_item_get_call_id (event->item));
      gadget_cli_json_add_string (
          builder, "status", gadget_item_status_to_string (gadget_item_get_status (event->item)));
      result = gadget_item_get_result (event->item);
      gadget_cli_json_add_string (builder, "content", result != NULL ? result : "");
      break;
    case GADGET_TURN_EVENT_PROMPT:
      add_prompt (builder, event->prompt);
      break;
    case GADGET_TURN_EVENT_SUBAGENT_STARTED:
    case GADGET_TURN_EVENT_SUBAGENT_ENDED:
      add_subagent (builder, event->item, event->type == GADGET_TURN_EVENT_SUBAGENT_ENDED);
      break;
    case GADGET_TURN_EVENT_TOOL_OUTPUT:
      gadget_cli_json_add_string (builder, "id", gadget_item_get_call_id (event->item));
      gadget_cli_json_add_string (builder, "delta", event->delta);
      break;
    case GADGET_TURN_EVENT_TEXT:
    case GADGET_TURN_EVENT_REASONING:
    case GADGET_TURN_EVENT_NOTE:
    case GADGET_TURN_EVENT_STEER:
    case GADGET_TURN_EVENT_SUMMARY:
    case GADGET_TURN_EVENT_PROMPT_GONE:
    default:
      gadget_cli_json_add_string (builder, "delta", event->delta);
    }
  if (event->subagent != NULL)
    gadget_cli_json_add_string (builder, "subagent", gadget_session_get_id (event->subagent));
  end_event (GADGET_CLI_JSON (writer), builder);
}

static void
add_error (JsonBuilder *builder, const GadgetCliOutcome *outcome)
{
  json_builder_set_member_name (builder, "error");
  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "code", outcome->code);
  gadget_cli_json_add_string (builder, "title", outcome->title);
  gadget_cli_json_add_string (builder, "hint", outcome->hint);
  gadget_cli_json_add_string (builder, "detail", outcome->detail);
  json_builder_end_object (builder);
}

static void
completed (GadgetCliWriter *writer, const GadgetCliOutcome *outcome)
{
  GadgetCliJson *self = GADGET_CLI_JSON (writer);
  g_autoptr (JsonBuilder) builder = begin_event ("completed");
  GadgetTurn *turn = outcome->turn;

  gadget_cli_json_add_string (builder, "turn", turn != NULL ? gadget_turn_get_id (turn) : NULL);
  gadget_json_add_boolean (builder, "success", outcome->status != GADGET_TURN_ERROR);
  gadget_cli_json_add_string (builder, "message", outcome->message);
  gadget_cli_json_add_string (builder, "status", gadget_turn_status_to_string (outcome->status));
  gadget_cli_json_add_string (builder, "stop_reason",
                              outcome->stop_reason != GADGET_STOP_NONE
                                  ? gadget_stop_reason_to_string (outcome->stop_reason)
                                  : NULL);
  gadget_cli_json_add_usage (builder, turn != NULL ? gadget_turn_get_usage (turn) : NULL);
  json_builder_set_member_name (builder, "receipt");
  if (turn != NULL)
    {
      json_builder_add_value (builder, gadget_receipt_to_json (gadget_turn_get_receipt (turn)));
    }
  else
    {
      json_builder_begin_array (builder);
      json_builder_end_array (builder);
    }
  if (turn != NULL)
    {
      gadget_json_add_double (
          builder, "receipt_ms",
          gadget_json_round_ms (gadget_receipt_get_total_ms (gadget_turn_get_receipt (turn))));
      gadget_json_add_boolean (builder, "saved", outcome->unsaved == NULL);
    }
  if (outcome->unsaved != NULL)
    {
      g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (outcome->unsaved);

      gadget_cli_json_add_string (builder, "file",
                                  gadget_unsaved_turns_get_path (outcome->unsaved, turn));
      for (guint i = 0; i < turns->len; i++)
        {
          g_autofree char *text = gadget_cli_dup_unsaved_text (outcome, turns->pdata[i]);
          g_autofree char *file = gadget_cli_dup_file_text (outcome, turns->pdata[i]);

          gadget_cli_say (self->cli, "%s\n%s", text, file);
        }
    }
  if (outcome->images_left_out)
    gadget_cli_say (self->cli, _ ("The model does not take images, and was not shown any."));
  if (outcome->stop_reason == GADGET_STOP_LENGTH)
    gadget_cli_say (self->cli, _ ("The model came to its limit of output tokens."));
  if (outcome->status == GADGET_TURN_ERROR)
    {
      add_error (builder, outcome);
      gadget_cli_say (self->cli, "gadget-cli: %s",
                      outcome->title != NULL ? outcome->title : outcome->message);
      if (outcome->hint != NULL)
        gadget_cli_say (self->cli, "%s", outcome->hint);
    }
  end_event (self, builder);
}

static void
gadget_cli_json_writer_init (GadgetCliWriterInterface *iface)
{
  iface->started = started;
  iface->event = write_event;
  iface->completed = completed;
}

static void
gadget_cli_json_dispose (GObject *object)
{
  g_clear_object (&GADGET_CLI_JSON (object)->cli);
  G_OBJECT_CLASS (gadget_cli_json_parent_class)->dispose (object);
}

static void
gadget_cli_json_class_init (GadgetCliJsonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_cli_json_dispose;
}

static void
gadget_cli_json_init (GadgetCliJson *self)
{
}

GadgetCliWriter *
gadget_cli_json_new (GadgetCli *cli)
{
  GadgetCliJson *self = g_object_new (GADGET_TYPE_CLI_JSON, NULL);

  self->cli = g_object_ref (cli);
  return GADGET_CLI_WRITER (self);
}
