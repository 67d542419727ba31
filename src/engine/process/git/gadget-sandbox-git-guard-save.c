/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Saves a guard as a note on the disk (see gadget-sandbox-git-note.c), and loads it again. */

#include "config.h"

#include "gadget-sandbox-git-guard-private.h"

static void
save_known (const char *path, const GadgetGitState *known, GVariantBuilder *builder)
{
  GVariantBuilder parts = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aay"));
  GVariantBuilder kept = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ab"));

  for (guint i = 0; i < GADGET_GIT_N_PARTS; i++)
    {
      g_variant_builder_add (&parts, "^ay", known->parts[i] != NULL ? known->parts[i] : "");
      g_variant_builder_add (&kept, "b", known->kept[i]);
    }
  g_variant_builder_add (
      builder, "(^ay^ayaayab@m" GADGET_GIT_ORDERS_TYPE ")", path, known->identity, &parts, &kept,
      g_variant_new_maybe (G_VARIANT_TYPE (GADGET_GIT_ORDERS_TYPE),
                           known->orders != NULL ? _gadget_git_orders_save (known->orders) : NULL));
}

static GVariant *
save_keys (GHashTable *table)
{
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (table, NULL);

  return g_variant_new_bytestring_array ((const char *const *) keys, -1);
}

static GVariant *
save (GadgetGitGuard *self)
{
  GVariantBuilder known =
      G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")"));
  GHashTableIter iter;
  gpointer path;
  gpointer value;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, &path, &value))
    save_known (path, value, &known);
  return g_variant_new (
      "(^aybxxbba(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")@aay@aay@" GADGET_GIT_NAMED_TYPE ")",
      self->workspace, self->whole_names, (gint64) self->begun.tv_sec, (gint64) self->begun.tv_nsec,
      self->places->whole, self->places->remembered, &known, save_keys (self->others),
      save_keys (self->others_before), _gadget_git_named_save (self->named));
}

void
gadget_git_guard_note (GadgetGitGuard *self, const char *folder)
{
  g_clear_pointer (&self->note, _gadget_git_note_free);
  self->note = _gadget_git_note_new (folder, save (self));
}

static void
load_known (GadgetGitGuard *self, GVariant *state)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GVariant) kept = NULL;
  g_autoptr (GVariant) orders = NULL;
  char *path;
  GadgetGitState *known = g_new0 (GadgetGitState, 1);

  g_variant_get (state, "(^ay^ay^aay@abm@" GADGET_GIT_ORDERS_TYPE ")", &path, &known->identity,
                 &parts, &kept, &orders);
  for (guint i = 0; i < MIN (GADGET_GIT_N_PARTS, g_strv_length (parts)); i++)
    known->parts[i] = g_strdup (parts[i]);
  for (guint i = 0; i < MIN (GADGET_GIT_N_PARTS, g_variant_n_children (kept)); i++)
    g_variant_get_child (kept, i, "b", &known->kept[i]);
  known->orders = orders != NULL ? _gadget_git_orders_load (orders) : NULL;
  g_hash_table_insert (self->known, path, known);
  g_hash_table_insert (self->before, known->identity, known);
}

static void
load_others (GadgetGitGuard *self, const char *const *others, const char *const *identities)
{
  for (guint i = 0; others[i] != NULL; i++)
    {
      char *path = g_strdup (others[i]);

      g_ptr_array_add (self->places->others, path);
      g_hash_table_add (self->others, path);
    }
  for (guint i = 0; identities[i] != NULL; i++)
    g_hash_table_add (self->others_before, g_strdup (identities[i]));
}

/* Findings are reported by absolute paths: the folder that was given to the command is not known
 * any more. */
GadgetGitGuard *
_gadget_git_guard_load (GVariant *state)
{
  GadgetGitGuard *self;
  g_autoptr (GVariant) known = NULL;
  g_autoptr (GVariant) named = NULL;
  g_auto (GStrv) others = NULL;
  g_auto (GStrv) identities = NULL;
  gint64 seconds;
  gint64 nanoseconds;

  if (!g_variant_is_normal_form (state))
    return NULL;
  self = _gadget_git_guard_new_empty ();
  self->places = _gadget_git_places_new ();
  g_variant_get (
      state, "(^aybxxbb@a(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")^aay^aay@" GADGET_GIT_NAMED_TYPE ")",
      &self->workspace, NULL, &seconds, &nanoseconds, &self->places->whole,
      &self->places->remembered, &known, &others, &identities, &named);
  self->whole_names = TRUE;
  self->begun.tv_sec = seconds;
  self->begun.tv_nsec = nanoseconds;
  for (gsize i = 0; i < g_variant_n_children (known); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (known, i);

      load_known (self, child);
    }
  load_others (self, (const char *const *) others, (const char *const *) identities);
  self->named = _gadget_git_named_load (self->workspace, named);
  return self;
}
