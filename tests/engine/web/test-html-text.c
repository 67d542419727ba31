/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pages as Markdown: what is read, what is not, and pages that are made to hurt. Then encodings. */

#include "config.h"

#include "web/gadget-html-text.h"
#include "web/gadget-web-text.h"

#include <libxml/parser.h>
#include <string.h>

#define BASE "https://example.com/a/b.html?x=1"

static void
assert_markdown (const char *html, const char *expected)
{
  g_autoptr (GadgetHtmlText) text = gadget_html_text_new (html, strlen (html), BASE, NULL);

  g_assert_nonnull (text);
  g_assert_cmpstr (text->markdown, ==, expected);
  g_assert_false (text->cut);
}

static void
test_blocks (void)
{
  assert_markdown ("<h1>One</h1><p>A  text\n of <b>words</b>.<p>Another<br>line<h3>Three</h3>x",
                   "# One\n\nA text of words.\n\nAnother\nline\n\n### Three\n\nx");
  assert_markdown ("<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul>f",
                   "- a\n- b\n  1. c\n  2. d\n- e\n\nf");
  assert_markdown ("<blockquote><p>a<p>b</blockquote>c", "> a\n\n> b\n\nc");
  assert_markdown ("a<hr>b", "a\n\n---\n\nb");
  assert_markdown ("<pre>if (x)\n  y;\n\nz</pre>w <code>c</code>.",
                   "```\nif (x)\n  y;\n\nz\n```\n\nw `c`.");
  assert_markdown ("&lt;b&gt; &amp; &eacute;", "<b> & \303\251");
}

static void
test_links (void)
{
  assert_markdown ("see <a href='../c'>there</a>.", "see [there](https://example.com/c).");
  assert_markdown ("<a href='//other.org/x'>o</a>", "[o](https://other.org/x)");
  assert_markdown ("<a href='javascript:alert(1)'>js</a> <a href='#x'>here</a> "
                   "<a href=' JAVASCRIPT:x'>js</a> <a href='data:text/html,x'>d</a>",
                   "js here js d");
  assert_markdown ("a <a href='/x'><i></i></a>b", "a b");
  assert_markdown ("<a href='/1'>one <a href='/2'>two",
                   "[one](https://example.com/1) [two](https://example.com/2)");
  assert_markdown ("<base href='https://base.org/d/'><a href='e'>e</a>",
                   "[e](https://base.org/d/e)");
  assert_markdown ("<img src=x alt='A cat'> sits", "A cat sits");
}

static void
test_tables (void)
{
  assert_markdown ("<table><tr><th>A<th>B<tr><td>1|2<td><p>x<p>y</table>z",
                   "| A | B |\n| --- | --- |\n| 1\\|2 | x y |\n\nz");
  assert_markdown ("<table><tr><td>a<table><tr><td>in</table></table>", "| a in |\n| --- |");
}

static void
test_dropped (void)
{
  assert_markdown ("<nav>menu</nav><style>p{}</style><script>if (a<b) x('<p>');</script>text"
                   "<template>t</template><svg><text>s</text></svg>",
                   "text");
  assert_markdown ("a<p hidden>secret</p><div style='color:red;display:none'>secret<br>x</div>b",
                   "a\n\nb");
}

static void
test_title (void)
{
  const char *html = "<html><head><title>\n The  title</title></head><body>body</body></html>";
  g_autoptr (GadgetHtmlText) text = gadget_html_text_new (html, strlen (html), BASE, NULL);

  g_assert_cmpstr (text->title, ==, "The title");
  g_assert_cmpstr (text->markdown, ==, "body");
}

static void
repeat (GString *html, const char *what, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append (html, what);
}

/* Each of them takes bounded time and memory, and what can be read of it is. */
static void
test_hostile (void)
{
  static const char *const pieces[] = {
    "<div>",  "<table><tr><td>", "<ul><li>",     "<blockquote>", "<a href=/x>", "<pre>",
    "<b><i>", "</div></p>",      "<!-- ",        "<p a='",       "&#",          "<font><p>",
    "<svg>",  "<script>",        "<select><tr>", "<code>",       "<",           "<![CDATA[",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) html = g_string_new ("<p>begin ");
      g_autoptr (GadgetHtmlText) text = NULL;
      const gint64 begun = g_get_monotonic_time ();

      repeat (html, pieces[i], 100000);
      g_string_append (html, " end");
      text = gadget_html_text_new (html->str, html->len, BASE, NULL);
      g_assert_nonnull (text);
      g_assert_true (g_str_has_prefix (text->markdown, "begin"));
      g_assert_cmpuint (strlen (text->markdown), <=, GADGET_HTML_MAX_TEXT + 100000);
      g_test_message ("%s: %.0f ms, %zu bytes%s", pieces[i],
                      (double) (g_get_monotonic_time () - begun) / 1000, strlen (text->markdown),
                      text->cut ? ", cut" : "");
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 20 * G_USEC_PER_SEC);
    }
}

/* Many that were not closed, and then many ends that close none of them. */
static void
test_quadratic (void)
{
  g_autoptr (GString) html = g_string_new ("<p>begin");
  g_autoptr (GadgetHtmlText) text = NULL;
  const gint64 begun = g_get_monotonic_time ();

  repeat (html, "<div>", 100000);
  repeat (html, "</i>", 1000000);
  text = gadget_html_text_new (html->str, html->len, BASE, NULL);
  g_assert_cmpstr (text->markdown, ==, "begin");
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 20 * G_USEC_PER_SEC);
}

static void
test_deep_text (void)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autoptr (GadgetHtmlText) text = NULL;

  repeat (html, "<div>", 100000);
  g_string_append (html, "deep");
  text = gadget_html_text_new (html->str, html->len, BASE, NULL);
  g_assert_cmpstr (text->markdown, ==, "deep");
}

static void
test_long (void)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autoptr (GadgetHtmlText) text = NULL;

  repeat (html, "<p>0123456789", 400000);
  text = gadget_html_text_new (html->str, html->len, BASE, NULL);
  g_assert_true (text->cut);
  g_assert_cmpuint (strlen (text->markdown), <, GADGET_HTML_MAX_TEXT + 10000);
}

static void
test_stopped (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_null (gadget_html_text_new ("<p>x", 4, BASE, cancellable));
}

/* Characters of several bytes on every border between pieces. */
static void
test_borders (void)
{
  g_autoptr (GString) html = g_string_new ("<p>");
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GadgetHtmlText) text = NULL;

  for (guint i = 0; i < 20000; i++)
    g_string_append (expected, i % 7 == 0 ? "x" : "\342\202\254\360\237\230\200");
  g_string_append (html, expected->str);
  text = gadget_html_text_new (html->str, html->len, BASE, NULL);
  g_assert_cmpstr (text->markdown, ==, expected->str);
}

/* --- Encodings -------------------------------------------------------------------------------- */

static void
assert_utf8 (const char *bytes, gssize length, const char *charset, const char *expected)
{
  g_autofree char *text =
      gadget_web_text_to_utf8 (bytes, length < 0 ? strlen (bytes) : (gsize) length, charset);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_charsets (void)
{
  assert_utf8 ("\303\251", -1, NULL, "\303\251");
  assert_utf8 ("\351", -1, "iso-8859-1", "\303\251");
  assert_utf8 ("\200", -1, "ISO-8859-1", "\342\202\254");
  assert_utf8 ("\351", -1, NULL, "\303\251");
  assert_utf8 ("\351", -1, "nonsense", "\357\277\275");
  assert_utf8 ("\377\376x\0y\0", 6, "utf-8", "xy");
  assert_utf8 ("\357\273\277x", -1, NULL, "x");
  assert_utf8 ("<meta charset=\"koi8-r\">\301", -1, NULL, "<meta charset=\"koi8-r\">\320\260");
  assert_utf8 ("<META http-equiv=x content='text/html; charset=shift_jis'>\202\240", -1, NULL,
               "<META http-equiv=x content='text/html; charset=shift_jis'>\343\201\202");
  assert_utf8 ("\202\240", -1, "Shift_JIS", "\343\201\202");
  assert_utf8 ("a\202", -1, "Shift_JIS", "a\357\277\275");
  assert_utf8 ("a\377b", -1, "utf-8", "a\357\277\275b");
  assert_utf8 ("a\033[31m\bb\tc", -1, "utf-8", "a[31mb\tc");
  assert_utf8 ("", 0, NULL, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  xmlInitParser ();

  g_test_add_func ("/engine/html-text/blocks", test_blocks);
  g_test_add_func ("/engine/html-text/links", test_links);
  g_test_add_func ("/engine/html-text/tables", test_tables);
  g_test_add_func ("/engine/html-text/dropped", test_dropped);
  g_test_add_func ("/engine/html-text/title", test_title);
  g_test_add_func ("/engine/html-text/hostile", test_hostile);
  g_test_add_func ("/engine/html-text/quadratic", test_quadratic);
  g_test_add_func ("/engine/html-text/deep-text", test_deep_text);
  g_test_add_func ("/engine/html-text/long", test_long);
  g_test_add_func ("/engine/html-text/stopped", test_stopped);
  g_test_add_func ("/engine/html-text/borders", test_borders);
  g_test_add_func ("/engine/html-text/charsets", test_charsets);

  return g_test_run ();
}
