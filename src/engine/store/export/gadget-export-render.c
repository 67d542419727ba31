/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text and Markdown of strangers as HTML. md4c parses the Markdown, and this file writes each tag
 * itself, so the tags and attributes below are all that there can be; the renderer of md4c would
 * also write "javascript:" links and load pictures. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-export-render.h"

#include "common/gadget-bidi.h"
#include "common/gadget-visible.h"

#include <md4c.h>
#include <string.h>

#define FLAGS                                                                                      \
  (MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS        \
   | MD_FLAG_NOHTML)

/* The headings of an answer are below those of the chat and of the message. */
#define HEADINGS_ABOVE 2

/* What is being written. Links and pictures can be in each other, but only the outermost one is
 * written. */
typedef struct
{
  GString *html;
  guint depth;     /* of links and pictures */
  char *href;      /* (nullable): the address of the outermost one */
  gboolean linked; /* it is a link that can be opened */
  gsize begin;     /* where its text begins in @html */
} Renderer;

static void
append_escaped (GString *html, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (html, escaped);
}

void
gadget_export_render_text (GString *html, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *plain = gadget_bidi_escape (valid);

  append_escaped (html, plain);
}

/* Returns the text without control sequences (ECMA-48, 5.4) and operating system commands.
 * (transfer full) */
static char *
dup_without_sequences (const char *text)
{
  static GRegex *regex;

  if (g_once_init_enter_pointer (&regex))
    g_once_init_leave_pointer (
        &regex, g_regex_new ("\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)"
                             "|\\r(?=\\n)",
                             G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL));
  return g_regex_replace_literal (regex, text, -1, 0, "", 0, NULL);
}

void
gadget_export_render_output (GString *html, const char *text)
{
  g_autofree char *plain = dup_without_sequences (text);
  g_autofree char *visible = gadget_visible_escape (plain != NULL ? plain : text);

  append_escaped (html, visible);
}

/* --- Attributes ------------------------------------------------------------------------------- */

/* Returns the character that an entity stands for, 0 for a name that is not known. Those that are
 * known are the ones that addresses need. */
static gunichar
get_entity (const char *entity, gsize length)
{
  static const struct
  {
    const char *name;
    gunichar character;
  } names[] = {
    { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' },
  };
  guint64 code = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (length == strlen (names[i].name) && strncmp (entity, names[i].name, length) == 0)
      return names[i].character;
  if (length < 4 || entity[1] != '#')
    return 0;
  if (g_ascii_tolower (entity[2]) == 'x')
    code = g_ascii_strtoull (entity + 3, NULL, 16);
  else
    code = g_ascii_strtoull (entity + 2, NULL, 10);
  return code > 0 && code <= 0x10ffff && g_unichar_validate ((gunichar) code) ? (gunichar) code
                                                                              : 0xfffd;
}

static void
append_entity (GString *text, const char *entity, gsize length)
{
  const gunichar c = get_entity (entity, length);

  if (c != 0)
    g_string_append_unichar (text, c);
  else
    g_string_append_len (text, entity, (gssize) length);
}

/* Returns an attribute with its entities replaced, so that what is checked is what a browser gets.
 * (transfer full) */
static char *
dup_attribute (const MD_ATTRIBUTE *attribute)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; attribute->text != NULL && attribute->substr_offsets[i] < attribute->size; i++)
    {
      const char *part = attribute->text + attribute->substr_offsets[i];
      const gsize length = attribute->substr_offsets[i + 1] - attribute->substr_offsets[i];

      if (attribute->substr_types[i] == MD_TEXT_ENTITY)
        append_entity (text, part, length);
      else
        g_string_append_len (text, part, (gssize) length);
    }
  return g_string_free_and_steal (text);
}

static gboolean
may_open (const char *address)
{
  static const char *const schemes[] = { "http://", "https://", "mailto:" };

  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_ascii_strncasecmp (address, schemes[i], strlen (schemes[i])) == 0)
      return TRUE;
  return FALSE;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void
append_block (GString *html, gboolean enter, const char *name)
{
  g_string_append_printf (html, enter ? "<%s>" : "</%s>\n", name);
}

static void
enter_code (GString *html, const MD_BLOCK_CODE_DETAIL *detail)
{
  g_autofree char *language = dup_attribute (&detail->lang);

  g_string_append (html, "<figure class=\"code\">");
  if (*language != '\0')
    {
      g_string_append (html, "<figcaption>");
      gadget_export_render_text (html, language);
      g_string_append (html, "</figcaption>");
    }
  g_string_append (html, "<pre dir=\"ltr\"><code>");
}

static void
enter_item (GString *html, const MD_BLOCK_LI_DETAIL *detail)
{
  if (!detail->is_task)
    g_string_append (html, "<li>");
  else
    g_string_append (html,
                     detail->task_mark == ' ' ? "<li class=\"task\">☐ " : "<li class=\"task\">☑ ");
}

static void
enter_cell (GString *html, const char *name, const MD_BLOCK_TD_DETAIL *detail)
{
  static const char *const alignments[] = {
    [MD_ALIGN_DEFAULT] = "",
    [MD_ALIGN_LEFT] = " class=\"left\"",
    [MD_ALIGN_CENTER] = " class=\"center\"",
    [MD_ALIGN_RIGHT] = " class=\"right\"",
  };

  g_string_append_printf (html, "<%s%s>", name, alignments[detail->align]);
}

/* The blocks whose tags have no attributes. */
static const char *
get_name (MD_BLOCKTYPE type)
{
  static const char *const names[] = {
    [MD_BLOCK_QUOTE] = "blockquote",
    [MD_BLOCK_UL] = "ul",
    [MD_BLOCK_OL] = "ol",
    [MD_BLOCK_LI] = "li",
    [MD_BLOCK_P] = "p",
    [MD_BLOCK_THEAD] = "thead",
    [MD_BLOCK_TBODY] = "tbody",
    [MD_BLOCK_TR] = "tr",
    [MD_BLOCK_TH] = "th",
    [MD_BLOCK_TD] = "td",
  };

  return type < G_N_ELEMENTS (names) ? names[type] : NULL;
}

static void
append_heading (GString *html, gboolean enter, const MD_BLOCK_H_DETAIL *detail)
{
  const guint level = MIN (detail->level + HEADINGS_ABOVE, 6);
  g_autofree char *name = g_strdup_printf ("h%u", level);

  append_block (html, enter, name);
}

static int
enter_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  GString *html = ((Renderer *) data)->html;

  switch ((int) type)
    {
    case MD_BLOCK_HR:
      g_string_append (html, "<hr>\n");
      break;
    case MD_BLOCK_H:
      append_heading (html, TRUE, detail);
      break;
    case MD_BLOCK_CODE:
      enter_code (html, detail);
      break;
    case MD_BLOCK_LI:
      enter_item (html, detail);
      break;
    case MD_BLOCK_OL:
      g_string_append_printf (html, "<ol start=\"%u\">\n",
                              ((const MD_BLOCK_OL_DETAIL *) detail)->start);
      break;
    case MD_BLOCK_TABLE:
      g_string_append (html, "<div class=\"table\"><table>\n");
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      enter_cell (html, get_name (type), detail);
      break;
    default:
      if (get_name (type) != NULL)
        append_block (html, TRUE, get_name (type));
    }
  return 0;
}

static int
leave_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  GString *html = ((Renderer *) data)->html;

  if (type == MD_BLOCK_H)
    append_heading (html, FALSE, detail);
  else if (type == MD_BLOCK_CODE)
    g_string_append (html, "</code></pre></figure>\n");
  else if (type == MD_BLOCK_TABLE)
    g_string_append (html, "</table></div>\n");
  else if (get_name (type) != NULL)
    append_block (html, FALSE, get_name (type));
  return 0;
}

/* --- Spans ------------------------------------------------------------------------------------ */

static void
enter_link (Renderer *self, const MD_ATTRIBUTE *address)
{
  if (self->depth++ > 0)
    return;
  self->href = dup_attribute (address);
  self->linked = may_open (self->href);
  if (self->linked)
    {
      g_string_append (self->html, "<a rel=\"noreferrer noopener\" href=\"");
      gadget_export_render_text (self->html, self->href);
      g_string_append (self->html, "\">");
    }
  self->begin = self->html->len;
}

/* A link without a text has its address as text, and so has what is no link but looks like one. */
static void
leave_link (Renderer *self)
{
  const gboolean is_empty = self->html->len == self->begin;

  if (--self->depth > 0)
    return;
  if (is_empty)
    gadget_export_render_text (self->html, self->href);
  else if (!self->linked)
    {
      g_string_append (self->html, " (");
      gadget_export_render_text (self->html, self->href);
      g_string_append_c (self->html, ')');
    }
  if (self->linked)
    g_string_append (self->html, "</a>");
  g_clear_pointer (&self->href, g_free);
}

static const char *
get_span_name (MD_SPANTYPE type)
{
  static const char *const names[] = {
    [MD_SPAN_EM] = "em",
    [MD_SPAN_STRONG] = "strong",
    [MD_SPAN_CODE] = "code",
    [MD_SPAN_DEL] = "del",
  };

  return type < G_N_ELEMENTS (names) ? names[type] : NULL;
}

static int
enter_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  Renderer *self = data;

  if (type == MD_SPAN_A)
    enter_link (self, &((const MD_SPAN_A_DETAIL *) detail)->href);
  else if (type == MD_SPAN_IMG)
    enter_link (self, &((const MD_SPAN_IMG_DETAIL *) detail)->src);
  else if (get_span_name (type) != NULL)
    g_string_append_printf (self->html, "<%s>", get_span_name (type));
  return 0;
}

static int
leave_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  Renderer *self = data;

  if (type == MD_SPAN_A || type == MD_SPAN_IMG)
    leave_link (self);
  else if (get_span_name (type) != NULL)
    g_string_append_printf (self->html, "</%s>", get_span_name (type));
  return 0;
}

/* A browser knows the names of all entities, but not the two that could reorder the text: these
 * stay names. */
static void
append_text_entity (GString *html, const char *entity, gsize length)
{
  g_autofree char *name = g_strndup (entity, length);
  g_autoptr (GString) text = g_string_new (NULL);

  if (entity[1] != '#' && !g_str_equal (name, "&rlm;") && !g_str_equal (name, "&lrm;"))
    {
      g_string_append (html, name);
      return;
    }
  append_entity (text, entity, length);
  gadget_export_render_text (html, text->str);
}

static int
text_cb (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
  GString *html = ((Renderer *) data)->html;
  g_autofree char *part = NULL;

  switch ((int) type)
    {
    case MD_TEXT_NULLCHAR:
      g_string_append (html, "\357\277\275");
      break;
    case MD_TEXT_BR:
      g_string_append (html, "<br>\n");
      break;
    case MD_TEXT_SOFTBR:
      g_string_append_c (html, '\n');
      break;
    case MD_TEXT_ENTITY:
      append_text_entity (html, text, size);
      break;
    default:
      part = g_strndup (text, size);
      append_escaped (html, part);
    }
  return 0;
}

void
gadget_export_render_markdown (GString *html, const char *markdown)
{
  const MD_PARSER parser = {
    .flags = FLAGS,
    .enter_block = enter_block_cb,
    .leave_block = leave_block_cb,
    .enter_span = enter_span_cb,
    .leave_span = leave_span_cb,
    .text = text_cb,
  };
  g_autofree char *valid = g_utf8_make_valid (markdown, -1);
  g_autofree char *plain = gadget_bidi_escape (valid);
  Renderer self = { .html = html };

  md_parse (plain, (MD_SIZE) strlen (plain), &parser, &self);
  g_free (self.href);
}
