/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-scopes.h"

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  guint depth;
} Scope;

struct _GadgetScopes
{
  GPtrArray *scopes;   /* of Scope: number n at n - 1 */
  GHashTable *numbers; /* GadgetTurn → number */
};

static void
free_scope (gpointer data)
{
  Scope *scope = data;

  g_object_unref (scope->session);
  g_object_unref (scope->turn);
  g_free (scope);
}

GadgetScopes *
gadget_scopes_new (void)
{
  GadgetScopes *self = g_new0 (GadgetScopes, 1);

  self->scopes = g_ptr_array_new_with_free_func (free_scope);
  self->numbers = g_hash_table_new (NULL, NULL);
  return self;
}

void
gadget_scopes_free (GadgetScopes *self)
{
  g_ptr_array_unref (self->scopes);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

guint
gadget_scopes_add (GadgetScopes *self, GadgetSession *child, GadgetTurn *turn, guint parent)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, turn));
  Scope *scope;

  if (number > 0)
    return number;
  scope = g_new0 (Scope, 1);
  scope->session = g_object_ref (child);
  scope->turn = g_object_ref (turn);
  scope->depth = gadget_scopes_get_depth (self, parent) + 1;
  g_ptr_array_add (self->scopes, scope);
  g_hash_table_insert (self->numbers, turn, GUINT_TO_POINTER (self->scopes->len));
  return self->scopes->len;
}

static const Scope *
get_scope (GadgetScopes *self, guint scope)
{
  g_assert (scope >= 1 && scope <= self->scopes->len);
  return g_ptr_array_index (self->scopes, scope - 1);
}

GadgetTurn *
gadget_scopes_get_turn (GadgetScopes *self, guint scope)
{
  return get_scope (self, scope)->turn;
}

GadgetSession *
gadget_scopes_get_session (GadgetScopes *self, guint scope)
{
  return get_scope (self, scope)->session;
}

guint
gadget_scopes_get_depth (GadgetScopes *self, guint scope)
{
  return scope > 0 ? get_scope (self, scope)->depth : 0;
}
