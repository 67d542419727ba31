/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-links.h"

struct _GadgetMarkdownLinks
{
  GObject parent_instance;

  GadgetMarkdownDefinitions *definitions;
  gsize length; /* length of the text that was scanned */
  gboolean open;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMarkdownLinks, gadget_markdown_links, G_TYPE_OBJECT)

static G_DEFINE_QUARK (gadget-markdown-links, gadget_markdown_links)

                          static void gadget_markdown_links_finalize (GObject *object)
{
  gadget_markdown_definitions_free (GADGET_MARKDOWN_LINKS (object)->definitions);

  G_OBJECT_CLASS (gadget_markdown_links_parent_class)->finalize (object);
}

static void
gadget_markdown_links_class_init (GadgetMarkdownLinksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_markdown_links_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_markdown_links_init (GadgetMarkdownLinks *self)
{
  self->definitions = gadget_markdown_definitions_new ();
  self->open = TRUE;
}

/**
 * gadget_markdown_links_update:
 *
 * Scans what was added to the text of @item since the last call. Emits "changed" when this changes
 * how text before it may look.
 *
 * Returns: (transfer none): the links of @item
 */
GadgetMarkdownLinks *
gadget_markdown_links_update (GadgetItem *item)
{
  GadgetMarkdownLinks *self;
  gsize length;
  gboolean open;

  g_return_val_if_fail (GADGET_IS_ITEM (item), NULL);

  self = g_object_get_qdata (G_OBJECT (item), gadget_markdown_links_quark ());
  if (self == NULL)
    {
      self = g_object_new (GADGET_TYPE_MARKDOWN_LINKS, NULL);
      g_object_set_qdata_full (G_OBJECT (item), gadget_markdown_links_quark (), self,
                               g_object_unref);
    }
  length = gadget_item_get_length (item);
  open = gadget_item_get_status (item) == GADGET_ITEM_STREAMING;
  if (length == self->length && open == self->open)
    return self;
  self->length = length;
  self->open = open;
  if (gadget_markdown_definitions_scan (self->definitions, gadget_item_get_text (item), length,
                                        open))
    g_signal_emit (self, signals[CHANGED], 0);
  return self;
}

const GadgetMarkdownDefinitions *
gadget_markdown_links_get_definitions (GadgetMarkdownLinks *self)
{
  g_return_val_if_fail (GADGET_IS_MARKDOWN_LINKS (self), NULL);
  return self->definitions;
}
