/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-nested-turns.h"

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  guint depth;
} Scope;

struct _GadgetNestedTurns
{
  GPtrArray *nested_turns; /* of Scope; scope n is at n - 1 */
  GHashTable *numbers;     /* GadgetTurn → its scope */
};

static void
free_scope (gpointer data)
{
  Scope *scope = data;

  g_object_unref (scope->session);
  g_object_unref (scope->turn);
  g_free (scope);
}

GadgetNestedTurns *
gadget_nested_turns_new (void)
{
  GadgetNestedTurns *self = g_new0 (GadgetNestedTurns, 1);

  self->nested_turns = g_ptr_array_new_with_free_func (free_scope);
  self->numbers = g_hash_table_new (NULL, NULL);
  return self;
}

void
gadget_nested_turns_free (GadgetNestedTurns *self)
{
  g_ptr_array_unref (self->nested_turns);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

guint
gadget_nested_turns_add (GadgetNestedTurns *self, GadgetSession *child, GadgetTurn *turn,
                         guint parent)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, turn));
  Scope *scope;

  if (number > 0)
    return number;
  scope = g_new0 (Scope, 1);
  scope->session = g_object_ref (child);
  scope->turn = g_object_ref (turn);
  scope->depth = gadget_nested_turns_get_depth (self, parent) + 1;
  g_ptr_array_add (self->nested_turns, scope);
  g_hash_table_insert (self->numbers, turn, GUINT_TO_POINTER (self->nested_turns->len));
  return self->nested_turns->len;
}

static const Scope *
get_scope (GadgetNestedTurns *self, guint scope)
{
  g_assert (scope >= 1 && scope <= self->nested_turns->len);
  return g_ptr_array_index (self->nested_turns, scope - 1);
}

GadgetTurn *
gadget_nested_turns_get_turn (GadgetNestedTurns *self, guint scope)
{
  return get_scope (self, scope)->turn;
}

GadgetSession *
gadget_nested_turns_get_session (GadgetNestedTurns *self, guint scope)
{
  return get_scope (self, scope)->session;
}

guint
gadget_nested_turns_get_depth (GadgetNestedTurns *self, guint scope)
{
  return scope > 0 ? get_scope (self, scope)->depth : 0;
}
