/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The most text that is written for one page, in bytes. */
#define GADGET_HTML_MAX_TEXT (2 * 1024 * 1024)

/**
 * GadgetHtmlText:
 * @title: the page's title, or ""
 * @markdown: the readable text of the page
 * @cut: whether the rest of the page was not read, because it is too long or takes too much time
 *
 * The text of a page.
 */
typedef struct
{
  char *title;
  char *markdown;
  gboolean cut;
} GadgetHtmlText;

/* Converts a page of HTML, which must be UTF-8, to Markdown. Blocks, but may be called in any
 * thread. Whatever the page contains, time and memory are bounded and nothing is loaded. @base is
 * the URL of the page, for its links. Returns: (transfer full) (nullable): NULL when it was
 * cancelled. */
GadgetHtmlText *gadget_html_text_new  (const char      *html,
                                       gsize            length,
                                       const char      *base,
                                       GCancellable    *cancellable);
void            gadget_html_text_free (GadgetHtmlText  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHtmlText, gadget_html_text_free)

G_END_DECLS
