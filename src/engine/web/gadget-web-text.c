/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts the body of a web page to UTF-8, and HTML to Markdown. */

#define G_LOG_DOMAIN "gadget-web"

#include "config.h"

#include "gadget-web-text.h"

#include "gadget-html-text.h"

#include <errno.h>
#include <string.h>

/* The number of bytes in which a page declares its encoding. Source: the HTML standard, "prescan a
 * byte stream". */
#define PRESCAN 1024
#define REPLACEMENT "\xef\xbf\xbd"

/* --- Encodings -------------------------------------------------------------------------------- */

/* Pages that name these encodings use the larger one that is returned. Source: the WHATWG Encoding
 * standard. */
static const char *
get_real_name (const char *charset)
{
  static const char *const latin[] = { "iso-8859-1", "iso8859-1", "latin1", "us-ascii", "ascii" };

  for (guint i = 0; i < G_N_ELEMENTS (latin); i++)
    if (g_ascii_strcasecmp (charset, latin[i]) == 0)
      return "windows-1252";
  if (g_ascii_strcasecmp (charset, "gb2312") == 0)
    return "gbk";
  return charset;
}

/* Returns: (transfer full) (nullable): the encoding that the page declares. */
static char *
find_declared (const char *bytes, gsize length)
{
  g_autofree char *start = g_strndup (bytes, MIN (length, PRESCAN));
  const char *found;
  gsize n;

  for (char *c = start; *c != '\0'; c++)
    *c = g_ascii_tolower (*c);
  found = strstr (start, "charset=");
  if (found == NULL || strstr (start, "<meta") == NULL)
    return NULL;
  found += strlen ("charset=");
  if (*found == '"' || *found == '\'')
    found++;
  n = strspn (found, "abcdefghijklmnopqrstuvwxyz0123456789-_:.");
  /* The page was just read as bytes, so it cannot use two bytes per character. */
  if (n == 0 || g_str_has_prefix (found, "utf-16"))
    return NULL;
  return g_strndup (found, n);
}

/* Bytes that cannot be converted become U+FFFD. Returns NULL for an unknown encoding. */
static char *
convert (const char *bytes, gsize length, const char *charset)
{
  GIConv converter = g_iconv_open ("UTF-8", charset);
  g_autoptr (GString) out = NULL;
  char buffer[4096];
  gsize left = length;

  if (converter == (GIConv) -1)
    return NULL;
  out = g_string_sized_new (length);
  while (left > 0)
    {
      char *to = buffer;
      gsize room = sizeof buffer;
      const gsize result = g_iconv (converter, (char **) &bytes, &left, &to, &room);
      const int why = errno;

      g_string_append_len (out, buffer, (gssize) (sizeof buffer - room));
      if (result != (gsize) -1 || why == E2BIG)
        continue;
      g_string_append (out, REPLACEMENT);
      if (why != EILSEQ)
        break;
      bytes++;
      left--;
      g_iconv (converter, NULL, NULL, NULL, NULL);
    }
  g_iconv_close (converter);
  for (gsize i = 0; i < out->len; i++)
    if (out->str[i] == '\0')
      out->str[i] = ' ';
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
guess_charset (const char *bytes, gsize length, const char *charset)
{
  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    return g_strdup ("utf-8");
  if (length >= 2 && memcmp (bytes, "\xff\xfe", 2) == 0)
    return g_strdup ("utf-16");
  if (length >= 2 && memcmp (bytes, "\xfe\xff", 2) == 0)
    return g_strdup ("utf-16");
  return charset != NULL && *charset != '\0' ? g_strdup (charset) : find_declared (bytes, length);
}

/* NUL ends a C string, and control characters except for tabs and line ends mean nothing in a
 * text. */
static void
remove_controls (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0'; from++)
    if ((guchar) *from >= ' ' ? *from != 0x7f : *from == '\t' || *from == '\n' || *from == '\r')
      *to++ = *from;
  *to = '\0';
}

char *
gadget_web_text_to_utf8 (const char *bytes, gsize length, const char *charset)
{
  g_autofree char *name = guess_charset (bytes, length, charset);
  g_autofree char *text = NULL;

  if (name != NULL && g_ascii_strcasecmp (name, "utf-8") != 0
      && g_ascii_strcasecmp (name, "utf8") != 0)
    text = convert (bytes, length, get_real_name (name));
  if (text == NULL && name == NULL && !g_utf8_validate_len (bytes, length, NULL))
    text = convert (bytes, length, "windows-1252");
  if (text == NULL)
    text = g_utf8_make_valid (bytes, (gssize) length);
  remove_controls (text);
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    memmove (text, text + 3, strlen (text + 3) + 1);
  return g_steal_pointer (&text);
}

/* --- Pages ------------------------------------------------------------------------------------ */

char *
gadget_web_text_new (const GadgetWebPage *page, gsize max, GCancellable *cancellable, gboolean *cut)
{
  const gsize length = MIN (page->body->len, max);
  g_autofree char *text = gadget_web_text_to_utf8 (
      page->body->data != NULL ? (const char *) page->body->data : "", length, page->charset);
  g_autoptr (GadgetHtmlText) html = NULL;

  *cut = length < page->body->len;
  if (!gadget_web_page_is_html (page))
    return g_steal_pointer (&text);
  html = gadget_html_text_new (text, strlen (text), page->url, cancellable);
  if (html == NULL)
    return NULL;
  *cut = *cut || html->cut;
  if (*html->title == '\0')
    return g_steal_pointer (&html->markdown);
  return g_strdup_printf ("Title: %s\n\n%s", html->title, html->markdown);
}
