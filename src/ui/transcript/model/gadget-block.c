/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-block"

#include "config.h"

#include "gadget-block.h"

#include "ui/terminal/gadget-output-text.h"
#include "ui/text/gadget-chunks.h"

#include <string.h>

struct _GadgetBlock
{
  GObject parent_instance;

  GadgetBlockKind kind;
  GadgetTurn *turn;
  GadgetItem *item;
  gsize start;
  gsize end;
  gsize context;
  gboolean folded;
  gboolean expanded;
  GadgetSession *session;
  guint depth;
  GadgetChangeBook *book;
  GadgetTurn *root;
  char *workspace;
  char *provider_name;
};

G_DEFINE_FINAL_TYPE (GadgetBlock, gadget_block, G_TYPE_OBJECT)

gboolean
gadget_block_kind_is_markdown (GadgetBlockKind kind)
{
  return kind == GADGET_BLOCK_TEXT || kind == GADGET_BLOCK_NOTE;
}

static void
gadget_block_dispose (GObject *object)
{
  GadgetBlock *self = GADGET_BLOCK (object);

  g_clear_object (&self->turn);
  g_clear_object (&self->item);
  g_clear_object (&self->session);
  g_clear_object (&self->book);
  g_clear_object (&self->root);

  G_OBJECT_CLASS (gadget_block_parent_class)->dispose (object);
}

static void
gadget_block_finalize (GObject *object)
{
  g_free (GADGET_BLOCK (object)->provider_name);
  g_free (GADGET_BLOCK (object)->workspace);
  G_OBJECT_CLASS (gadget_block_parent_class)->finalize (object);
}

static void
gadget_block_class_init (GadgetBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_block_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_block_finalize;
}

static void
gadget_block_init (GadgetBlock *self)
{
}

/**
 * gadget_block_new:
 * @item: (nullable): NULL for what belongs to the turn as a whole
 */
GadgetBlock *
gadget_block_new (GadgetBlockKind kind, GadgetTurn *turn, GadgetItem *item)
{
  GadgetBlock *self;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  self = g_object_new (GADGET_TYPE_BLOCK, NULL);
  self->kind = kind;
  self->turn = g_object_ref (turn);
  g_set_object (&self->item, item);
  return self;
}

GadgetBlockKind
gadget_block_get_kind (GadgetBlock *self)
{
  return self->kind;
}

GadgetTurn *
gadget_block_get_turn (GadgetBlock *self)
{
  return self->turn;
}

GadgetItem *
gadget_block_get_item (GadgetBlock *self)
{
  return self->item;
}

GadgetSession *
gadget_block_get_session (GadgetBlock *self)
{
  return self->session;
}

guint
gadget_block_get_depth (GadgetBlock *self)
{
  return self->depth;
}

void
gadget_block_set_nested (GadgetBlock *self, GadgetSession *session, guint depth)
{
  g_set_object (&self->session, session);
  self->depth = depth;
}

void
gadget_block_set_range (GadgetBlock *self, gsize start, gsize end)
{
  self->start = start;
  self->end = end;
}

gsize
gadget_block_get_start (GadgetBlock *self)
{
  return self->start;
}

gsize
gadget_block_get_end (GadgetBlock *self)
{
  return self->end;
}

void
gadget_block_set_context (GadgetBlock *self, gsize context)
{
  self->context = context;
}

gsize
gadget_block_get_context (GadgetBlock *self)
{
  return self->context;
}

void
gadget_block_set_folded (GadgetBlock *self, gboolean folded)
{
  self->folded = folded;
}

gboolean
gadget_block_get_folded (GadgetBlock *self)
{
  return self->folded;
}

void
gadget_block_set_expanded (GadgetBlock *self, gboolean expanded)
{
  self->expanded = expanded;
}

gboolean
gadget_block_get_expanded (GadgetBlock *self)
{
  return self->expanded;
}

GadgetChangeBook *
gadget_block_get_book (GadgetBlock *self)
{
  return self->book;
}

GadgetTurn *
gadget_block_get_root (GadgetBlock *self)
{
  return self->root;
}

void
gadget_block_set_book (GadgetBlock *self, GadgetChangeBook *book, GadgetTurn *root,
                       const char *workspace)
{
  g_set_object (&self->book, book);
  g_set_object (&self->root, root);
  g_set_str (&self->workspace, workspace);
}

const char *
gadget_block_get_workspace (GadgetBlock *self)
{
  return self->workspace;
}

GadgetTurnChanges *
gadget_block_get_changes (GadgetBlock *self)
{
  return self->book != NULL && self->root != NULL
             ? gadget_change_book_look (self->book, gadget_turn_get_id (self->root))
             : NULL;
}

void
gadget_block_set_provider_name (GadgetBlock *self, const char *name)
{
  g_set_str (&self->provider_name, name);
}

const char *
gadget_block_get_provider_name (GadgetBlock *self)
{
  return self->provider_name;
}

const char *
gadget_block_get_text (GadgetBlock *self, gsize *length)
{
  gsize n = 0;
  const char *source = gadget_block_get_source (self->kind, self->turn, self->item, &n);
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
gadget_block_get_source (GadgetBlockKind kind, GadgetTurn *turn, GadgetItem *item, gsize *length)
{
  const char *text = NULL;

  switch (kind)
    {
    case GADGET_BLOCK_PROMPT:
      text = gadget_turn_get_prompt (turn);
      break;
    case GADGET_BLOCK_STEER:
    case GADGET_BLOCK_TEXT:
    case GADGET_BLOCK_NOTE:
    case GADGET_BLOCK_REASONING_TEXT:
    case GADGET_BLOCK_DIFF:
      *length = gadget_item_get_length (item);
      return gadget_item_get_text (item);
    case GADGET_BLOCK_TOOL_OUTPUT:
      return gadget_output_text_get (item, length);
    case GADGET_BLOCK_TOOL_ARGUMENTS:
      text = gadget_item_get_arguments_text (item);
      break;
    case GADGET_BLOCK_TOOL:
      text = gadget_item_get_summary (item);
      if (text == NULL)
        text = gadget_item_get_name (item);
      break;
    case GADGET_BLOCK_REASONING:
    case GADGET_BLOCK_SUMMARY:
    case GADGET_BLOCK_GROUP:
    case GADGET_BLOCK_PICTURE:
    case GADGET_BLOCK_GIVEN:
    case GADGET_BLOCK_STEER_GIVEN:
    case GADGET_BLOCK_ASK:
    case GADGET_BLOCK_ABORTED:
    case GADGET_BLOCK_ERROR:
    case GADGET_BLOCK_UNSAVED:
    case GADGET_BLOCK_FOOTER:
    default:
      break;
    }
  *length = text != NULL ? strlen (text) : 0;
  return text;
}
