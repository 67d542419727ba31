/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The normal output of "ask": only the text of the response goes to standard output, everything
 * else to standard error. Reasoning is shown only if standard error is a terminal. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "agent/gadget-stop-text.h"
#include "cli-writer.h"

#define DIM "\033[2m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

#define GADGET_TYPE_CLI_TEXT (gadget_cli_text_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCliText, gadget_cli_text, GADGET, CLI_TEXT, GObject)

struct _GadgetCliText
{
  GObject parent_instance;

  GadgetCli *cli;
  gboolean colors;
  char *session_id;
  GadgetItem *last;     /* (nullable): the item whose text was written last */
  gboolean same_output; /* standard output and error go to the same place */
  gboolean out_in_line; /* standard output is in the middle of a line */
  gboolean err_in_line; /* standard error is in the middle of a line */
};

static void gadget_cli_text_writer_init (GadgetCliWriterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetCliText, gadget_cli_text, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_CLI_WRITER,
                                                      gadget_cli_text_writer_init))

static void
end_lines (GadgetCliText *self)
{
  GadgetCliOutput *err = gadget_cli_get_err (self->cli);

  /* If both outputs go to the same terminal or file, messages begin on a new line below the
   * text. */
  if (self->err_in_line || (self->out_in_line && self->same_output))
    gadget_cli_output_write (err, "\n");
  if (self->same_output)
    self->out_in_line = FALSE;
  self->err_in_line = FALSE;
}

static void
print_colored (GadgetCliText *self, const char *color, const char *text)
{
  GadgetCliOutput *err = gadget_cli_get_err (self->cli);

  end_lines (self);
  if (self->colors)
    gadget_cli_output_write (err, color);
  gadget_cli_output_write_foreign (err, text);
  if (self->colors)
    gadget_cli_output_write (err, PLAIN);
  gadget_cli_output_write (err, "\n");
}

static void
write_text (GadgetCliText *self, const GadgetTurnEvent *event)
{
  GadgetCliOutput *out = gadget_cli_get_out (self->cli);

  if (self->err_in_line)
    end_lines (self);
  /* A new text item begins a new paragraph. */
  if (self->last != NULL && self->last != event->item)
    gadget_cli_output_write (out, self->out_in_line ? "\n\n" : "\n");
  g_set_object (&self->last, event->item);
  gadget_cli_output_write_foreign (out, event->delta);
  self->out_in_line = !g_str_has_suffix (event->delta, "\n");
}

static void
write_reasoning (GadgetCliText *self, const char *delta)
{
  GadgetCliOutput *err = gadget_cli_get_err (self->cli);

  if (!gadget_cli_output_is_terminal (err))
    return;
  if (self->out_in_line && self->same_output)
    end_lines (self);
  if (self->colors)
    gadget_cli_output_write (err, DIM);
  gadget_cli_output_write_foreign (err, delta);
  if (self->colors)
    gadget_cli_output_write (err, PLAIN);
  self->err_in_line = !g_str_has_suffix (delta, "\n");
}

static void
print_result (GadgetCliText *self, GadgetItem *item)
{
  const GadgetItemStatus status = gadget_item_get_status (item);
  g_autofree char *text = gadget_cli_dup_result_text (item);

  if (status == GADGET_ITEM_FINISHED)
    print_colored (self, DIM, text);
  else if (status == GADGET_ITEM_FAILED)
    print_colored (self, RED, text);
  else if (gadget_item_is_settled (item))
    print_colored (self, YELLOW, text);
}

static void
print_steer (GadgetCliText *self, const char *text)
{
  g_autofree char *line = g_strconcat ("> ", text, NULL);

  print_colored (self, DIM, line);
}

static void
started (GadgetCliWriter *writer, const char *session_id, const char *turn_id, const char *run_id)
{
  g_set_str (&GADGET_CLI_TEXT (writer)->session_id, session_id);
}

static void
print_subagent (GadgetCliText *self, GadgetItem *item)
{
  g_autofree char *summary = gadget_item_dup_plain_summary (item);
  g_autofree char *title = gadget_cli_dup_first_line (summary);
  g_autofree char *text = g_strdup_printf (_ ("▸ %s: subagent started"), title);

  print_colored (self, DIM, text);
}

/* Returns whether an event is shown. Of a subagent's work, only its own subagents are shown. */
static gboolean
is_shown (const GadgetTurnEvent *event)
{
  return event->subagent == NULL || event->type == GADGET_TURN_EVENT_SUBAGENT_STARTED
         || (event->type == GADGET_TURN_EVENT_TOOL_RESULT
             && gadget_item_get_child_id (event->item) != NULL);
}

static void
write_event (GadgetCliWriter *writer, const GadgetTurnEvent *event)
{
  GadgetCliText *self = GADGET_CLI_TEXT (writer);

  if (!is_shown (event))
    return;
  switch (event->type)
    {
    case GADGET_TURN_EVENT_TEXT:
      write_text (self, event);
      break;
    case GADGET_TURN_EVENT_REASONING:
      write_reasoning (self, event->delta);
      break;
    case GADGET_TURN_EVENT_NOTE:
      print_colored (self, DIM, event->delta);
      break;
    case GADGET_TURN_EVENT_STEER:
      print_steer (self, event->delta);
      break;
    case GADGET_TURN_EVENT_SUMMARY:
      print_colored (self, DIM, _ ("Earlier messages were summarized"));
      break;
    case GADGET_TURN_EVENT_TOOL_RESULT:
      print_result (self, event->item);
      break;
    case GADGET_TURN_EVENT_SUBAGENT_STARTED:
      print_subagent (self, event->item);
      break;
    case GADGET_TURN_EVENT_SUBAGENT_ENDED: /* the result of its call says how it ended */
    case GADGET_TURN_EVENT_TOOL_CALL:
    case GADGET_TURN_EVENT_TOOL_OUTPUT:
    case GADGET_TURN_EVENT_PROMPT:
    case GADGET_TURN_EVENT_PROMPT_GONE:
    default:
      break;
    }
}

static char *
describe_abort (const GadgetCliOutcome *outcome)
{
  if (outcome->turn != NULL)
    return gadget_turn_dup_stop_text (outcome->turn);
  return g_strdup (gadget_stop_reason_get_text (outcome->stop_reason));
}

static void
print_abort (GadgetCliText *self, const GadgetCliOutcome *outcome)
{
  g_autofree char *text = describe_abort (outcome);
  g_autofree char *receipt = NULL;
  g_autofree char *line = NULL;

  if (outcome->turn != NULL)
    receipt = gadget_cli_dup_receipt_text (gadget_turn_get_receipt (outcome->turn));
  line = receipt != NULL ? g_strdup_printf ("%s (%s)", text, receipt) : g_strdup (text);
  print_colored (self, YELLOW, line);
}

static void
print_failure (GadgetCliText *self, const GadgetCliOutcome *outcome)
{
  g_autofree char *title = NULL;

  title = g_strconcat ("gadget-cli: ", outcome->title != NULL ? outcome->title : outcome->message,
                       NULL);
  print_colored (self, RED, title);
  if (outcome->detail != NULL && *outcome->detail != '\0'
      && g_strcmp0 (outcome->detail, outcome->title) != 0)
    {
      g_autofree char *line = gadget_cli_dup_first_line (outcome->detail);
      g_autofree char *detail = g_strdup_printf (_ ("Details: %s"), line);

      print_colored (self, DIM, detail);
    }
  if (outcome->hint != NULL)
    print_colored (self, PLAIN, outcome->hint);
}

static void
print_unsaved (GadgetCliText *self, const GadgetCliOutcome *outcome)
{
  g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (outcome->unsaved);

  for (guint i = 0; i < turns->len; i++)
    {
      g_autofree char *text = gadget_cli_dup_unsaved_text (outcome, turns->pdata[i]);
      g_autofree char *file = gadget_cli_dup_file_text (outcome, turns->pdata[i]);

      print_colored (self, RED, text);
      print_colored (self, PLAIN, file);
    }
}

static void
completed (GadgetCliWriter *writer, const GadgetCliOutcome *outcome)
{
  GadgetCliText *self = GADGET_CLI_TEXT (writer);

  if (self->out_in_line)
    gadget_cli_output_write (gadget_cli_get_out (self->cli), "\n");
  self->out_in_line = FALSE;

  /* A reader that closed the output ("| head") knows that it is over. */
  if (outcome->status == GADGET_TURN_ABORTED && outcome->stop_reason == GADGET_STOP_CLOSED
      && outcome->unsaved == NULL)
    return;
  if (outcome->status == GADGET_TURN_ABORTED)
    print_abort (self, outcome);
  else if (outcome->status == GADGET_TURN_ERROR)
    print_failure (self, outcome);
  else if (outcome->stop_reason == GADGET_STOP_LENGTH)
    print_colored (self, PLAIN, _ ("The model came to its limit of output tokens."));
  if (outcome->images_left_out)
    print_colored (self, PLAIN, _ ("The model does not take images, and was not shown any."));
  if (outcome->unsaved != NULL)
    print_unsaved (self, outcome);
  if (self->session_id != NULL)
    {
      g_autofree char *line = g_strdup_printf (_ ("Session %s"), self->session_id);

      print_colored (self, DIM, line);
    }
}

static void
gadget_cli_text_writer_init (GadgetCliWriterInterface *iface)
{
  iface->started = started;
  iface->event = write_event;
  iface->completed = completed;
}

static void
gadget_cli_text_dispose (GObject *object)
{
  GadgetCliText *self = GADGET_CLI_TEXT (object);

  g_clear_object (&self->cli);
  g_clear_object (&self->last);
  g_clear_pointer (&self->session_id, g_free);

  G_OBJECT_CLASS (gadget_cli_text_parent_class)->dispose (object);
}

static void
gadget_cli_text_class_init (GadgetCliTextClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_cli_text_dispose;
}

static void
gadget_cli_text_init (GadgetCliText *self)
{
}

GadgetCliWriter *
gadget_cli_text_new (GadgetCli *cli)
{
  GadgetCliText *self = g_object_new (GADGET_TYPE_CLI_TEXT, NULL);

  self->cli = g_object_ref (cli);
  self->same_output = gadget_cli_get_out (cli) == gadget_cli_get_err (cli);
  self->colors =
      gadget_cli_output_is_terminal (gadget_cli_get_err (cli)) && g_getenv ("NO_COLOR") == NULL;
  return GADGET_CLI_WRITER (self);
}
