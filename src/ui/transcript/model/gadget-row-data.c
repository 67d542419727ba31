/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plain properties of a row. The text is not copied: it is read from the turn or the item each
 * time. */

#define G_LOG_DOMAIN "gadget-row-data"

#include "config.h"

#include "gadget-row-data-private.h"

#include "ui/terminal/gadget-output-text.h"
#include "ui/text/gadget-chunks.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (GadgetRowData, gadget_row_data, G_TYPE_OBJECT)

static void
gadget_row_data_dispose (GObject *object)
{
  GadgetRowData *self = GADGET_ROW_DATA (object);

  g_clear_object (&self->turn);
  g_clear_object (&self->item);
  g_clear_object (&self->session);
  g_clear_object (&self->cache);
  g_clear_object (&self->root);

  G_OBJECT_CLASS (gadget_row_data_parent_class)->dispose (object);
}

static void
gadget_row_data_finalize (GObject *object)
{
  g_free (GADGET_ROW_DATA (object)->provider_name);
  g_free (GADGET_ROW_DATA (object)->workspace);
  G_OBJECT_CLASS (gadget_row_data_parent_class)->finalize (object);
}

static void
gadget_row_data_class_init (GadgetRowDataClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_row_data_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_row_data_finalize;
}

static void
gadget_row_data_init (GadgetRowData *self)
{
}

/**
 * gadget_row_data_new:
 * @item: (nullable): the item that the row shows; %NULL for a row of the turn as a whole
 *
 * Returns: (transfer full): row data that keep references to both
 */
GadgetRowData *
gadget_row_data_new (GadgetRowKind kind, GadgetTurn *turn, GadgetItem *item)
{
  GadgetRowData *self;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  self = g_object_new (GADGET_TYPE_ROW_DATA, NULL);
  self->kind = kind;
  self->turn = g_object_ref (turn);
  g_set_object (&self->item, item);
  return self;
}

/* The object has references to both of the following. gadget_row_data_get_turn () returns the turn
 * to which the row belongs, gadget_row_data_get_item () its item, or NULL where the kind shows no
 * item. gadget_row_data_get_kind () returns which kind that is. */
GadgetRowKind
gadget_row_data_get_kind (GadgetRowData *self)
{
  return self->kind;
}

GadgetTurn *
gadget_row_data_get_turn (GadgetRowData *self)
{
  return self->turn;
}

GadgetItem *
gadget_row_data_get_item (GadgetRowData *self)
{
  return self->item;
}

GadgetSession *
gadget_row_data_get_session (GadgetRowData *self)
{
  return self->session;
}

guint
gadget_row_data_get_depth (GadgetRowData *self)
{
  return self->depth;
}

gsize
gadget_row_data_get_start (GadgetRowData *self)
{
  return self->start;
}

gsize
gadget_row_data_get_end (GadgetRowData *self)
{
  return self->end;
}

gsize
gadget_row_data_get_context (GadgetRowData *self)
{
  return self->context;
}

gboolean
gadget_row_data_get_folded (GadgetRowData *self)
{
  return self->folded;
}

gboolean
gadget_row_data_get_expanded (GadgetRowData *self)
{
  return self->expanded;
}

GadgetChangeCache *
gadget_row_data_get_change_cache (GadgetRowData *self)
{
  return self->cache;
}

GadgetTurn *
gadget_row_data_get_root (GadgetRowData *self)
{
  return self->root;
}

const char *
gadget_row_data_get_workspace (GadgetRowData *self)
{
  return self->workspace;
}

GadgetTurnChanges *
gadget_row_data_get_changes (GadgetRowData *self)
{
  return self->cache != NULL && self->root != NULL
             ? gadget_change_cache_get (self->cache, gadget_turn_get_id (self->root))
             : NULL;
}

const char *
gadget_row_data_get_provider_name (GadgetRowData *self)
{
  return self->provider_name;
}

const char *
gadget_row_data_get_text (GadgetRowData *self, gsize *length)
{
  gsize n = 0;
  const char *source = gadget_row_data_get_source (self->kind, self->turn, self->item, &n);
  gsize end;

  if (source == NULL || self->start >= n)
    {
      *length = 0;
      return "";
    }
  end = MIN (self->end, n);
  *length = gadget_chunk_visible (source, n, self->start, end);
  return source + self->start;
}

const char *
gadget_row_data_get_source (GadgetRowKind kind, GadgetTurn *turn, GadgetItem *item, gsize *length)
{
  const char *text = NULL;

  switch (gadget_row_kind_get_text (kind))
    {
    case GADGET_ROW_TEXT_PROMPT:
      text = gadget_turn_get_prompt (turn);
      break;
    case GADGET_ROW_TEXT_ITEM:
      *length = gadget_item_get_length (item);
      return gadget_item_get_text (item);
    case GADGET_ROW_TEXT_OUTPUT:
      return gadget_output_text_get (item, length);
    case GADGET_ROW_TEXT_ARGUMENTS:
      text = gadget_item_get_arguments_text (item);
      break;
    case GADGET_ROW_TEXT_CALL:
      text = gadget_item_get_summary (item);
      if (text == NULL)
        text = gadget_item_get_name (item);
      break;
    case GADGET_ROW_TEXT_NONE:
    default:
      break;
    }
  *length = text != NULL ? strlen (text) : 0;
  return text;
}
