/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts HTML to Markdown. The parser calls a function for each start tag, end tag and piece of
 * text, and the Markdown is written immediately: no tree is built and nothing recurses, so that a
 * page with a hundred thousand nested elements costs no more than its size. Between chunks of 4 KB
 * the cancellable and the time are checked.
 *
 * White space is written late: an element requests line breaks with want_lines (), and the next
 * text writes them. In a table cell line breaks become spaces. */

#define G_LOG_DOMAIN "gadget-html-text"

#include "config.h"

#include "gadget-html-text.h"

#include <libxml/HTMLparser.h>
#include <string.h>

/* Sizes are in bytes, MAX_TIME_US is in microseconds, MAX_INDENT is a depth. */
#define PIECE 4096
#define MAX_TIME_US (5 * G_USEC_PER_SEC)
#define MAX_URL 2000
#define MAX_TITLE 300
#define MAX_INDENT 8

/* The meaning of an element for the text. */
typedef enum
{
  ELEMENT_OTHER,
  ELEMENT_DROPPED, /* not shown, with everything in it */
  ELEMENT_BLOCK,   /* separated by blank lines */
  ELEMENT_LINE,    /* on a line of its own */
  ELEMENT_HEADING,
  ELEMENT_BREAK,
  ELEMENT_RULE,
  ELEMENT_LIST,
  ELEMENT_ORDERED,
  ELEMENT_ITEM,
  ELEMENT_QUOTE,
  ELEMENT_PRE,
  ELEMENT_CODE,
  ELEMENT_LINK,
  ELEMENT_IMAGE,
  ELEMENT_TABLE,
  ELEMENT_ROW,
  ELEMENT_CELL,
  ELEMENT_TITLE,
  ELEMENT_BASE,
} Element;

static const struct
{
  const char *name;
  Element element;
} elements[] = {
  { "script", ELEMENT_DROPPED },   { "style", ELEMENT_DROPPED },    { "nav", ELEMENT_DROPPED },
  { "template", ELEMENT_DROPPED }, { "svg", ELEMENT_DROPPED },      { "iframe", ELEMENT_DROPPED },
  { "object", ELEMENT_DROPPED },   { "select", ELEMENT_DROPPED },   { "button", ELEMENT_DROPPED },
  { "textarea", ELEMENT_DROPPED }, { "p", ELEMENT_BLOCK },          { "div", ELEMENT_LINE },
  { "section", ELEMENT_BLOCK },    { "article", ELEMENT_BLOCK },    { "main", ELEMENT_BLOCK },
  { "header", ELEMENT_BLOCK },     { "footer", ELEMENT_BLOCK },     { "aside", ELEMENT_BLOCK },
  { "figure", ELEMENT_BLOCK },     { "figcaption", ELEMENT_BLOCK }, { "address", ELEMENT_BLOCK },
  { "form", ELEMENT_BLOCK },       { "fieldset", ELEMENT_BLOCK },   { "details", ELEMENT_BLOCK },
  { "summary", ELEMENT_LINE },     { "dl", ELEMENT_BLOCK },         { "dt", ELEMENT_LINE },
  { "dd", ELEMENT_LINE },          { "caption", ELEMENT_LINE },     { "h1", ELEMENT_HEADING },
  { "h2", ELEMENT_HEADING },       { "h3", ELEMENT_HEADING },       { "h4", ELEMENT_HEADING },
  { "h5", ELEMENT_HEADING },       { "h6", ELEMENT_HEADING },       { "br", ELEMENT_BREAK },
  { "hr", ELEMENT_RULE },          { "ul", ELEMENT_LIST },          { "menu", ELEMENT_LIST },
  { "ol", ELEMENT_ORDERED },       { "li", ELEMENT_ITEM },          { "blockquote", ELEMENT_QUOTE },
  { "pre", ELEMENT_PRE },          { "code", ELEMENT_CODE },        { "kbd", ELEMENT_CODE },
  { "samp", ELEMENT_CODE },        { "a", ELEMENT_LINK },           { "img", ELEMENT_IMAGE },
  { "table", ELEMENT_TABLE },      { "tr", ELEMENT_ROW },           { "td", ELEMENT_CELL },
  { "th", ELEMENT_CELL },          { "title", ELEMENT_TITLE },      { "base", ELEMENT_BASE },
};

/* The state of the conversion. */
typedef struct
{
  GString *out;
  GString *title;
  GUri *base; /* (nullable) */
  htmlParserCtxtPtr parser;
  guint dropped;  /* the number of open elements that are not shown */
  guint lines;    /* line breaks to write before the next text */
  gboolean space; /* a space to write before the next text */
  gboolean in_title;
  guint pre;
  guint quotes;
  GArray *lists; /* of int: the number of the next item, 0 in unordered lists */
  gboolean item; /* the marker of a list item is to be written */
  guint code;
  char *link;      /* (nullable): the target of the open link */
  gsize link_text; /* where the text of the link begins in @out */
  guint tables;
  guint rows;
  guint columns; /* cells of the current row so far */
  gboolean full;
} Writer;

/* gadget_html_text_free: frees the texts, too; @self may be %NULL. */
void
gadget_html_text_free (GadgetHtmlText *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->markdown);
  g_free (self);
}

static Element
find_element (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].name, name) == 0)
      return elements[i].element;
  return ELEMENT_OTHER;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Requests at least @n line breaks before the next text. */
static void
want_lines (Writer *self, guint n)
{
  if (self->columns > 0)
    self->space = TRUE;
  else
    self->lines = MAX (self->lines, n);
}

static void
append_margin (Writer *self)
{
  const guint depth = MIN (self->lists->len, MAX_INDENT);

  for (guint i = 0; i < MIN (self->quotes, MAX_INDENT); i++)
    g_string_append (self->out, "> ");
  for (guint i = 1; i < depth; i++)
    g_string_append (self->out, "  ");
  if (depth == 0)
    return;
  if (!self->item)
    {
      g_string_append (self->out, "  ");
      return;
    }
  int *number = &g_array_index (self->lists, int, self->lists->len - 1);

  if (*number > 0)
    g_string_append_printf (self->out, "%d. ", (*number)++);
  else
    g_string_append (self->out, "- ");
  self->item = FALSE;
}

/* Writes the pending line breaks, list marker or space before something visible. */
static void
begin (Writer *self)
{
  const gboolean first = self->out->len == 0;

  if (first || self->lines > 0)
    {
      for (guint i = 0; !first && i < self->lines; i++)
        g_string_append_c (self->out, '\n');
      append_margin (self);
    }
  else if (self->space)
    g_string_append_c (self->out, ' ');
  self->lines = 0;
  self->space = FALSE;
}

static void
append_pre (Writer *self, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (text[i] == '\n')
      self->lines = MIN (self->lines + 1, 3);
    else if (text[i] != '\r')
      {
        if (self->lines > 0)
          begin (self);
        g_string_append_c (self->out, text[i]);
      }
}

static void
append_words (Writer *self, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      if (g_ascii_isspace (text[i]))
        {
          self->space = TRUE;
          continue;
        }
      if (self->lines > 0 || self->space || self->out->len == 0)
        begin (self);
      if (text[i] == '|' && self->columns > 0)
        g_string_append_c (self->out, '\\');
      g_string_append_c (self->out, text[i]);
    }
}

static void
append (Writer *self, const char *text, gsize length)
{
  if (self->pre > 0 && self->columns == 0)
    append_pre (self, text, length);
  else
    append_words (self, text, length);
  if (self->out->len < GADGET_HTML_MAX_TEXT || self->full)
    return;
  self->full = TRUE;
  xmlStopParser (self->parser);
}

static void
append_mark (Writer *self, const char *mark)
{
  begin (self);
  g_string_append (self->out, mark);
}

/* --- Links ------------------------------------------------------------------------------------ */

static const char *
get_attribute (const xmlChar **attributes, const char *name)
{
  for (guint i = 0; attributes != NULL && attributes[i] != NULL; i += 2)
    if (g_ascii_strcasecmp ((const char *) attributes[i], name) == 0)
      return (const char *) attributes[i + 1];
  return NULL;
}

/* Returns NULL for links that are not shown: those that are neither web addresses nor e-mail
 * addresses. */
static char *
dup_target (Writer *self, const char *href)
{
  const GUriFlags flags = G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED;
  g_autoptr (GUri) uri = NULL;
  const char *scheme;

  if (href == NULL || *href == '#' || *href == '\0' || strlen (href) > MAX_URL)
    return NULL;
  uri = g_uri_parse_relative (self->base, href, flags, NULL);
  scheme = uri != NULL ? g_uri_get_scheme (uri) : NULL;
  if (scheme == NULL
      || (g_ascii_strcasecmp (scheme, "http") != 0 && g_ascii_strcasecmp (scheme, "https") != 0
          && g_ascii_strcasecmp (scheme, "mailto") != 0))
    return NULL;
  return g_uri_to_string (uri);
}

static void
end_link (Writer *self)
{
  g_autofree char *link = g_steal_pointer (&self->link);

  if (link == NULL)
    return;
  if (self->out->len == self->link_text)
    g_string_truncate (self->out, self->link_text - 1); /* there is no link text */
  else
    g_string_append_printf (self->out, "](%s)", link);
}

static void
begin_link (Writer *self, const xmlChar **attributes)
{
  end_link (self);
  if (self->pre > 0)
    return;
  self->link = dup_target (self, get_attribute (attributes, "href"));
  if (self->link == NULL)
    return;
  append_mark (self, "[");
  self->link_text = self->out->len;
}

static void
set_base (Writer *self, const xmlChar **attributes)
{
  g_autofree char *target = dup_target (self, get_attribute (attributes, "href"));

  if (target == NULL || !g_str_has_prefix (target, "http"))
    return;
  g_clear_pointer (&self->base, g_uri_unref);
  self->base = g_uri_parse (target, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
}

/* --- Lists, tables, code ---------------------------------------------------------------------- */

static void
begin_list (Writer *self, gboolean ordered)
{
  const int first = ordered ? 1 : 0;

  want_lines (self, self->lists->len > 0 ? 1 : 2);
  g_array_append_val (self->lists, first);
}

static void
end_list (Writer *self)
{
  if (self->lists->len > 0)
    g_array_set_size (self->lists, self->lists->len - 1);
  self->item = FALSE;
  want_lines (self, self->lists->len > 0 ? 1 : 2);
}

/* A table inside of a cell is text of that cell. */
static void
begin_cell (Writer *self)
{
  if (self->tables != 1)
    {
      want_lines (self, 1);
      return;
    }
  if (self->columns == 0)
    {
      self->lines = MAX (self->lines, 1);
      append_mark (self, "|");
    }
  else
    g_string_append (self->out, " |");
  self->columns++;
  self->space = TRUE;
}

static void
end_row (Writer *self)
{
  if (self->tables != 1 || self->columns == 0)
    return;
  g_string_append (self->out, " |");
  if (self->rows++ == 0)
    {
      g_string_append (self->out, "\n|");
      for (guint i = 0; i < self->columns; i++)
        g_string_append (self->out, " --- |");
    }
  self->columns = 0;
  self->space = FALSE;
  self->lines = 1;
}

static void
begin_pre (Writer *self)
{
  want_lines (self, 2);
  self->pre++;
  if (self->pre > 1 || self->columns > 0)
    return;
  append_mark (self, "```");
  self->lines = 1;
}

static void
end_pre (Writer *self)
{
  if (self->pre == 0)
    return;
  self->pre--;
  if (self->pre > 0 || self->columns > 0)
    return;
  self->lines = 1;
  append_mark (self, "```");
  want_lines (self, 2);
}

static void
mark_code (Writer *self, gboolean begins)
{
  if (self->pre > 0)
    return;
  if (begins)
    {
      self->code++;
      if (self->code == 1)
        append_mark (self, "`");
    }
  else if (self->code > 0)
    {
      self->code--;
      if (self->code == 0)
        g_string_append_c (self->out, '`');
    }
}

/* --- Callbacks of the parser ------------------------------------------------------------------ */

static gboolean
is_hidden (const xmlChar **attributes)
{
  const char *style = get_attribute (attributes, "style");

  for (guint i = 0; attributes != NULL && attributes[i] != NULL; i += 2)
    if (g_ascii_strcasecmp ((const char *) attributes[i], "hidden") == 0)
      return TRUE;
  return style != NULL
         && (strstr (style, "display:none") != NULL || strstr (style, "display: none") != NULL);
}

static void
begin_element (Writer *self, const char *name, const xmlChar **attributes)
{
  const char *alt;

  switch (find_element (name))
    {
    case ELEMENT_BLOCK:
      want_lines (self, 2);
      break;
    case ELEMENT_LINE:
    case ELEMENT_BREAK:
      want_lines (self, 1);
      break;
    case ELEMENT_HEADING:
      want_lines (self, 2);
      if (self->columns == 0)
        {
          append_mark (self, &"######"['6' - name[1]]);
          self->space = TRUE;
        }
      break;
    case ELEMENT_RULE:
      want_lines (self, 2);
      if (self->columns == 0)
        append_mark (self, "---");
      want_lines (self, 2);
      break;
    case ELEMENT_LIST:
    case ELEMENT_ORDERED:
      begin_list (self, find_element (name) == ELEMENT_ORDERED);
      break;
    case ELEMENT_ITEM:
      want_lines (self, 1);
      self->item = self->lists->len > 0 && self->columns == 0;
      break;
    case ELEMENT_QUOTE:
      want_lines (self, 2);
      self->quotes++;
      break;
    case ELEMENT_PRE:
      begin_pre (self);
      break;
    case ELEMENT_CODE:
      mark_code (self, TRUE);
      break;
    case ELEMENT_LINK:
      begin_link (self, attributes);
      break;
    case ELEMENT_IMAGE:
      alt = get_attribute (attributes, "alt");
      if (alt != NULL)
        append (self, alt, strlen (alt));
      break;
    case ELEMENT_TABLE:
      want_lines (self, 2);
      self->rows = self->tables++ == 0 ? 0 : self->rows;
      break;
    case ELEMENT_ROW:
      end_row (self);
      break;
    case ELEMENT_CELL:
      begin_cell (self);
      break;
    case ELEMENT_TITLE:
      self->in_title = self->title->len == 0;
      break;
    case ELEMENT_BASE:
      set_base (self, attributes);
      break;
    case ELEMENT_DROPPED:
    case ELEMENT_OTHER:
    default:
      break;
    }
}

static void
start_cb (void *data, const xmlChar *name, const xmlChar **attributes)
{
  Writer *self = data;

  if (self->dropped > 0 || find_element ((const char *) name) == ELEMENT_DROPPED
      || is_hidden (attributes))
    self->dropped++;
  else
    begin_element (self, (const char *) name, attributes);
}

static void
end_cb (void *data, const xmlChar *name)
{
  Writer *self = data;

  if (self->dropped > 0)
    {
      self->dropped--;
      return;
    }
  switch (find_element ((const char *) name))
    {
    case ELEMENT_BLOCK:
    case ELEMENT_HEADING:
      want_lines (self, 2);
      break;
    case ELEMENT_LINE:
    case ELEMENT_ITEM:
      want_lines (self, 1);
      break;
    case ELEMENT_LIST:
    case ELEMENT_ORDERED:
      end_list (self);
      break;
    case ELEMENT_QUOTE:
      self->quotes -= self->quotes > 0 ? 1 : 0;
      want_lines (self, 2);
      break;
    case ELEMENT_PRE:
      end_pre (self);
      break;
    case ELEMENT_CODE:
      mark_code (self, FALSE);
      break;
    case ELEMENT_LINK:
      end_link (self);
      break;
    case ELEMENT_TABLE:
      end_row (self);
      self->tables -= self->tables > 0 ? 1 : 0;
      want_lines (self, 2);
      break;
    case ELEMENT_ROW:
      end_row (self);
      break;
    case ELEMENT_TITLE:
      self->in_title = FALSE;
      break;
    case ELEMENT_CELL:
    case ELEMENT_BREAK:
    case ELEMENT_RULE:
    case ELEMENT_IMAGE:
    case ELEMENT_BASE:
    case ELEMENT_DROPPED:
    case ELEMENT_OTHER:
    default:
      break;
    }
}

static void
text_cb (void *data, const xmlChar *text, int length)
{
  Writer *self = data;

  if (self->in_title && self->title->len < MAX_TITLE)
    g_string_append_len (self->title, (const char *) text, length);
  else if (self->dropped == 0 && !self->in_title)
    append (self, (const char *) text, (gsize) length);
}

/* --- The whole page --------------------------------------------------------------------------- */

/* Returns FALSE when the page was not read to its end. */
static gboolean
feed (Writer *self, const char *html, gsize length, GCancellable *cancellable)
{
  const gint64 end_us = g_get_monotonic_time () + MAX_TIME_US;
  gsize done = 0;

  while (done < length && !self->full)
    {
      gsize next = MIN (done + PIECE, length);

      /* The parser takes a chunk that ends inside of a character for another encoding. */
      while (next < length && next > done + 1 && ((guchar) html[next] & 0xc0) == 0x80)
        next--;
      if (g_cancellable_is_cancelled (cancellable) || g_get_monotonic_time () > end_us)
        return FALSE;
      htmlParseChunk (self->parser, html + done, (int) (next - done), 0);
      done = next;
    }
  if (!self->full)
    htmlParseChunk (self->parser, NULL, 0, 1);
  return !self->full;
}

static GadgetHtmlText *
make_result (Writer *self, gboolean whole)
{
  GadgetHtmlText *result = g_new0 (GadgetHtmlText, 1);
  g_autofree char *title = g_utf8_make_valid (self->title->str, (gssize) self->title->len);
  g_auto (GStrv) words = g_strsplit_set (title, " \t\r\n", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  end_link (self);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[i]);
  result->title = g_strdup (line->str);
  result->markdown = g_utf8_make_valid (self->out->str, (gssize) self->out->len);
  result->cut = !whole;
  return result;
}

/**
 * gadget_html_text_new:
 *
 * See the header.
 *
 * Returns: (nullable) (transfer full): the text
 */
GadgetHtmlText *
gadget_html_text_new (const char *html, gsize length, const char *base, GCancellable *cancellable)
{
  xmlSAXHandler handler = {
    .startElement = start_cb,
    .endElement = end_cb,
    .characters = text_cb,
    .ignorableWhitespace = text_cb,
    .cdataBlock = text_cb,
  };
  Writer self = {
    .out = g_string_new (NULL),
    .title = g_string_new (NULL),
    .base = g_uri_parse (base, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL),
    .lists = g_array_new (FALSE, FALSE, sizeof (int)),
  };
  GadgetHtmlText *result = NULL;
  gboolean whole;

  self.parser = htmlCreatePushParserCtxt (&handler, &self, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
  g_assert (self.parser != NULL);
  htmlCtxtUseOptions (self.parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING
                                       | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  whole = feed (&self, html, length, cancellable);
  if (!g_cancellable_is_cancelled (cancellable))
    result = make_result (&self, whole);

  if (self.parser->myDoc != NULL)
    xmlFreeDoc (self.parser->myDoc);
  htmlFreeParserCtxt (self.parser);
  g_string_free (self.out, TRUE);
  g_string_free (self.title, TRUE);
  g_clear_pointer (&self.base, g_uri_unref);
  g_array_unref (self.lists);
  g_free (self.link);
  return result;
}
