/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The replies of the Guide. The Guide is a script, and says so: it looks for known words in the
 * last message, and never pretends to understand more. A request is answered in this order:
 *
 * 1. If it ends with results of the Guide's own tool calls, the Guide sums them up.
 * 2. If it has the note that the last turn was interrupted, the Guide says what it sees of that.
 * 3. Otherwise, or after that, the first topic with a word in the message is the reply. */

#include "config.h"

#include "gadget-guide-script.h"

#include "gadget-guide-story.h"
#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include <string.h>

/* About five minutes at the usual speed. */
#define STORY_NIGHTS 260
#define COUNT_LINES 90
#define HELPER_LINES 60
#define SLOW_COMMAND "for i in $(seq 1 60); do echo \"line $i\"; sleep 1; done"
#define MAX_SHOWN 600

typedef struct
{
  GadgetRequest *request;
  const char *prompt; /* the last message in lower case, without the note */
  GPtrArray *steps;
} Script;

static void
free_step (gpointer data)
{
  GadgetGuideStep *step = data;

  g_free (step->name);
  g_free (step->text);
  g_free (step);
}

static void
add_step (Script *script, GadgetGuideStepKind kind, const char *name, const char *text)
{
  GadgetGuideStep *step = g_new0 (GadgetGuideStep, 1);

  step->kind = kind;
  step->name = g_strdup (name);
  step->text = g_strdup (text);
  g_ptr_array_add (script->steps, step);
}

static void
add_text (Script *script, const char *text)
{
  add_step (script, GADGET_GUIDE_TEXT, NULL, text);
}

static gboolean
is_offered (Script *script, const char *tool)
{
  for (guint i = 0; i < script->request->tools->len; i++)
    {
      const GadgetToolSpec *spec = g_ptr_array_index (script->request->tools, i);

      if (strcmp (spec->name, tool) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
call (Script *script, const char *tool, JsonBuilder *arguments)
{
  g_autoptr (JsonNode) root = json_builder_get_root (arguments);
  g_autofree char *text = json_to_string (root, FALSE);

  add_step (script, GADGET_GUIDE_CALL, tool, text);
}

static void
call_shell (Script *script, const char *command)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "command");
  json_builder_add_string_value (builder, command);
  json_builder_end_object (builder);
  call (script, "shell", builder);
}

static void
call_wait (Script *script, gint64 seconds)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_json_add_int (builder, "seconds", seconds);
  json_builder_end_object (builder);
  call (script, "wait", builder);
}

/* Returns FALSE, and adds a text that says so, if the tool is not available. */
static gboolean
need (Script *script, const char *tool)
{
  g_autofree char *text = NULL;

  if (is_offered (script, tool))
    return TRUE;
  if (strcmp (tool, "shell") == 0)
    text = g_strdup (_ ("I would run a command for that, but commands are not available here: "
                        "Gadget found no way to put them into a sandbox, and without one they are "
                        "not offered."));
  else
    /* Translators: %s is the technical name of a tool, such as read_file */
    text = g_strdup_printf (_ ("I would use the tool “%s” for that, but it is not available here."),
                            tool);
  add_text (script, text);
  return FALSE;
}

static void
call_task (Script *script, const char *title, const char *prompt)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "description");
  json_builder_add_string_value (builder, title);
  json_builder_set_member_name (builder, "prompt");
  json_builder_add_string_value (builder, prompt);
  json_builder_end_object (builder);
  call (script, "task", builder);
}

/* --- Topics ---------------------------------------------------------------------------------- */

static void
write_intro (Script *script)
{
  add_text (
      script,
      _ ("I am the Guide, a script built into Gadget, not a language model. I know a few things by "
         "heart, and I can show you the rest with the real tools.\n\n"
         "Gadget is a chat window with an agent inside. You ask, a model answers, and on the way "
         "it may read files, run commands in a sandbox, or ask you something. Whatever it does, "
         "you can stop it: press Cancel, or Esc twice.\n\n"
         "Here is what you can ask me:\n"
         "- “Show me Stop” starts something long, for you to stop\n"
         "- “Tell me a long story” writes for several minutes\n"
         "- “Run a slow command” runs a command and a timer side by side\n"
         "- “Hand work to a helper” starts two subagents, which you can stop one by one\n"
         "- “Read a file”, or “read notes.txt”, reads a file of your folder\n"
         "- “Ask me something” asks a question with choices\n"
         "- “How do I add a provider?”, “Where is my key?”, “What about privacy?”, “How do I "
         "undo?”, “What is the queue?”\n\n"
         "To talk to a real model, add a provider in Preferences."));
}

static void
write_stop (Script *script)
{
  g_autofree char *lines = gadget_guide_story_count (COUNT_LINES);

  add_text (
      script,
      _ ("Stop is what Gadget is made for, so let us try it. When I have said this, I write line "
         "after line, and then I start a timer and a command. You can stop me in the middle of "
         "either.\n\n"
         "There are four ways, and they all do the same:\n"
         "- press the red Cancel button below\n"
         "- press Esc twice within three seconds\n"
         "- press Shift+Esc, which asks for no second press\n"
         "- from outside, in a notification or a terminal\n\n"
         "When you have stopped me, look at the box that appears: it says what was stopped and "
         "how long that took. Nothing that is on the screen goes away. Then write something, "
         "“what happened” for example.\n\n"));
  add_text (script, lines);
  add_text (script,
            _ ("\nNow the tools. The timer needs no permission; the command asks you first.\n"));
  if (is_offered (script, "wait"))
    call_wait (script, 120);
  if (is_offered (script, "shell"))
    call_shell (script, SLOW_COMMAND);
}

static void
write_story (Script *script)
{
  g_autofree char *story = gadget_guide_story_dup_text (STORY_NIGHTS);

  add_text (script,
            _ ("This one is long: several minutes, if you let me. Stop me whenever you like.\n\n"
               "The Keeper of the Lamp\n\n"));
  add_text (script, story);
  add_text (script, _ ("That was the story. You have more patience than most."));
}

static void
write_slow_command (Script *script)
{
  if (!need (script, "shell"))
    return;
  add_text (script,
            _ ("I run a command that writes a line a second for a minute, and beside it a timer "
               "of thirty seconds. Gadget asks you before the command starts. Stop them "
               "whenever you like."));
  call_shell (script, SLOW_COMMAND);
  if (is_offered (script, "wait"))
    call_wait (script, 30);
}

static void
write_command (Script *script)
{
  if (!need (script, "shell"))
    return;
  add_text (script,
            _ ("I look around in your folder with a command. It runs in a sandbox: it sees your "
               "folder, it has no network, and Gadget asks you before it starts."));
  call_shell (script, "pwd; ls -la | head -n 20; date");
}

static void
write_wait (Script *script)
{
  if (!need (script, "wait"))
    return;
  add_text (script, _ ("I wait for ten seconds. You can stop that, too."));
  call_wait (script, 10);
}

static void
write_parallel (Script *script)
{
  if (!need (script, "wait"))
    return;
  add_text (script,
            _ ("Tools of one step run side by side. Here are two timers, of five seconds and of "
               "eight; together they take eight."));
  call_wait (script, 5);
  call_wait (script, 8);
}

/* The first word of the message that looks like a file name. (transfer full) (nullable) */
static char *
find_file_name (Script *script)
{
  const GPtrArray *messages = script->request->messages;
  const GadgetMessage *last = g_ptr_array_index (messages, messages->len - 1);
  g_autofree char *text = gadget_message_dup_text (last);
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n\"'“”«»`,;?", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *dot = strchr (words[i] + (*words[i] != '\0'), '.');

      if (strchr (words[i], '/') != NULL || (dot != NULL && g_ascii_isalnum (dot[1])))
        return g_strdup (words[i]);
    }
  return NULL;
}

static void
write_read (Script *script)
{
  g_autofree char *path = find_file_name (script);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!need (script, "read_file"))
    return;
  add_text (script, path != NULL
                        ? _ ("I read that file with the tool “read_file”.")
                        : _ ("I read a file named README.md, if there is one in your folder. Name "
                             "another one if you like: “read notes.txt”."));
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, path != NULL ? path : "README.md");
  json_builder_end_object (builder);
  call (script, "read_file", builder);
}

static void
write_ask (Script *script)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!need (script, "ask_user"))
    return;
  add_text (script,
            _ ("While an agent works, it may need to know something from you. It looks like "
               "this."));
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "question");
  json_builder_add_string_value (builder, _ ("What would you like to try next?"));
  json_builder_set_member_name (builder, "choices");
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, _ ("Stop something"));
  json_builder_add_string_value (builder, _ ("Run a command"));
  json_builder_add_string_value (builder, _ ("Nothing for now"));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  call (script, "ask_user", builder);
}

/* The prompts of the subagents. A subagent is the Guide again, and recognizes by the prefix that it
 * is one. */
#define HELPER_PREFIX "Helper: "
#define HELPER_COUNTS HELPER_PREFIX "count the lights along the coast."
#define HELPER_WATCHES HELPER_PREFIX "watch the clock for a minute."

static void
write_helpers (Script *script)
{
  if (!need (script, "task"))
    return;
  add_text (
      script,
      _ ("An agent can hand work to others, which are called subagents: each has a chat of its "
         "own, and reports when it is done. I start two of them side by side. Open their lines "
         "to see what they do. Stop on a line stops that one alone; Cancel, or Esc twice, stops "
         "both and me."));
  call_task (script, _ ("Count the lights"), HELPER_COUNTS);
  call_task (script, _ ("Watch the clock"), HELPER_WATCHES);
}

static gboolean
is_helper (Script *script)
{
  g_autofree char *text =
      gadget_message_dup_text (g_ptr_array_index (script->request->messages, 0));

  return g_str_has_prefix (text, HELPER_PREFIX);
}

/* The reply of a subagent. */
static void
write_as_helper (Script *script)
{
  if (strstr (script->prompt, "clock") != NULL && is_offered (script, "wait"))
    {
      add_text (script, _ ("I am the helper, and I watch the clock with a timer."));
      call_wait (script, 60);
      return;
    }

  g_autofree char *lines = gadget_guide_story_count (HELPER_LINES);

  add_text (script, _ ("I am the helper, and I count.\n\n"));
  add_text (script, lines);
  add_text (script, _ ("\nThat is my report: I counted all of them."));
}

static void
write_reasoning (Script *script)
{
  add_step (script, GADGET_GUIDE_REASONING, NULL,
            _ ("I am a script, so there is not much to think about. A model would write here what "
               "it considers before it answers. You can unfold this line to read it."));
  add_text (script,
            _ ("Some models show what they think before they answer. It is folded into one dim "
               "line above this text; open it to read it."));
}

static void
write_providers (Script *script)
{
  add_text (
      script,
      _ ("A provider is who serves the model. There are two ways to get one.\n\n"
         "On your own machine: start Ollama, llama.cpp, LM Studio or vLLM, and Gadget finds it by "
         "itself. Nothing leaves your computer then.\n\n"
         "In the cloud: open Preferences, choose Providers and then Add, give the address and the "
         "key that the provider gave you. Anything that speaks the OpenAI Chat Completions API "
         "works.\n\n"
         "You can have several, and choose for each chat with the model button below."));
}

static void
write_keys (Script *script)
{
  add_text (
      script,
      _ ("Keys are kept in your keyring, the same that keeps the passwords of your desktop. They "
         "are not in Gadget's settings, its database or its logs, and no command that an agent "
         "runs can see them. If no keyring can be reached, a key lives until you close Gadget, "
         "and the window says so."));
}

static void
write_privacy (Script *script)
{
  add_text (
      script,
      _ ("Gadget has no account and sends no telemetry. What you write goes to the provider of "
         "that chat and to nobody else; with a model on your own machine it does not leave it. "
         "With me it goes nowhere: I am part of the program.\n\n"
         "Chats are in a database in your home folder. Commands run in a sandbox that sees the "
         "folder of the chat, and has no network."));
}

static void
write_undo (Script *script)
{
  add_text (
      script,
      _ ("Nothing you see is lost when you stop: the text stays, and so does what tools wrote "
         "before. A prompt that was stopped before any answer goes back into the message field. "
         "The box of a stopped turn says what was done, and from there you can go on or edit "
         "your prompt.\n\n"
         "Files that were changed before the stop stay changed. Look at them before you go on."));
}

static void
write_queue (Script *script)
{
  add_text (
      script,
      _ ("While an answer is being written you can write on. Enter puts your message into the "
         "queue: it is sent when the turn is over. Queued messages stand above the message field, "
         "where you can edit, move or remove them.\n\n"
         "If you stop the turn, the queue waits: nothing is sent by itself after a stop."));
}

static void
write_unknown (Script *script)
{
  add_text (
      script,
      _ ("I am the Guide, a script built into Gadget, not a language model, and I have no answer "
         "to "
         "that. Ask me “what can you do”, or say “show me Stop”. To talk to a real model, add a "
         "provider in Preferences."));
}

typedef struct
{
  /* Translators: words that the user may write, in lower case, separated by “|”. Add those of your
   * language, and keep the English ones. The first topic that has one of its words in the message
   * is taken. */
  const char *words;
  void (*write) (Script *script);
} Topic;

static const Topic topics[] = {
  { N_ ("hand work|helper|subagent|sub-agent|delegate"), write_helpers },
  { N_ ("story|long answer|long text"), write_story },
  { N_ ("slow command|slow|long command"), write_slow_command },
  { N_ ("parallel|two tools|side by side"), write_parallel },
  { N_ ("undo|revert|take back"), write_undo },
  { N_ ("queue|queued|steer"), write_queue },
  { N_ ("privacy|private|telemetry|my data|who sees"), write_privacy },
  { N_ ("key|keyring|secret|password|token"), write_keys },
  { N_ ("provider|ollama|llama|lm studio|vllm|which model|add a model|real model|api"),
    write_providers },
  { N_ ("show me stop|show you stop|stop|cancel|abort|esc|interrupt"), write_stop },
  { N_ ("reason|think|thought"), write_reasoning },
  { N_ ("what can you|what can i|help|hello|what is gadget|who are you|what are you|start|tour"),
    write_intro },
  { N_ ("ask me|question|choice|choose"), write_ask },
  { N_ ("read|file"), write_read },
  { N_ ("command|shell|terminal|run|folder"), write_command },
  { N_ ("wait|timer|sleep"), write_wait },
  { N_ ("hi|hey|gadget|guide"), write_intro },
};

/* Returns TRUE if one of the words in LIST occurs in TEXT at the beginning of a word. */
static gboolean
has_word (const char *text, const char *list)
{
  g_auto (GStrv) words = g_strsplit (list, "|", -1);

  for (guint i = 0; words[i] != NULL; i++)
    for (const char *at = text; *words[i] != '\0' && (at = strstr (at, words[i])) != NULL; at++)
      {
        const char *before = at > text ? g_utf8_prev_char (at) : NULL;
        const char *after = at + strlen (words[i]);

        if (before != NULL && g_unichar_isalnum (g_utf8_get_char (before)))
          continue;
        /* A short word must match a whole word: “hi” is not the beginning of “history”. */
        if (strlen (words[i]) > 3 || !g_unichar_isalnum (g_utf8_get_char (after)))
          return TRUE;
      }
  return FALSE;
}

static void
answer (Script *script)
{
  if (is_helper (script))
    {
      write_as_helper (script);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (has_word (script->prompt, _ (topics[i].words)))
      {
        topics[i].write (script);
        return;
      }
  write_unknown (script);
}

/* --- After a stop ---------------------------------------------------------------------------- */

/* The note that the history builder puts before the message that follows an interrupted turn. */
#define NOTE "[The previous turn was interrupted"
#define NOTE_END "]\n\n"
#define CUT_MARK "Interrupted by user"

static guint
count_words (const char *text)
{
  gboolean in_word = FALSE;
  guint n = 0;

  for (; *text != '\0'; text++)
    {
      if (!g_ascii_isspace (*text) && !in_word)
        n++;
      in_word = !g_ascii_isspace (*text);
    }
  return n;
}

static void
write_interruption (Script *script)
{
  const GPtrArray *messages = script->request->messages;
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_words = 0;
  guint n_cut = 0;

  for (guint i = messages->len - 1; i > 0; i--)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i - 1);
      g_autofree char *response = gadget_message_dup_text (message);

      if (message->role == GADGET_ROLE_USER)
        break;
      if (message->role == GADGET_ROLE_ASSISTANT)
        n_words += count_words (response);
      else if (strstr (response, CUT_MARK) != NULL)
        n_cut++;
    }

  g_string_append (text, _ ("You stopped me, and it worked."));
  g_string_append_c (text, ' ');
  if (n_words > 0)
    {
      g_string_append_printf (
          text,
          g_dngettext (GETTEXT_PACKAGE, "I had written %u word; it is still there.",
                       "I had written %u words; they are still there.", n_words),
          n_words);
      g_string_append_c (text, ' ');
    }
  if (n_cut > 0)
    {
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, "%u tool was stopped in the middle.",
                                           "%u tools were stopped in the middle.", n_cut),
                              n_cut);
      g_string_append_c (text, ' ');
    }
  g_string_append (text, _ ("The box above says what was stopped and how long that took. I know of "
                            "it because Gadget notes it for the model, once; a real model is told "
                            "the same, so the chat can simply go on."));
  g_string_append (text, "\n\n");
  add_text (script, text->str);
}

/* --- After tools ----------------------------------------------------------------------------- */

static void
sum_up (Script *script, const GadgetMessage *message)
{
  const char *tool = message->name;
  g_autofree char *result = gadget_message_dup_text (message);
  g_autofree char *shown = NULL;
  g_autofree char *text = NULL;
  const char *introduction;

  const gboolean done = !message->failed && strstr (result, CUT_MARK) == NULL;

  if (done && strcmp (tool, "wait") == 0)
    {
      add_text (script, _ ("The timer is over.\n\n"));
      return;
    }
  if (done && strcmp (tool, "ask_user") == 0)
    {
      /* Translators: %s is what the user answered */
      text = g_strdup_printf (
          _ ("This is what came back: “%s”. A model would go on from there.\n\n"), result);
      add_text (script, text);
      return;
    }

  shown = g_utf8_substring (result, 0, MIN (MAX_SHOWN, g_utf8_strlen (result, -1)));
  g_strchomp (shown);
  if (strcmp (tool, "task") == 0 && strstr (result, CUT_MARK) != NULL)
    introduction = _ ("You stopped a helper. This is what it had until then:");
  else if (!done)
    introduction = _ ("This one did not work out. I was told:");
  else if (strcmp (tool, "task") == 0)
    introduction = _ ("A helper is done. This is its report:");
  else if (strcmp (tool, "shell") == 0)
    introduction = _ ("The command is done. It wrote:");
  else if (strcmp (tool, "read_file") == 0)
    introduction = _ ("This is how the file begins:");
  else
    introduction = _ ("This is what came back:");
  text = g_strdup_printf ("%s\n\n```\n%s%s\n```\n\n", introduction, shown,
                          strlen (shown) < strlen (result) ? "\n…" : "");
  add_text (script, text);
}

/* Returns TRUE if the request ends with tool results; they are then summed up. */
static gboolean
write_results (Script *script)
{
  const GPtrArray *messages = script->request->messages;
  guint first = messages->len;

  while (first > 0
         && ((GadgetMessage *) g_ptr_array_index (messages, first - 1))->role == GADGET_ROLE_TOOL)
    first--;
  if (first == messages->len)
    return FALSE;
  for (guint i = first; i < messages->len; i++)
    {
      sum_up (script, g_ptr_array_index (messages, i));
    }
  add_text (script, is_helper (script) ? _ ("That is my report.")
                                       : _ ("Try another one, or ask me “what can you do”."));
  return TRUE;
}

/**
 * gadget_guide_script_plan:
 * @request: the request to reply to
 *
 * Returns: (transfer full) (element-type GadgetGuideStep): the steps of the reply
 */
GPtrArray *
gadget_guide_script_plan (GadgetRequest *request)
{
  Script script = { request, NULL, g_ptr_array_new_with_free_func (free_step) };
  const GadgetMessage *last;
  const char *note;
  const char *note_end;
  g_autofree char *text = NULL;
  g_autofree char *prompt = NULL;

  if (request->messages->len == 0)
    {
      write_intro (&script);
      return script.steps;
    }
  if (write_results (&script))
    return script.steps;

  last = g_ptr_array_index (request->messages, request->messages->len - 1);
  text = gadget_message_dup_text (last);
  note = g_strrstr (text, NOTE);
  note_end = note != NULL ? strstr (note, NOTE_END) : NULL;
  prompt = g_utf8_strdown (note_end != NULL ? note_end + strlen (NOTE_END) : text, -1);
  script.prompt = prompt;
  if (note != NULL)
    write_interruption (&script);
  /* write_interruption () has already answered “what happened”. */
  if (note == NULL || !has_word (prompt, _ ("what happened|did it|did you|continue|go on|ok")))
    answer (&script);
  return script.steps;
}
