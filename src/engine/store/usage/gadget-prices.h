/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-usage.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetPrice:
 * @input: of tokens that are sent and not in the provider's cache
 * @cached: of tokens that are read from the cache; negative if they have the price of @input
 * @cache_write: of tokens that are written to the cache; negative if they have the price of @input
 * @output: of tokens that are received, reasoning among them
 * @long_from: a request with more input tokens is a long one; 0 if there are none
 * @long_input: by what the prices of input are multiplied for long requests
 * @long_output: the same for output
 *
 * What a model costs, in US dollars for a million tokens. A price of 0 is free.
 */
typedef struct
{
  double input;
  double cached;
  double cache_write;
  double output;
  gint64 long_from;
  double long_input;
  double long_output;
} GadgetPrice;

/**
 * GadgetPriceOrigin:
 * @GADGET_PRICE_UNKNOWN: nobody has said what the model costs
 * @GADGET_PRICE_PUBLISHED: it is in the table that comes with Gadget, data/prices.json
 * @GADGET_PRICE_SET: the user has set it
 *
 * Where the price of a model comes from.
 */
typedef enum
{
  GADGET_PRICE_UNKNOWN,
  GADGET_PRICE_PUBLISHED,
  GADGET_PRICE_SET,
} GadgetPriceOrigin;

#define GADGET_TYPE_PRICES (gadget_prices_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPrices, gadget_prices, GADGET, PRICES, GObject)

/* The prices of models: those that the user has set, which are stored, and those of a table, which
 * knows the services by the host of their address. A model of a local server has no price until
 * the user sets one. Emits "changed" when the user has set a price, also in another process. Use
 * gadget_agent_get_prices (). */
GadgetPrices     *gadget_prices_new          (GadgetStore          *store);
/* Reads the prices that the user has set, and follows them. The store must be open. */
void              gadget_prices_start        (GadgetPrices         *self);

/* PROVIDER is the id of a provider and BASE_URL (nullable) its address. PRICE (out) (optional) is
 * set if the price is known. */
GadgetPriceOrigin gadget_prices_find         (GadgetPrices         *self,
                                              const char           *provider,
                                              const char           *base_url,
                                              const char           *model,
                                              GadgetPrice          *price);
/* Returns what the usage of requests cost by the price, in billionths of a US dollar, whatever cost
 * it has itself. REQUEST_TOKENS are the input tokens of each of them. Tokens of the cache count as
 * others where they are unknown. */
gint64            gadget_price_get_cost      (const GadgetPrice    *self,
                                              const GadgetUsage    *usage,
                                              gint64                request_tokens);

/* Sets the price of a model, or, if PRICE is NULL, removes the one that was set. "changed" is emitted
 * before the callback. Errors are GadgetStoreErrors. */
void              gadget_prices_set_async    (GadgetPrices         *self,
                                              const char           *provider,
                                              const char           *model,
                                              const GadgetPrice    *price,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
gboolean          gadget_prices_set_finish   (GadgetPrices         *self,
                                              GAsyncResult         *result,
                                              GError              **error);

/* The day on which the table was last compared with the published prices, "2026-11-17"; and the page
 * that publishes those of the service with that address (nullable). (transfer none) */
const char       *gadget_prices_get_date     (GadgetPrices         *self);
const char       *gadget_prices_get_page     (GadgetPrices         *self,
                                              const char           *base_url);

G_END_DECLS
