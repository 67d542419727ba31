/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-document.h"

G_BEGIN_DECLS

/* A text that is being built: @string grows, and _finish () moves it into @text. */
typedef struct
{
  GadgetMarkdownText *text;
  GString *string;
} GadgetMarkdownWriter;

/* Begin and end the writing of @text. */
void _gadget_markdown_writer_init        (GadgetMarkdownWriter *self,
                                          GadgetMarkdownText   *text);
void _gadget_markdown_writer_finish      (GadgetMarkdownWriter *self);

/* Appends @bytes, which are at @source in the source, as valid UTF-8 with visible characters. */
void _gadget_markdown_writer_add_source  (GadgetMarkdownWriter *self,
                                          const char           *bytes,
                                          gsize                 length,
                                          gsize                 source);

/* Appends @bytes, which stand for @source_length other bytes at @source in the source. */
void _gadget_markdown_writer_add_instead (GadgetMarkdownWriter *self,
                                          const char           *bytes,
                                          gsize                 length,
                                          gsize                 source,
                                          gsize                 source_length);

/* Removes what is behind @length. */
void _gadget_markdown_writer_truncate    (GadgetMarkdownWriter *self,
                                          gsize                 length);

G_END_DECLS
