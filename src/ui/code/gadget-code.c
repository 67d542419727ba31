/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a block of code that must survive its rows: it lives as long as its item. The colors
 * are in gadget-code-colors.c. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-private.h"

#include "gadget-code-language.h"
#include "gadget-code-worker.h"

#include <string.h>

/* The blocks of code of an item, in its data. */
typedef struct
{
  GHashTable *codes; /* offset where the block begins → GadgetCode */
  gboolean keeps_open;
} Blocks;

enum
{
  PROP_0,
  PROP_WRAP,
  PROP_FOLDABLE,
  N_PROPS
};

enum
{
  COLORED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetCode, gadget_code, G_TYPE_OBJECT)

/* --- The blocks of an item --- */

static G_DEFINE_QUARK (gadget-code-blocks, blocks)

                          static void leave_item (gpointer data)
{
  GadgetCode *self = data;

  self->item = NULL;
  self->closed = TRUE;
  gadget_code_worker_remove (self);
  g_object_unref (self);
}

static void
blocks_free (gpointer data)
{
  Blocks *blocks = data;

  g_hash_table_unref (blocks->codes);
  g_free (blocks);
}

static Blocks *
get_blocks (GadgetItem *item)
{
  Blocks *blocks = g_object_get_qdata (G_OBJECT (item), blocks_quark ());

  if (blocks == NULL)
    {
      blocks = g_new0 (Blocks, 1);
      blocks->codes = g_hash_table_new_full (NULL, NULL, NULL, leave_item);
      g_object_set_qdata_full (G_OBJECT (item), blocks_quark (), blocks, blocks_free);
    }
  return blocks;
}

/* --- Object --- */

static void
gadget_code_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetCode *self = GADGET_CODE (object);

  switch (prop_id)
    {
    case PROP_WRAP:
      g_value_set_boolean (value, self->wrap);
      break;
    case PROP_FOLDABLE:
      g_value_set_boolean (value, gadget_code_get_foldable (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_code_dispose (GObject *object)
{
  GadgetCode *self = GADGET_CODE (object);

  gadget_code_worker_remove (self);
  _gadget_code_drop_engines (self);
  g_clear_object (&self->scroll);

  G_OBJECT_CLASS (gadget_code_parent_class)->dispose (object);
}

static void
gadget_code_finalize (GObject *object)
{
  GadgetCode *self = GADGET_CODE (object);

  g_array_unref (self->runs);
  g_free (self->word);

  G_OBJECT_CLASS (gadget_code_parent_class)->finalize (object);
}

static void
gadget_code_class_init (GadgetCodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gadget_code_get_property;
  object_class->dispose = gadget_code_dispose;
  object_class->finalize = gadget_code_finalize;

  props[PROP_WRAP] =
      g_param_spec_boolean ("wrap", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  props[PROP_FOLDABLE] = g_param_spec_boolean ("foldable", NULL, NULL, FALSE,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[COLORED] = g_signal_new ("colored", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_code_init (GadgetCode *self)
{
  self->runs = g_array_new (FALSE, FALSE, sizeof (GadgetCodeRun));
}

void
_gadget_code_emit_colored (GadgetCode *self)
{
  g_signal_emit (self, signals[COLORED], 0);
}

/**
 * gadget_code_get:
 * @begin: the offset where the block begins: of its segment, or of its first line if it is in a
 *   list or a quote
 *
 * Returns: (transfer none): the block; it is made when it does not exist yet
 */
GadgetCode *
gadget_code_get (GadgetItem *item, gsize begin)
{
  Blocks *blocks;
  GadgetCode *self;

  g_return_val_if_fail (GADGET_IS_ITEM (item), NULL);

  blocks = get_blocks (item);
  self = g_hash_table_lookup (blocks->codes, GSIZE_TO_POINTER (begin));
  if (self == NULL)
    {
      self = g_object_new (GADGET_TYPE_CODE, NULL);
      self->item = item;
      self->first = (GadgetCodePosition) { .begin = begin, .segment = begin, .context = begin };
      self->place = self->first;
      self->known = begin;
      g_hash_table_insert (blocks->codes, GSIZE_TO_POINTER (begin), self);
    }
  return self;
}

void
gadget_code_set_nested (GadgetCode *self, gsize segment, gsize context)
{
  g_return_if_fail (GADGET_IS_CODE (self));

  if (self->first.nested || self->item == NULL)
    return;
  gadget_code_position_set_nested (&self->first, self->item, segment, context);
  self->place = self->first;
}

void
gadget_code_keep_open (GadgetItem *item)
{
  g_return_if_fail (GADGET_IS_ITEM (item));
  get_blocks (item)->keeps_open = TRUE;
}

gboolean
gadget_code_is_open (GadgetItem *item, gsize begin)
{
  Blocks *blocks;
  GadgetCode *self;

  g_return_val_if_fail (GADGET_IS_ITEM (item), TRUE);

  blocks = get_blocks (item);
  self = g_hash_table_lookup (blocks->codes, GSIZE_TO_POINTER (begin));
  if (self == NULL || self->fold == GADGET_CODE_FOLD_UNSET)
    return blocks->keeps_open;
  return self->fold == GADGET_CODE_FOLD_OPEN;
}

void
gadget_code_set_open (GadgetCode *self, gboolean open)
{
  g_return_if_fail (GADGET_IS_CODE (self));
  self->fold = open ? GADGET_CODE_FOLD_OPEN : GADGET_CODE_FOLD_FOLDED;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FOLDABLE]);
}

gboolean
gadget_code_get_foldable (GadgetCode *self)
{
  return self->foldable && self->item != NULL
         && gadget_code_is_open (self->item, self->first.begin);
}

void
gadget_code_set_foldable (GadgetCode *self, gboolean foldable)
{
  g_return_if_fail (GADGET_IS_CODE (self));

  if (self->foldable == foldable)
    return;
  self->foldable = foldable;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FOLDABLE]);
}

gboolean
gadget_code_get_wrap (GadgetCode *self)
{
  return self->wrap;
}

void
gadget_code_set_wrap (GadgetCode *self, gboolean wrap)
{
  g_return_if_fail (GADGET_IS_CODE (self));

  if (self->wrap == wrap)
    return;
  self->wrap = wrap;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_WRAP]);
}

GtkAdjustment *
gadget_code_get_scroll (GadgetCode *self)
{
  if (self->scroll == NULL)
    self->scroll = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  return self->scroll;
}

int
gadget_code_widen (GadgetCode *self, int width)
{
  self->widest = MAX (self->widest, width);
  return self->widest;
}

void
gadget_code_set_word (GadgetCode *self, const char *word)
{
  g_return_if_fail (GADGET_IS_CODE (self));

  /* While the text streams, "c" may become "c++": the colors found for the shorter word are
   * dropped. */
  if (!g_set_str (&self->word, word))
    return;
  _gadget_code_drop_engines (self);
  g_array_set_size (self->runs, 0);
  self->place = self->first;
  self->known = self->first.begin;
  self->prepared = FALSE;
  self->closed = self->item == NULL;
}

char *
gadget_code_dup_text (GadgetCode *self)
{
  g_return_val_if_fail (GADGET_IS_CODE (self), NULL);

  return self->item != NULL ? gadget_code_position_dup_text (&self->first, self->item)
                            : g_strdup ("");
}

/* Only nested blocks are counted. Other blocks are folded by the transcript's model, which has rows
 * for their parts. */
guint
gadget_code_count_folded (GadgetCode *self)
{
  g_return_val_if_fail (GADGET_IS_CODE (self), 0);

  if (!self->first.nested || self->item == NULL
      || gadget_item_get_status (self->item) == GADGET_ITEM_STREAMING)
    return 0;
  if (self->n_lines == 0)
    {
      g_autofree char *text = gadget_code_dup_text (self);

      self->n_lines = 1;
      for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
        self->n_lines++;
    }
  if (self->n_lines <= GADGET_CODE_MOST_LINES)
    return 0;
  gadget_code_set_foldable (self, TRUE);
  return gadget_code_get_foldable (self) ? 0 : self->n_lines - GADGET_CODE_SHOWN_LINES;
}

const char *
gadget_code_get_name (GadgetCode *self)
{
  return gadget_code_language_get_name (self->word);
}

char *
gadget_code_dup_file_name (GadgetCode *self)
{
  return gadget_code_language_dup_file_name (self->word);
}
