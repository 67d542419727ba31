/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the tree of messages of a chat to the branch that was shown and to the others, which become
 * chats of their own, as branches of Gadget are: they begin with copies of the turns that they have
 * in common with the first one.
 *
 * The file says which message was the last one that was shown; without it that is the newest one.
 * What is wrong in a tree costs only that: a message whose parent is missing is the first one of a
 * branch, and a circle ends where it began.
 *
 * A newer export must find the chats of an older one again, whichever branch was shown then. So the
 * id of a branch does not tell the shown one from others: it is that of the last message on the way
 * to its end that is not the first child of its parent. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

/* All branches of a chat together have so many messages, or so many times more than the chat. Each
 * has those before its fork once more, so that a file could else make millions. */
#define MAX_MESSAGES 20000
#define MAX_FACTOR 5
/* A chat with more messages is not worth the memory that its tree needs. */
#define MAX_NODES 400000
/* A message without a time is as new as one of so many before it. */
#define MAX_WITHOUT_TIME 16

typedef struct
{
  const char *id;
  const char *parent_id;
  const GadgetImportValue *message;
  gint64 time;
  int parent;      /* an index; -1 if there is none */
  int first_child; /* likewise */
  guint mark;      /* the last way that led over it */
  gboolean shown;  /* whether it is in the branch that was shown */
} Node;

struct _GadgetImportTree
{
  GadgetImportMemory *memory; /* of the messages */
  GArray *nodes;
  int first_root;
  guint last_mark;
};

void
_gadget_import_tree_add (GadgetImportTree *self, const char *id, const char *parent, gint64 time,
                         const GadgetImportValue *message)
{
  const Node node = {
    .id = id, .parent_id = parent, .message = message, .time = time, .parent = -1, .first_child = -1
  };

  _gadget_import_memory_relax (self->memory);
  if (self->nodes->len <= MAX_NODES)
    g_array_append_val (self->nodes, node);
}

static Node *
get_node (const GadgetImportTree *self, int index)
{
  return &g_array_index (self->nodes, Node, index);
}

/* Returns the index of the message with that id, -1 if there is none. */
static int
find_node (GHashTable *by_id, const char *id)
{
  return id != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (by_id, id)) - 1 : -1;
}

/* Connects the messages. Returns the index of the one that was shown last, if it is named. */
static int
connect_nodes (GadgetImportTree *self, const char *current)
{
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);

  self->first_root = -1;
  for (int i = 0; i < (int) self->nodes->len; i++)
    {
      Node *node = get_node (self, i);

      /* Of several with the same id the first one has it: others would be branches with one id. */
      while (node->id != NULL && g_hash_table_contains (by_id, node->id))
        node->id = _gadget_import_memory_printf (self->memory, "%s %d", node->id, i);
      if (node->id != NULL)
        g_hash_table_insert (by_id, (gpointer) node->id, GINT_TO_POINTER (i + 1));
      _gadget_import_memory_relax (self->memory);
    }
  for (int i = 0; i < (int) self->nodes->len; i++)
    {
      Node *node = get_node (self, i);
      int *first;

      node->parent = find_node (by_id, node->parent_id);
      first = node->parent >= 0 ? &get_node (self, node->parent)->first_child : &self->first_root;
      if (*first < 0 || node->time < get_node (self, *first)->time)
        *first = i;
      _gadget_import_memory_relax (self->memory);
    }
  return find_node (by_id, current);
}

static gint64
get_time (const GadgetImportTree *self, int index)
{
  for (guint i = 0; i < MAX_WITHOUT_TIME && index >= 0; i++)
    {
      if (get_node (self, index)->time != 0)
        return get_node (self, index)->time;
      index = get_node (self, index)->parent;
    }
  return 0;
}

/* Returns the newest message that nothing follows on; the last one if there is none. */
static int
find_newest (const GadgetImportTree *self)
{
  int newest = (int) self->nodes->len - 1;
  gint64 newest_time = -1;

  for (int i = 0; i < (int) self->nodes->len; i++)
    if (get_node (self, i)->first_child < 0 && get_time (self, i) >= newest_time)
      {
        newest = i;
        newest_time = get_time (self, i);
      }
  return newest;
}

/* Returns the way from the first message to @end (element-type Node), of which the first @n_shared
 * are in the branch that was shown. */
static GPtrArray *
find_way (GadgetImportTree *self, int end, guint *n_shared)
{
  GPtrArray *way = g_ptr_array_new ();
  const guint mark = ++self->last_mark;

  *n_shared = 0;
  for (int i = end; i >= 0 && get_node (self, i)->mark != mark; i = get_node (self, i)->parent)
    {
      Node *node = get_node (self, i);

      node->mark = mark;
      *n_shared += node->shown;
      g_ptr_array_add (way, node);
    }
  for (guint i = 0; i < way->len / 2; i++)
    {
      gpointer node = way->pdata[i];

      way->pdata[i] = way->pdata[way->len - 1 - i];
      way->pdata[way->len - 1 - i] = node;
    }
  return way;
}

/* Returns the id of a branch; NULL for the one that goes over first children only. */
static const char *
find_branch (const GadgetImportTree *self, const GPtrArray *way)
{
  for (guint i = way->len; i > 0; i--)
    {
      const Node *node = g_ptr_array_index (way, i - 1);
      const int first =
          node->parent >= 0 ? get_node (self, node->parent)->first_child : self->first_root;

      if (first >= 0 && node != get_node (self, first) && node->id != NULL)
        return node->id;
    }
  return NULL;
}

/* --- Branches --------------------------------------------------------------------------------- */

/* A chat that is being converted. */
typedef struct
{
  const GadgetImportFormat *format;
  const GadgetImportContext *context;
  GadgetImportHeader header;
  GadgetImportTree tree;
  const char *shown_branch; /* (nullable) */
  GadgetImportConverted *converted;
} Conversion;

/* Marks a branch as one of the branch that was shown, after the turn that they have in common. */
static void
set_origin (Conversion *self, GadgetImportValue *row, guint n_shared)
{
  const GadgetImportValue *shown = g_ptr_array_index (self->converted->rows, 0);
  const GadgetImportValue *turn =
      _gadget_import_get_first (_gadget_import_get_array (shown, "turns"));

  _gadget_import_memory_add_string (self->context->memory, row, "origin",
                                    _gadget_import_get_string (shown, "id"));
  if (n_shared == 0)
    return;
  for (guint i = 1; i < n_shared && turn != NULL; i++)
    turn = turn->next;
  if (turn != NULL)
    _gadget_import_memory_add_string (self->context->memory, row, "origin_turn",
                                      _gadget_import_get_string (turn, "id"));
}

/* Adds a branch, unless it has nothing of its own, but what the page of the program hides. */
static void
add_branch (Conversion *self, const GPtrArray *way, guint n_shared)
{
  const char *branch = find_branch (&self->tree, way);
  const gboolean is_shown = self->converted->rows->len == 0;
  g_autoptr (GadgetImportChat) chat = NULL;
  GadgetImportValue *row;

  if (is_shown)
    self->shown_branch = branch;
  else if (g_strcmp0 (branch, self->shown_branch) == 0)
    /* It goes on behind the message that was shown last. */
    branch = ((const Node *) g_ptr_array_index (way, n_shared))->id;
  chat = _gadget_import_chat_new (self->context, &self->header, branch);
  for (guint i = 0; i < way->len; i++)
    {
      if (i == n_shared)
        _gadget_import_chat_fork (chat);
      self->format->add_message (self->context, chat,
                                 ((const Node *) g_ptr_array_index (way, i))->message);
      _gadget_import_memory_relax (self->context->memory);
    }
  if (!_gadget_import_chat_has_own (chat))
    return;
  row = _gadget_import_chat_end (chat);
  self->converted->n_missing += _gadget_import_chat_get_n_missing (chat);
  if (!is_shown)
    set_origin (self, row, _gadget_import_chat_get_n_shared (chat));
  g_ptr_array_add (self->converted->rows, row);
}

static void
add_shown_branch (Conversion *self)
{
  int end = connect_nodes (&self->tree, self->header.current);
  guint n_shared;
  g_autoptr (GPtrArray) way = NULL;

  if (self->tree.nodes->len == 0)
    return;
  if (end < 0)
    end = find_newest (&self->tree);
  way = find_way (&self->tree, end, &n_shared);
  add_branch (self, way, 0);
  for (guint i = 0; i < way->len; i++)
    ((Node *) g_ptr_array_index (way, i))->shown = TRUE;
}

static void
add_other_branches (Conversion *self)
{
  guint left = MAX (MAX_MESSAGES, self->tree.nodes->len * MAX_FACTOR);

  self->header.pinned = FALSE;
  self->header.updated_at = 0;
  for (int i = 0; i < (int) self->tree.nodes->len; i++)
    {
      guint n_shared;
      g_autoptr (GPtrArray) way = NULL;

      if (get_node (&self->tree, i)->first_child >= 0 || get_node (&self->tree, i)->shown)
        continue;
      if (left > 0)
        way = find_way (&self->tree, i, &n_shared);
      if (way == NULL || way->len > left)
        {
          left = 0;
          self->converted->n_left_out++;
          continue;
        }
      left -= way->len;
      add_branch (self, way, n_shared);
    }
}

const GadgetImportFormat *
_gadget_import_find_format (const GadgetImportValue *object)
{
  static const GadgetImportFormat *const formats[] = { &_gadget_import_chatgpt,
                                                       &_gadget_import_claude,
                                                       &_gadget_import_open_webui };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i]->is_chat (object))
      return formats[i];
  return NULL;
}

GadgetImportConverted *
_gadget_import_convert (const GadgetImportFormat *format, const GadgetImportContext *context,
                        const GadgetImportValue *object)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  g_autoptr (GadgetImportConverted) converted = g_new0 (GadgetImportConverted, 1);
  Conversion self = { format, context, .tree = { context->memory, nodes }, .converted = converted };

  converted->rows = g_ptr_array_new ();
  if (!format->read (context, object, &self.header, &self.tree) || self.header.id == NULL
      || nodes->len > MAX_NODES)
    return NULL;
  converted->has_instructions = self.header.has_instructions;
  add_shown_branch (&self);
  /* Without messages in it, the shown branch is as good as any other one. */
  add_other_branches (&self);
  return g_steal_pointer (&converted);
}

void
_gadget_import_converted_free (GadgetImportConverted *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_free (self);
}
