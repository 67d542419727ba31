/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prices of models. Those of the table are in data/prices.json, which is a resource of the
 * program: each service has its hosts, the page that publishes its prices, and a price for each
 * model. Those that the user has set are settings in the store, the first four numbers of
 * GadgetPrice. */

#define G_LOG_DOMAIN "gadget-prices"

#include "config.h"

#include <math.h>
#include <string.h>

#include "common/gadget-json.h"
#include "gadget-prices.h"
#include "store/gadget-store-providers.h"
#include "store/usage/gadget-engine-resources.h"

#define RESOURCE "/io/github/gadgetchat/Gadget/prices.json"
#define MILLION 1000000.0

struct _GadgetPrices
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable) */
  GHashTable *set;    /* (element-type utf8 GadgetPrice): by the key of the setting */
  JsonNode *table;
};

G_DEFINE_FINAL_TYPE (GadgetPrices, gadget_prices, G_TYPE_OBJECT)

static void
gadget_prices_dispose (GObject *object)
{
  GadgetPrices *self = GADGET_PRICES (object);

  g_clear_object (&self->store);
  g_clear_pointer (&self->set, g_hash_table_unref);
  g_clear_pointer (&self->table, json_node_unref);

  G_OBJECT_CLASS (gadget_prices_parent_class)->dispose (object);
}

static void
gadget_prices_class_init (GadgetPricesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_prices_dispose;

  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
gadget_prices_init (GadgetPrices *self)
{
  g_autoptr (GBytes) bytes = g_resource_lookup_data (gadget_engine_get_resource (), RESOURCE,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  self->set = new_table ();
  self->table = gadget_json_parse (text, length, NULL);
  g_assert (self->table != NULL && JSON_NODE_HOLDS_OBJECT (self->table));
}

/**
 * gadget_prices_new:
 * @store: (nullable): has the prices that the user has set
 *
 * Returns: (transfer full): prices, at first those of the table
 */
GadgetPrices *
gadget_prices_new (GadgetStore *store)
{
  GadgetPrices *self = g_object_new (GADGET_TYPE_PRICES, NULL);

  g_set_object (&self->store, store);
  return self;
}

/* --- What the user has set -------------------------------------------------------------------- */

static char *
dup_key (const char *provider, const char *model)
{
  return g_strdup_printf (GADGET_SETTING_PRICES "%s/%s", provider, model);
}

static GadgetPrice *
parse (const char *value)
{
  double numbers[4];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      char *end;

      numbers[i] = g_ascii_strtod (value, &end);
      if (end == value || !isfinite (numbers[i]))
        return NULL;
      value = end;
    }
  return g_memdup2 (&(GadgetPrice) { .input = numbers[0],
                                     .cached = numbers[1],
                                     .cache_write = numbers[2],
                                     .output = numbers[3] },
                    sizeof (GadgetPrice));
}

static char *
print (const GadgetPrice *price)
{
  const double numbers[] = { price->input, price->cached, price->cache_write, price->output };
  GString *value = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (value, "%s%s", i > 0 ? " " : "",
                              g_ascii_dtostr (number, sizeof number, numbers[i]));
    }
  return g_string_free_and_steal (value);
}

static gboolean
is_equal (const GadgetPrice *a, const GadgetPrice *b)
{
  return a->input == b->input && a->cached == b->cached && a->cache_write == b->cache_write
         && a->output == b->output && a->long_from == b->long_from && a->long_input == b->long_input
         && a->long_output == b->long_output;
}

static gboolean
is_same (GHashTable *one, GHashTable *other)
{
  GHashTableIter iter;
  gpointer key;
  gpointer price;

  if (g_hash_table_size (one) != g_hash_table_size (other))
    return FALSE;
  g_hash_table_iter_init (&iter, one);
  while (g_hash_table_iter_next (&iter, &key, &price))
    {
      const GadgetPrice *there = g_hash_table_lookup (other, key);

      if (there == NULL || !is_equal (price, there))
        return FALSE;
    }
  return TRUE;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPrices) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) settings =
      gadget_store_list_settings_finish (GADGET_STORE (source), result, &error);
  g_autoptr (GHashTable) set = new_table ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  if (settings == NULL)
    {
      g_message ("the prices could not be read: %s", error->message);
      return;
    }
  g_hash_table_iter_init (&iter, settings);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      GadgetPrice *price = parse (value);

      if (price != NULL)
        g_hash_table_insert (set, g_strdup (key), price);
    }
  if (is_same (set, self->set))
    return;
  g_hash_table_unref (self->set);
  self->set = g_steal_pointer (&set);
  g_signal_emit_by_name (self, "changed");
}

static void
read_prices (GadgetPrices *self)
{
  gadget_store_list_settings_async (self->store, GADGET_SETTING_PRICES, read_cb,
                                    g_object_ref (self));
}

void
gadget_prices_start (GadgetPrices *self)
{
  g_return_if_fail (GADGET_IS_PRICES (self) && self->store != NULL);

  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (read_prices), self,
                           G_CONNECT_SWAPPED);
  read_prices (self);
}

/* The price that is being stored. */
typedef struct
{
  char *key;
  GadgetPrice *price; /* (nullable) */
} Change;

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->key);
  g_free (change->price);
  g_free (change);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetPrices *self = g_task_get_source_object (task);
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (change->price != NULL)
    g_hash_table_replace (self->set, g_steal_pointer (&change->key),
                          g_steal_pointer (&change->price));
  else
    g_hash_table_remove (self->set, change->key);
  g_signal_emit_by_name (self, "changed");
  g_task_return_boolean (task, TRUE);
}

void
gadget_prices_set_async (GadgetPrices *self, const char *provider, const char *model,
                         const GadgetPrice *price, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *value = NULL;
  Change *change;
  GTask *task;

  g_return_if_fail (GADGET_IS_PRICES (self) && self->store != NULL);
  g_return_if_fail (provider != NULL && model != NULL);

  change = g_new0 (Change, 1);
  change->key = dup_key (provider, model);
  if (price != NULL)
    {
      value = print (price);
      change->price = parse (value);
    }
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_prices_set_async);
  g_task_set_task_data (task, change, change_free);
  gadget_store_set_setting_async (self->store, change->key, value, stored_cb, task);
}

gboolean
gadget_prices_set_finish (GadgetPrices *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- The table -------------------------------------------------------------------------------- */

static JsonObject *
find_service (GadgetPrices *self, const char *base_url)
{
  g_autoptr (GUri) uri =
      base_url != NULL ? g_uri_parse (base_url, G_URI_FLAGS_PARSE_RELAXED, NULL) : NULL;
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  JsonArray *services = gadget_json_get_array (json_node_get_object (self->table), "services");

  for (guint i = 0; host != NULL && i < json_array_get_length (services); i++)
    {
      JsonObject *service = gadget_json_get_element (services, i);

      if (gadget_json_has_string (gadget_json_get_array (service, "hosts"), host))
        return service;
    }
  return NULL;
}

/* Tells whether @rest, which follows a name of the table, only says which release of the model it
 * is: "-2026-11-17", "-20261117" or "-latest". */
static gboolean
is_release (const char *rest)
{
  guint n_digits = 0;

  if (g_str_equal (rest, "-latest"))
    return TRUE;
  for (; *rest != '\0'; rest++)
    {
      if (*rest != '-' && !g_ascii_isdigit (*rest))
        return FALSE;
      n_digits += *rest != '-';
    }
  return n_digits == 8;
}

static JsonObject *
find_model (JsonObject *models, const char *model)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (models == NULL)
    return NULL;
  json_object_iter_init (&iter, models);
  while (json_object_iter_next (&iter, &name, &node))
    if (g_str_equal (name, model)
        || (g_str_has_prefix (model, name) && is_release (model + strlen (name))))
      return json_node_get_object (node);
  return NULL;
}

GadgetPriceOrigin
gadget_prices_find (GadgetPrices *self, const char *provider, const char *base_url,
                    const char *model, GadgetPrice *price)
{
  g_autofree char *key = NULL;
  const GadgetPrice *set;
  JsonObject *published;
  GadgetPrice found = { .cached = -1, .cache_write = -1 };

  g_return_val_if_fail (GADGET_IS_PRICES (self), GADGET_PRICE_UNKNOWN);

  if (provider == NULL || model == NULL)
    return GADGET_PRICE_UNKNOWN;
  key = dup_key (provider, model);
  set = g_hash_table_lookup (self->set, key);
  published =
      set == NULL
          ? find_model (gadget_json_get_object (find_service (self, base_url), "models"), model)
          : NULL;
  if (set == NULL && published == NULL)
    return GADGET_PRICE_UNKNOWN;
  if (set != NULL)
    found = *set;
  gadget_json_get_double (published, "input", &found.input);
  gadget_json_get_double (published, "cached", &found.cached);
  gadget_json_get_double (published, "cache_write", &found.cache_write);
  gadget_json_get_double (published, "output", &found.output);
  gadget_json_get_int (published, "long_from", &found.long_from);
  gadget_json_get_double (published, "long_input", &found.long_input);
  gadget_json_get_double (published, "long_output", &found.long_output);
  if (price != NULL)
    *price = found;
  return set != NULL ? GADGET_PRICE_SET : GADGET_PRICE_PUBLISHED;
}

gint64
gadget_price_get_cost (const GadgetPrice *self, const GadgetUsage *usage, gint64 request_tokens)
{
  const gboolean is_long = self->long_from > 0 && request_tokens > self->long_from;
  const gint64 fresh = usage->input_tokens - usage->cached_tokens - usage->cache_write_tokens;
  const double cached = self->cached >= 0 ? self->cached : self->input;
  const double cache_write = self->cache_write >= 0 ? self->cache_write : self->input;
  const double input = (double) fresh * self->input + (double) usage->cached_tokens * cached
                       + (double) usage->cache_write_tokens * cache_write;
  const double output = (double) usage->output_tokens * self->output;
  const double dollars =
      (is_long ? input * self->long_input + output * self->long_output : input + output) / MILLION;

  return (gint64) CLAMP (dollars * (double) GADGET_COST_DOLLAR + 0.5, 0, 9e18);
}

const char *
gadget_prices_get_date (GadgetPrices *self)
{
  g_return_val_if_fail (GADGET_IS_PRICES (self), NULL);
  return gadget_json_get_string (json_node_get_object (self->table), "date");
}

const char *
gadget_prices_get_page (GadgetPrices *self, const char *base_url)
{
  g_return_val_if_fail (GADGET_IS_PRICES (self), NULL);
  return gadget_json_get_string (find_service (self, base_url), "page");
}
