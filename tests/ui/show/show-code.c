/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-code.h"

#include "ui/code/gadget-code.h"

GadgetItem *
show_answer_add (GadgetSession *session, const char *text)
{
  g_autofree char *id = g_strdup_printf ("turn-%u", gadget_session_get_n_turns (session));
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "Show me.");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  const GadgetTurnRecord record = {
    .status = GADGET_TURN_FINISHED,
    .started_at = 1000,
    .ended_at = 9000,
    .usage = { .output_tokens = 640 },
  };

  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  gadget_turn_restore (turn, &record);
  gadget_turn_set_model (turn, "ollama", "qwen3:14b");
  gadget_session_append (session, turn);
  return item;
}

GadgetSession *
show_code_new (void)
{
  static const char text[] =
      "The server first, then what asks it:\n\n"
      "```py\n"
      "import asyncio\n\n"
      "class Server:\n"
      "    \"\"\"Counts the connections that are open.\"\"\"\n\n"
      "    async def handle(self, reader, writer):\n"
      "        self.open += 1  # until the end of the stream\n"
      "        while (line := await reader.readline()) != b\"\":\n"
      "            writer.write(f\"{len(line):>4} bytes\\n\".encode(\"utf-8\"))\n"
      "```\n\n"
      "```sh\n"
      "curl --silent --no-buffer \"http://127.0.0.1:$PORT/v1/chat/completions\" --header "
      "'Content-Type: application/json' --data @request.json | head -c 100\n"
      "```\n\n"
      "1. The request:\n\n"
      "   ```json\n"
      "   { \"model\": \"qwen3:14b\", \"stream\": true, \"max_tokens\": 128, \"stop\": null }\n"
      "   ```\n\n"
      "2. What changes:\n\n"
      "   ```diff\n"
      "   -  g_input_stream_close (stream, NULL, NULL);\n"
      "   +  g_input_stream_close_async (stream, 0, NULL, closed_cb, self);\n"
      "   ```\n\n"
      "```\nno language, and a line that is so long that it does not fit into the column, so that "
      "it is scrolled from side to side\n```\n\n"
      "```c++\n"
      "template <typename T>\n"
      "auto largest (const std::vector<T> &values) -> std::optional<T>; // or none\n"
      "```\n";
  GadgetSession *session = gadget_session_new ("code");
  GadgetItem *item = show_answer_add (session, text);

  gadget_code_set_wrap (gadget_code_get (item, (gsize) (strstr (text, "```\nno") - text)), TRUE);
  return session;
}

GadgetSession *
show_long_code_new (void)
{
  g_autoptr (GString) text = g_string_new ("All of it:\n\n```rs\n");
  GadgetSession *session = gadget_session_new ("long-code");

  for (guint i = 0; i < 58; i++)
    g_string_append_printf (text,
                            "/// Part %u of the list.\n"
                            "pub fn part_%u(values: &[u32]) -> Option<u32> {\n"
                            "    values.iter().copied().filter(|v| *v > %u).max()\n"
                            "}\n\n",
                            i, i, i * 17);
  g_string_append (text, "```\n\nThat is all.\n");
  show_answer_add (session, text->str);
  return session;
}
