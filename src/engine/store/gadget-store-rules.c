/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of permission rules; see session/gadget-rule.h. A rule is copied to plain data on the
 * main context, and read and written on the store's thread. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-rules.h"

/* A rule as plain data; see #GadgetRuleData. */
typedef struct
{
  char *id;
  char *kind;
  char *subject;
  gboolean exact;
  gboolean deny;
  gboolean unconfined;
  char *scope;
  char *session;
  char *workspace;
  char *origin;
  char *fingerprint;
  gint64 made_at;
  gint64 used_at;
} RuleRow;

static void
rule_row_free (gpointer data)
{
  RuleRow *row = data;

  g_free (row->id);
  g_free (row->kind);
  g_free (row->subject);
  g_free (row->scope);
  g_free (row->session);
  g_free (row->workspace);
  g_free (row->origin);
  g_free (row->fingerprint);
  g_free (row);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gpointer
read_row (sqlite3_stmt *stmt)
{
  RuleRow *row = g_new0 (RuleRow, 1);
  int column = 0;

  row->id = _gadget_sql_dup_text (stmt, column++);
  row->kind = _gadget_sql_dup_text (stmt, column++);
  row->subject = _gadget_sql_dup_text (stmt, column++);
  row->exact = sqlite3_column_int (stmt, column++) != 0;
  row->deny = sqlite3_column_int (stmt, column++) != 0;
  row->unconfined = sqlite3_column_int (stmt, column++) != 0;
  row->scope = _gadget_sql_dup_text (stmt, column++);
  row->session = _gadget_sql_dup_text (stmt, column++);
  row->workspace = _gadget_sql_dup_text (stmt, column++);
  row->origin = _gadget_sql_dup_text (stmt, column++);
  row->made_at = sqlite3_column_int64 (stmt, column++);
  row->used_at = sqlite3_column_int64 (stmt, column++);
  row->fingerprint = _gadget_sql_dup_text (stmt, column++);
  return row;
}

static gboolean
list_rules (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_read_rows (
      db,
      "SELECT id, kind, subject, exact, deny, unconfined, scope, session, workspace, origin,"
      "  made_at, used_at, fingerprint FROM rule ORDER BY number",
      read_row, data, error);
}

static gboolean
save_rule (sqlite3 *db, gpointer data, GError **error)
{
  const RuleRow *row = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO rule (id, kind, subject, exact, deny, unconfined, scope, session, workspace,"
      "  origin, made_at, used_at, fingerprint)"
      "  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
      error);
  int n = 0;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, ++n, row->id);
  _gadget_sql_bind_text (stmt, ++n, row->kind);
  _gadget_sql_bind_text (stmt, ++n, row->subject);
  _gadget_sql_bind_int (stmt, ++n, row->exact);
  _gadget_sql_bind_int (stmt, ++n, row->deny);
  _gadget_sql_bind_int (stmt, ++n, row->unconfined);
  _gadget_sql_bind_text (stmt, ++n, row->scope);
  _gadget_sql_bind_text (stmt, ++n, row->session);
  _gadget_sql_bind_text (stmt, ++n, row->workspace);
  _gadget_sql_bind_text (stmt, ++n, row->origin);
  _gadget_sql_bind_int (stmt, ++n, row->made_at);
  _gadget_sql_bind_int (stmt, ++n, row->used_at);
  _gadget_sql_bind_text (stmt, ++n, row->fingerprint);
  return _gadget_sql_run (stmt, error);
}

static gboolean
touch_rule (sqlite3 *db, gpointer data, GError **error)
{
  const RuleRow *row = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "UPDATE rule SET used_at = max(used_at, ?2) WHERE id = ?1", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, row->id);
  _gadget_sql_bind_int (stmt, 2, row->used_at);
  return _gadget_sql_run (stmt, error);
}

static gboolean
remove_rule (sqlite3 *db, gpointer data, GError **error)
{
  const RuleRow *row = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, "DELETE FROM rule WHERE id = ?1", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, row->id);
  return _gadget_sql_run (stmt, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/* Returns NULL for a row that is damaged or was written by a newer Gadget, so that it allows
 * nothing here. */
static GadgetRule *
make_rule (const RuleRow *row)
{
  GadgetRuleData data = { .id = row->id,
                          .subject = row->subject,
                          .exact = row->exact,
                          .deny = row->deny,
                          .unconfined = row->unconfined,
                          .session = row->session,
                          .workspace = row->workspace,
                          .fingerprint = row->fingerprint,
                          .origin = row->origin,
                          .made_at = row->made_at,
                          .used_at = row->used_at };

  if (!gadget_rule_kind_from_string (row->kind, &data.kind)
      || !gadget_rule_scope_from_string (row->scope, &data.scope)
      || (data.scope == GADGET_RULE_SESSION) != (data.session != NULL)
      || (data.scope == GADGET_RULE_WORKSPACE) != (data.workspace != NULL))
    return NULL;
  return gadget_rule_new (&data);
}

void
gadget_store_list_rules_async (GadgetStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, list_rules, g_ptr_array_new_with_free_func (rule_row_free),
                          _gadget_sql_unref_rows, callback, user_data);
}

/**
 * gadget_store_list_rules_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetRule): the rules; %NULL with @error set
 */
GPtrArray *
gadget_store_list_rules_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) rules = NULL;
  const GPtrArray *rows;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  rows = gadget_store_get_job_data (result);
  rules = g_ptr_array_new_full (rows->len, g_object_unref);
  for (guint i = 0; i < rows->len; i++)
    {
      GadgetRule *rule = make_rule (g_ptr_array_index (rows, i));

      if (rule != NULL)
        g_ptr_array_add (rules, rule);
    }
  return g_steal_pointer (&rules);
}

/**
 * gadget_store_save_rule_async:
 * @rule: a rule that is not stored yet; its data are copied
 *
 * Adds a rule. When it is used, gadget_store_touch_rule_async () stores the time.
 */
void
gadget_store_save_rule_async (GadgetStore *self, GadgetRule *rule, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  const GadgetRuleData *data;
  RuleRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_RULE (rule));

  data = gadget_rule_get_data (rule);
  row = g_new0 (RuleRow, 1);
  row->id = g_strdup (data->id);
  row->kind = g_strdup (gadget_rule_kind_to_string (data->kind));
  row->subject = g_strdup (data->subject);
  row->exact = data->exact;
  row->deny = data->deny;
  row->unconfined = data->unconfined;
  row->scope = g_strdup (gadget_rule_scope_to_string (data->scope));
  row->session = g_strdup (data->session);
  row->workspace = g_strdup (data->workspace);
  row->origin = g_strdup (data->origin);
  row->made_at = data->made_at;
  row->used_at = data->used_at;
  row->fingerprint = g_strdup (data->fingerprint);
  gadget_store_run_async (self, save_rule, row, rule_row_free, callback, user_data);
}

/**
 * gadget_store_save_rule_finish:
 *
 * Returns: whether the rule is stored; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_save_rule_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

void
gadget_store_touch_rule_async (GadgetStore *self, GadgetRule *rule, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  RuleRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_RULE (rule));

  row = g_new0 (RuleRow, 1);
  row->id = g_strdup (gadget_rule_get_data (rule)->id);
  row->used_at = gadget_rule_get_data (rule)->used_at;
  gadget_store_run_async (self, touch_rule, row, rule_row_free, callback, user_data);
}

/**
 * gadget_store_touch_rule_finish:
 *
 * Returns: %TRUE also if the rule is not stored any more; %FALSE with a #GadgetStoreError
 */
gboolean
gadget_store_touch_rule_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

void
gadget_store_remove_rule_async (GadgetStore *self, const char *id, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  RuleRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL);

  row = g_new0 (RuleRow, 1);
  row->id = g_strdup (id);
  gadget_store_run_async (self, remove_rule, row, rule_row_free, callback, user_data);
}

/**
 * gadget_store_remove_rule_finish:
 *
 * Returns: %TRUE also if the rule was removed before; %FALSE with a #GadgetStoreError
 */
gboolean
gadget_store_remove_rule_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
