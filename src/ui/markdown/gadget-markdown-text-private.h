/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown.h"

G_BEGIN_DECLS

GadgetMarkdownText *_gadget_markdown_text_new           (void);
void                _gadget_markdown_text_free          (GadgetMarkdownText     *self);

/* Text in the making: @string grows, and _finish () puts it in its place. */
typedef struct
{
  GadgetMarkdownText *text;
  GString *string;
} GadgetMarkdownWriter;

void                _gadget_markdown_writer_init        (GadgetMarkdownWriter   *self,
                                                         GadgetMarkdownText     *text);
void                _gadget_markdown_writer_finish      (GadgetMarkdownWriter   *self);

/* Appends @bytes, which stand at @source in the source, made valid and visible. */
void                _gadget_markdown_writer_add_source  (GadgetMarkdownWriter   *self,
                                                         const char             *bytes,
                                                         gsize                   length,
                                                         gsize                   source);

/* Appends @bytes, which stand for a part of the source. */
void                _gadget_markdown_writer_add_instead (GadgetMarkdownWriter   *self,
                                                         const char             *bytes,
                                                         gsize                   length,
                                                         gsize                   source,
                                                         gsize                   source_length);

/* Takes what is behind @length away again. */
void                _gadget_markdown_writer_truncate    (GadgetMarkdownWriter   *self,
                                                         gsize                   length);

G_END_DECLS
