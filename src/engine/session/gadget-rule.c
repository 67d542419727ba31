/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A permission rule: an immutable copy of #GadgetRuleData, except for the time of its last use, and
 * the names of its enums in the store. */

#define G_LOG_DOMAIN "gadget-rule"

#include "config.h"

#include "gadget-rule.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"

struct _GadgetRule
{
  GObject parent_instance;

  GadgetRuleData data; /* its strings are owned */
};

enum
{
  PROP_0,
  PROP_USED_AT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetRule, gadget_rule, G_TYPE_OBJECT)

static const char *const kind_names[] = { "read",    "write", "command", "host",
                                          "network", "mcp",   "tool",    "instructions" };
static const char *const scope_names[] = { "session", "workspace", "always" };

static void
gadget_rule_finalize (GObject *object)
{
  GadgetRuleData *data = &GADGET_RULE (object)->data;

  g_free ((char *) data->id);
  g_free ((char *) data->subject);
  g_free ((char *) data->session);
  g_free ((char *) data->workspace);
  g_free ((char *) data->fingerprint);
  g_free ((char *) data->origin);

  G_OBJECT_CLASS (gadget_rule_parent_class)->finalize (object);
}

static void
gadget_rule_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_USED_AT:
      g_value_set_int64 (value, GADGET_RULE (object)->data.used_at);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_rule_class_init (GadgetRuleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_rule_finalize;
  object_class->get_property = gadget_rule_get_property;

  props[PROP_USED_AT] =
      g_param_spec_int64 ("used-at", NULL, NULL, 0, G_MAXINT64, 0,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_rule_init (GadgetRule *self)
{
}

/**
 * gadget_rule_new:
 * @data: copied; without an id the rule gets a new one, without a time the current one
 *
 * Returns: (transfer full): a rule
 */
GadgetRule *
gadget_rule_new (const GadgetRuleData *data)
{
  GadgetRule *self;

  g_return_val_if_fail (data != NULL && data->subject != NULL && data->origin != NULL, NULL);
  g_return_val_if_fail ((data->scope == GADGET_RULE_SESSION) == (data->session != NULL), NULL);
  g_return_val_if_fail ((data->scope == GADGET_RULE_WORKSPACE) == (data->workspace != NULL), NULL);

  self = g_object_new (GADGET_TYPE_RULE, NULL);
  self->data = *data;
  self->data.id = data->id != NULL ? g_strdup (data->id) : gadget_id_new ();
  self->data.subject = g_strdup (data->subject);
  self->data.session = g_strdup (data->session);
  self->data.workspace = g_strdup (data->workspace);
  self->data.fingerprint = g_strdup (data->fingerprint);
  self->data.origin = g_strdup (data->origin);
  if (self->data.made_at == 0)
    self->data.made_at = gadget_clock_wall_ms ();
  return self;
}

/**
 * gadget_rule_get_data:
 *
 * Returns: (transfer none): the rule's data, valid as long as the rule
 */
const GadgetRuleData *
gadget_rule_get_data (GadgetRule *self)
{
  g_return_val_if_fail (GADGET_IS_RULE (self), NULL);
  return &self->data;
}

/**
 * gadget_rule_set_used_at:
 * @ms: milliseconds since 1970
 *
 * Sets when the rule last decided something, and notifies.
 */
void
gadget_rule_set_used_at (GadgetRule *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_RULE (self));

  if (self->data.used_at == ms)
    return;
  self->data.used_at = ms;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_USED_AT]);
}

gboolean
gadget_rule_holds_in (GadgetRule *self, const char *session, const char *workspace)
{
  g_return_val_if_fail (GADGET_IS_RULE (self), FALSE);

  switch (self->data.scope)
    {
    case GADGET_RULE_SESSION:
      return g_strcmp0 (self->data.session, session) == 0;
    case GADGET_RULE_WORKSPACE:
      return g_strcmp0 (self->data.workspace, workspace) == 0;
    case GADGET_RULE_ALWAYS:
    default:
      return TRUE;
    }
}

gboolean
gadget_rule_equal (GadgetRule *self, GadgetRule *other)
{
  const GadgetRuleData *a = gadget_rule_get_data (self);
  const GadgetRuleData *b = gadget_rule_get_data (other);

  return a->kind == b->kind && a->exact == b->exact && a->deny == b->deny
         && a->unconfined == b->unconfined && a->scope == b->scope
         && g_str_equal (a->subject, b->subject) && g_strcmp0 (a->session, b->session) == 0
         && g_strcmp0 (a->workspace, b->workspace) == 0
         && g_strcmp0 (a->fingerprint, b->fingerprint) == 0;
}

const char *
gadget_rule_kind_to_string (GadgetRuleKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kind_names), NULL);
  return kind_names[kind];
}

/**
 * gadget_rule_kind_from_string:
 * @name: (nullable): a name from the store
 * @kind: (out): set if the function returns %TRUE
 *
 * Returns: %FALSE for an unknown name, for example of a newer Gadget; the rule has no meaning then
 */
gboolean
gadget_rule_kind_from_string (const char *name, GadgetRuleKind *kind)
{
  const guint n = G_N_ELEMENTS (kind_names);
  const guint index = gadget_find_name (kind_names, n, name, n);

  if (index == n)
    return FALSE;
  *kind = (GadgetRuleKind) index;
  return TRUE;
}

/* gadget_rule_scope_to_string () returns the name in the store, which is static and never
 * changes. */
const char *
gadget_rule_scope_to_string (GadgetRuleScope scope)
{
  g_return_val_if_fail ((guint) scope < G_N_ELEMENTS (scope_names), NULL);
  return scope_names[scope];
}

/**
 * gadget_rule_scope_from_string:
 * @name: a name in the store
 * @scope: (out): the scope; not set on failure
 *
 * Returns: whether the name is known
 */
gboolean
gadget_rule_scope_from_string (const char *name, GadgetRuleScope *scope)
{
  const guint n = G_N_ELEMENTS (scope_names);
  const guint index = gadget_find_name (scope_names, n, name, n);

  if (index == n)
    return FALSE;
  *scope = (GadgetRuleScope) index;
  return TRUE;
}
