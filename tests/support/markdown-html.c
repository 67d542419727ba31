/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "markdown-html.h"

#include "ui/markdown/gadget-markdown-segment.h"

#include <string.h>

typedef struct
{
  GString *out;
  GArray *open; /* of GadgetMarkdownContainer */
  guint document;
} Html;

static void
add_line_start (Html *html)
{
  if (html->out->len > 0 && html->out->str[html->out->len - 1] != '\n')
    g_string_append_c (html->out, '\n');
}

static void
add_escaped (Html *html, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      switch (text[i])
        {
        case '&':
          g_string_append (html->out, "&amp;");
          break;
        case '<':
          g_string_append (html->out, "&lt;");
          break;
        case '>':
          g_string_append (html->out, "&gt;");
          break;
        case '"':
          g_string_append (html->out, "&quot;");
          break;
        default:
          g_string_append_c (html->out, text[i]);
        }
    }
}

static void
add_address (Html *html, const char *address)
{
  for (const char *p = address; *p != '\0'; p++)
    {
      if (*p == '&')
        g_string_append (html->out, "&amp;");
      else if (*p == '\'')
        g_string_append (html->out, "&#x27;");
      else if (g_ascii_isalnum (*p) || strchr ("-_.+!*(),%#@?=;:/$~", *p) != NULL)
        g_string_append_c (html->out, *p);
      else
        g_string_append_printf (html->out, "%%%02X", (guint) (guchar) *p);
    }
}

static void
add_title (Html *html, const GadgetMarkdownSpan *span)
{
  if (span->title == NULL)
    return;
  g_string_append (html->out, " title=\"");
  add_escaped (html, span->title, strlen (span->title));
  g_string_append_c (html->out, '"');
}

static void
open_span (Html *html, const GadgetMarkdownSpan *span)
{
  switch (span->kind)
    {
    case GADGET_MARKDOWN_SPAN_STRONG:
      g_string_append (html->out, "<strong>");
      break;
    case GADGET_MARKDOWN_SPAN_EMPHASIS:
      g_string_append (html->out, "<em>");
      break;
    case GADGET_MARKDOWN_SPAN_STRIKE:
      g_string_append (html->out, "<del>");
      break;
    case GADGET_MARKDOWN_SPAN_CODE:
      g_string_append (html->out, "<code>");
      break;
    case GADGET_MARKDOWN_SPAN_UNDERLINE:
      g_string_append (html->out, "<u>");
      break;
    case GADGET_MARKDOWN_SPAN_HIGHLIGHT:
      g_string_append (html->out, "<mark>");
      break;
    case GADGET_MARKDOWN_SPAN_SUPERSCRIPT:
      g_string_append (html->out, "<sup>");
      break;
    case GADGET_MARKDOWN_SPAN_SUBSCRIPT:
      g_string_append (html->out, "<sub>");
      break;
    case GADGET_MARKDOWN_SPAN_MATH:
      g_string_append (html->out, "<x-math>");
      break;
    case GADGET_MARKDOWN_SPAN_LINK:
    case GADGET_MARKDOWN_SPAN_REFUSED:
      g_string_append (html->out, "<a href=\"");
      add_address (html, span->href);
      g_string_append_c (html->out, '"');
      add_title (html, span);
      g_string_append_c (html->out, '>');
      break;
    case GADGET_MARKDOWN_SPAN_IMAGE:
      g_string_append (html->out, "<img src=\"");
      add_address (html, span->href);
      g_string_append (html->out, "\" alt=\"");
      break;
    case GADGET_MARKDOWN_SPAN_BREAK:
      g_string_append (html->out, "<br />");
      break;
    default:
      break;
    }
}

static void
close_span (Html *html, const GadgetMarkdownSpan *span)
{
  switch (span->kind)
    {
    case GADGET_MARKDOWN_SPAN_STRONG:
      g_string_append (html->out, "</strong>");
      break;
    case GADGET_MARKDOWN_SPAN_EMPHASIS:
      g_string_append (html->out, "</em>");
      break;
    case GADGET_MARKDOWN_SPAN_STRIKE:
      g_string_append (html->out, "</del>");
      break;
    case GADGET_MARKDOWN_SPAN_CODE:
      g_string_append (html->out, "</code>");
      break;
    case GADGET_MARKDOWN_SPAN_UNDERLINE:
      g_string_append (html->out, "</u>");
      break;
    case GADGET_MARKDOWN_SPAN_HIGHLIGHT:
      g_string_append (html->out, "</mark>");
      break;
    case GADGET_MARKDOWN_SPAN_SUPERSCRIPT:
      g_string_append (html->out, "</sup>");
      break;
    case GADGET_MARKDOWN_SPAN_SUBSCRIPT:
      g_string_append (html->out, "</sub>");
      break;
    case GADGET_MARKDOWN_SPAN_MATH:
      g_string_append (html->out, "</x-math>");
      break;
    case GADGET_MARKDOWN_SPAN_LINK:
    case GADGET_MARKDOWN_SPAN_REFUSED:
      g_string_append (html->out, "</a>");
      break;
    case GADGET_MARKDOWN_SPAN_IMAGE:
      g_string_append_c (html->out, '"');
      add_title (html, span);
      g_string_append (html->out, " />");
      break;
    default:
      break;
    }
}

static void
add_text (Html *html, const GadgetMarkdownText *text)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  guint next = 0;

  for (guint at = 0; at <= text->length; at++)
    {
      gboolean raw = FALSE, hidden = FALSE;

      for (;;)
        {
          const GadgetMarkdownSpan *last =
              open->len > 0 ? g_ptr_array_index (open, open->len - 1) : NULL;
          const GadgetMarkdownSpan *span =
              next < text->spans->len ? &g_array_index (text->spans, GadgetMarkdownSpan, next)
                                      : NULL;

          if (last != NULL && last->end <= at
              && (span == NULL || span->start > at || span->start >= last->end))
            {
              close_span (html, last);
              g_ptr_array_set_size (open, (int) open->len - 1);
            }
          else if (span != NULL && span->start == at)
            {
              open_span (html, span);
              g_ptr_array_add (open, (gpointer) span);
              next++;
            }
          else
            break;
        }
      for (guint i = 0; i < open->len; i++)
        {
          const GadgetMarkdownSpan *span = g_ptr_array_index (open, i);

          raw = raw || span->kind == GADGET_MARKDOWN_SPAN_HTML;
          hidden = hidden || span->kind == GADGET_MARKDOWN_SPAN_ADDRESS;
        }
      if (at == text->length || hidden)
        continue;
      if (raw)
        g_string_append_c (html->out, text->text[at]);
      else
        add_escaped (html, text->text + at, 1);
    }
}

static void
open_container (Html *html, const GadgetMarkdownContainer *container, gboolean same_list)
{
  if (container->kind == GADGET_MARKDOWN_QUOTE)
    {
      add_line_start (html);
      g_string_append (html->out, "<blockquote>\n");
    }
  else
    {
      add_line_start (html);
      if (!same_list && !container->ordered)
        g_string_append (html->out, "<ul>\n");
      else if (!same_list && container->number != 1)
        g_string_append_printf (html->out, "<ol start=\"%u\">\n", container->number);
      else if (!same_list)
        g_string_append (html->out, "<ol>\n");
      g_string_append (html->out, "<li>");
      if (container->task != GADGET_MARKDOWN_NO_TASK)
        g_string_append_printf (html->out, "<input %sdisabled=\"\" type=\"checkbox\"> ",
                                container->task == GADGET_MARKDOWN_TASK_DONE ? "checked=\"\" "
                                                                             : "");
    }
  g_array_append_val (html->open, *container);
}

static void
close_container (Html *html, gboolean same_list)
{
  const GadgetMarkdownContainer *container =
      &g_array_index (html->open, GadgetMarkdownContainer, html->open->len - 1);

  if (container->kind == GADGET_MARKDOWN_QUOTE)
    {
      add_line_start (html);
      g_string_append (html->out, "</blockquote>\n");
    }
  else
    {
      g_string_append (html->out, "</li>\n");
      if (!same_list)
        g_string_append (html->out, container->ordered ? "</ol>\n" : "</ul>\n");
    }
  g_array_set_size (html->open, html->open->len - 1);
}

/* Closes and opens containers for a leaf; or for none, at the end of a document. */
static void
set_containers (Html *html, const GadgetMarkdownContainer *containers, guint n)
{
  guint same = 0;
  gboolean same_list;

  while (same < n && same < html->open->len
         && containers[same].id == g_array_index (html->open, GadgetMarkdownContainer, same).id)
    same++;
  while (html->open->len > same + 1)
    close_container (html, FALSE);
  same_list =
      html->open->len > same && n > same && containers[same].list != 0
      && containers[same].list == g_array_index (html->open, GadgetMarkdownContainer, same).list;
  if (html->open->len > same)
    close_container (html, same_list);
  for (guint i = same; i < n; i++)
    open_container (html, &containers[i], same_list && i == same);
}

static void
add_table (Html *html, const GadgetMarkdownTable *table)
{
  static const char *const alignments[] = { "", " align=\"left\"", " align=\"center\"",
                                            " align=\"right\"" };

  g_string_append (html->out, "<table>\n");
  for (guint row = 0; row < table->n_rows; row++)
    {
      const gboolean head = row == 0 && table->has_header;

      if (head)
        g_string_append (html->out, "<thead>\n");
      if (row == 1)
        g_string_append (html->out, "<tbody>\n");
      g_string_append (html->out, "<tr>\n");
      for (guint column = 0; column < table->n_columns; column++)
        {
          g_string_append_printf (html->out, head ? "<th%s>" : "<td%s>",
                                  alignments[table->alignments[column]]);
          add_text (html, gadget_markdown_table_get_cell (table, row, column));
          g_string_append (html->out, head ? "</th>\n" : "</td>\n");
        }
      g_string_append (html->out, "</tr>\n");
      if (head)
        g_string_append (html->out, "</thead>\n");
    }
  g_string_append (html->out, table->n_rows > 1 ? "</tbody>\n</table>\n" : "</table>\n");
}

static void
add_code (Html *html, const GadgetMarkdownLeaf *leaf)
{
  g_string_append (html->out, "<pre><code");
  if (leaf->language != NULL && *leaf->language != '\0')
    {
      g_string_append (html->out, " class=\"language-");
      add_escaped (html, leaf->language, strlen (leaf->language));
      g_string_append_c (html->out, '"');
    }
  g_string_append_c (html->out, '>');
  add_text (html, leaf->text);
  g_string_append (html->out, leaf->text->length > 0 ? "\n</code></pre>\n" : "</code></pre>\n");
}

static void
add_paragraph (Html *html, const GadgetMarkdownLeaf *leaf)
{
  const GadgetMarkdownContainer *inner =
      leaf->n_containers > 0 ? &leaf->containers[leaf->n_containers - 1] : NULL;

  /* An empty quote or item. */
  if (leaf->text->length == 0 && leaf->text->spans->len == 0)
    return;
  if (inner != NULL && inner->kind == GADGET_MARKDOWN_ITEM && inner->tight)
    {
      if (!inner->first)
        add_line_start (html);
      add_text (html, leaf->text);
      return;
    }
  add_line_start (html);
  g_string_append (html->out, "<p>");
  add_text (html, leaf->text);
  g_string_append (html->out, "</p>\n");
}

static void
add_leaf (Html *html, const GadgetMarkdownLeaf *leaf)
{
  set_containers (html, leaf->containers, leaf->n_containers);
  if (leaf->kind != GADGET_MARKDOWN_PARAGRAPH && leaf->kind != GADGET_MARKDOWN_PICTURE)
    add_line_start (html);
  switch (leaf->kind)
    {
    case GADGET_MARKDOWN_HEADING:
      g_string_append_printf (html->out, "<h%u>", leaf->level);
      add_text (html, leaf->text);
      g_string_append_printf (html->out, "</h%u>\n", leaf->level);
      break;
    case GADGET_MARKDOWN_CODE:
      add_code (html, leaf);
      break;
    case GADGET_MARKDOWN_TABLE:
      add_table (html, leaf->table);
      break;
    case GADGET_MARKDOWN_RULE:
      g_string_append (html->out, "<hr />\n");
      break;
    case GADGET_MARKDOWN_HTML_TEXT:
      g_string_append_len (html->out, leaf->text->text, leaf->text->length);
      g_string_append_c (html->out, '\n');
      break;
    case GADGET_MARKDOWN_MATH:
      g_string_append (html->out, "<x-math>");
      add_text (html, leaf->text);
      g_string_append (html->out, "</x-math>\n");
      break;
    case GADGET_MARKDOWN_PARAGRAPH:
    case GADGET_MARKDOWN_PICTURE:
    default:
      add_paragraph (html, leaf);
      break;
    }
}

char *
markdown_to_html (const char *text, gsize length, gboolean open)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  Html html = { .out = g_string_new (NULL),
                .open = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownContainer)) };
  gsize start = 0, context = 0;

  gadget_markdown_definitions_scan (definitions, text, length, open);
  while (start < length)
    {
      gsize next;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse_in (text, length, start, end, context, definitions, open);

      for (guint i = 0; i < document->leaves->len; i++)
        add_leaf (&html, gadget_markdown_document_get_leaf (document, i));
      set_containers (&html, NULL, 0);
      start = end;
      context = next;
    }
  g_array_unref (html.open);
  return g_string_free_and_steal (html.out);
}

static void
example_free (gpointer data)
{
  MarkdownExample *example = data;

  g_free (example->section);
  g_free (example->markdown);
  g_free (example->html);
  g_free (example);
}

/* Lines, tabs written out. */
static char *
join_lines (char **lines, guint n)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (joined, "%s\n", lines[i]);
  g_string_replace (joined, "\342\206\222", "\t", 0);
  return g_string_free_and_steal (joined);
}

GPtrArray *
markdown_examples_load (const char *name)
{
  static const char fence[] = "````````````````````````````````";
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "markdown", name, NULL);
  GPtrArray *examples = g_ptr_array_new_with_free_func (example_free);
  g_autofree char *data = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &data, NULL, NULL));
  lines = g_strsplit (data, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      MarkdownExample *example;
      guint dot = i, end;

      if (!g_str_has_prefix (lines[i], fence) || !g_str_has_prefix (lines[i] + 32, " example "))
        continue;
      while (strcmp (lines[++dot], ".") != 0)
        ;
      for (end = dot + 1; strcmp (lines[end], fence) != 0; end++)
        ;
      example = g_new0 (MarkdownExample, 1);
      example->number = (guint) g_ascii_strtoull (lines[i] + 41, &example->section, 10);
      example->section = g_strdup (example->section + 1);
      example->markdown = join_lines (lines + i + 1, dot - i - 1);
      example->html = join_lines (lines + dot + 1, end - dot - 1);
      g_ptr_array_add (examples, example);
      i = end;
    }
  return examples;
}
