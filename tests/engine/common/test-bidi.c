/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text that is shown in the order that it has. */

#include "common/gadget-bidi.h"
#include "session/gadget-item.h"
#include "session/gadget-session.h"

#include <string.h>

#define RLO "\342\200\256"
#define PDF "\342\200\254"
#define FSI "\342\201\250"
#define PDI "\342\201\251"
#define LRM "\342\200\216"
#define RLM "\342\200\217"
#define ALM "\330\234"
#define REPLACED "\357\277\275"

static const struct
{
  const char *text;
  const char *escaped;
  const char *replaced; /* NULL where nothing is */
  const char *kept;     /* NULL where it is as with isolates replaced */
} texts[] = {
  { "", "", NULL, NULL },
  { "plain – “text” ❤️ a\342\200\215b", "plain – “text” ❤️ a\342\200\215b", NULL, NULL },
  { "a" RLO "b" PDF, "a\\u202eb\\u202c", "a" REPLACED "b" REPLACED, NULL },
  { FSI "a" PDI, "\\u2068a\\u2069", REPLACED "a" REPLACED, "" },
  { FSI RLO PDI, "\\u2068\\u202e\\u2069", REPLACED REPLACED REPLACED, FSI REPLACED PDI },
  /* A mark without anything to mark. */
  { "x = " RLM "1 - 2", "x = \\u200f1 - 2", "x = " REPLACED "1 - 2", NULL },
  { "x" ALM "1", "x\\u061c1", "x¿1", NULL },
  { "x" LRM "1", "x" LRM "1", NULL, NULL },
  /* Marks in prose: each line by itself. */
  { "שלום." RLM " abc", "שלום." RLM " abc", NULL, NULL },
  { "سلام" ALM " 1", "سلام" ALM " 1", NULL, NULL },
  { "שלום\n" RLM "1 - 2", "שלום\n\\u200f1 - 2", "שלום\n" REPLACED "1 - 2", NULL },
  { "שלום\r" RLM "1 - 2", "שלום\r\\u200f1 - 2", "שלום\r" REPLACED "1 - 2", NULL },
  { RLM "1\nשלום", "\\u200f1\nשלום", REPLACED "1\nשלום", NULL },
  { "שלום" RLO "abc", "שלום\\u202eabc", "שלום" REPLACED "abc", NULL },
};

static void
test_texts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const gsize length = strlen (texts[i].text);
      g_autofree char *escaped = gadget_bidi_escape (texts[i].text);
      g_autofree char *replaced = gadget_bidi_replace (texts[i].text, length, FALSE);
      g_autofree char *kept = gadget_bidi_replace (texts[i].text, length, TRUE);
      const char *as_kept = texts[i].kept != NULL ? texts[i].kept : texts[i].replaced;

      g_assert_cmpstr (escaped, ==, texts[i].escaped);
      g_assert_cmpstr (replaced, ==, texts[i].replaced);
      g_assert_cmpint (gadget_bidi_is_plain (texts[i].text), ==, replaced == NULL);
      g_assert_cmpstr (kept, ==, g_strcmp0 (as_kept, "") == 0 ? NULL : as_kept);
      if (replaced == NULL)
        continue;
      /* Offsets of either are those of the other. */
      g_assert_cmpuint (strlen (replaced), ==, length);
      g_assert_cmpint (g_utf8_strlen (replaced, -1), ==, g_utf8_strlen (texts[i].text, -1));
    }
}

/* Only so much of it is read as there is. */
static void
test_length (void)
{
  g_autofree char *replaced = gadget_bidi_replace ("a" RLO "b" RLO, 5, FALSE);

  g_assert_cmpstr (replaced, ==, "a" REPLACED "b");
  g_assert_null (gadget_bidi_replace ("a" RLO, 1, FALSE));
}

/* A mark alone is none: what is around it is not known. */
static void
test_find (void)
{
  static const char text[] = "–" RLM "a" RLO "b" PDF;

  g_assert_true (gadget_bidi_find_control (text, strlen (text)) == strstr (text, RLO));
  g_assert_null (gadget_bidi_find_control (text, strlen ("–" RLM "a")));
  /* The rest of the character is not there yet. */
  g_assert_null (gadget_bidi_find_control (text, strlen ("–" RLM "a") + 2));
}

/* A name of a file need not be text at all. */
static void
test_invalid (void)
{
  g_autofree char *plain = gadget_bidi_escape ("a\377b");
  g_autofree char *escaped = gadget_bidi_escape ("a\377" RLO "b\342\200");

  g_assert_cmpstr (plain, ==, "a\377b");
  g_assert_cmpstr (escaped, ==, "a" REPLACED "\\u202eb" REPLACED REPLACED);
}

static void
test_summary (void)
{
  static const char *const summaries[][2] = {
    { "Ran " FSI "make" PDI " · 3 s", "Ran " FSI "make" PDI " · 3 s" },
    { "Ran " FSI "cat " RLO "a" PDI " · 3 s", "Ran " FSI "cat \\u202ea" PDI " · 3 s" },
    /* It does not end where the command says. */
    { "Ran " FSI "true" PDI "; rm" PDI " · 3 s", "Ran " FSI "true\\u2069; rm" PDI " · 3 s" },
    { "Ran " FSI FSI "a" PDI " · 3 s", "Ran " FSI "\\u2068a" PDI " · 3 s" },
    { "Used x" RLO PDI, "Used x\\u202e\\u2069" },
    { PDI RLO FSI, "\\u2069\\u202e\\u2068" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (summaries); i++)
    {
      g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call", "shell");

      gadget_item_take_call_summary (
          item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summaries[i][0], NULL));
      g_assert_cmpstr (gadget_item_get_summary (item), ==, summaries[i][1]);
      /* It was stored so. */
      gadget_item_take_call_summary (
          item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summaries[i][1], NULL));
      g_assert_cmpstr (gadget_item_get_summary (item), ==, summaries[i][1]);
      gadget_item_take_call_summary (item, NULL);
      g_assert_null (gadget_item_get_summary (item));
    }
}

static void
test_title (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");

  gadget_session_set_title (session, "Plan" RLO "txt.exe");
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Plan\\u202etxt.exe");
  gadget_session_set_title (session, NULL);
  g_assert_null (gadget_session_get_title (session));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/bidi/texts", test_texts);
  g_test_add_func ("/engine/bidi/length", test_length);
  g_test_add_func ("/engine/bidi/find", test_find);
  g_test_add_func ("/engine/bidi/invalid", test_invalid);
  g_test_add_func ("/engine/bidi/summary", test_summary);
  g_test_add_func ("/engine/bidi/title", test_title);

  return g_test_run ();
}
