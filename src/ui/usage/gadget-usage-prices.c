/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that sets prices: a row for each model, which opens the parts of its price. A price is
 * set as a whole, so that no sum is ever counted by half of one. */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-prices.h"

#include "gadget-usage-labels.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-error-labels.h"

#include <glib/gi18n.h>
#include <math.h>

enum
{
  INPUT,
  CACHED,
  OUTPUT,
  N_PARTS
};

static const char *const titles[N_PARTS] = {
  [INPUT] = N_ ("Sent, in Dollars per Million Tokens"),
  [CACHED] = N_ ("Read From the Cache, if It Differs"),
  [OUTPUT] = N_ ("Written, Reasoning Included"),
};

/* A row and its widgets, which belong to it. */
typedef struct
{
  AdwExpanderRow *row;
  AdwEntryRow *parts[N_PARTS];
  AdwActionRow *origin;
  GtkWidget *set_button;
  GtkWidget *reset_button;

  GadgetPrice price; /* what is shown */
  GadgetPriceOrigin price_origin;
  GadgetPrices *prices;
  char *provider;
  char *provider_name;
  char *base_url;
  char *model;
} PriceRow;

static void
price_row_free (gpointer data)
{
  PriceRow *self = data;

  g_object_unref (self->prices);
  g_free (self->provider);
  g_free (self->provider_name);
  g_free (self->base_url);
  g_free (self->model);
  g_free (self);
}

/* Reads a number by the locale or with a point. Returns -1 for an empty text, and NAN for one that
 * is no price. */
static double
get_number (AdwEntryRow *row)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  char *end = text;
  double number;

  if (*text == '\0')
    return -1;
  number = strtod (text, &end);
  if (*end != '\0')
    number = g_ascii_strtod (text, &end);
  return *end == '\0' && number >= 0 && isfinite (number) ? number : NAN;
}

static void
set_number (AdwEntryRow *row, double number)
{
  g_autofree char *text = number >= 0 ? g_strdup_printf ("%.10g", number) : g_strdup ("");

  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

static void
changed_cb (PriceRow *self)
{
  gboolean valid = TRUE;

  for (guint i = 0; i < N_PARTS; i++)
    {
      GtkWidget *part = GTK_WIDGET (self->parts[i]);
      const double number = get_number (self->parts[i]);
      const GtkAccessibleInvalidState invalid =
          isnan (number) ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE;

      gtk_widget_remove_css_class (part, "error");
      if (isnan (number))
        gtk_widget_add_css_class (part, "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (part), GTK_ACCESSIBLE_STATE_INVALID, invalid,
                                   -1);
      valid = valid && number >= (i == CACHED ? -1 : 0);
    }
  gtk_widget_set_sensitive (self->set_button, valid);
}

static char *
dup_origin (PriceRow *self, GadgetPriceOrigin origin)
{
  const char *page = gadget_prices_get_page (self->prices, self->base_url);
  g_autofree char *day = _gadget_usage_dup_period (gadget_prices_get_date (self->prices));

  if (origin == GADGET_PRICE_SET)
    return g_strdup (_ ("You have set this price."));
  if (origin == GADGET_PRICE_UNKNOWN || page == NULL)
    return g_strdup (_ ("Nobody has said what this model costs. Set 0 if it is free."));
  /* Translators: a date, and the address of a page */
  return g_strdup_printf (_ ("As published on %s: %s"), day, page);
}

/* Shows the price that is used now. @changed_only: keeps what the user has entered if it is the
 * same as before */
static void
show_price (PriceRow *self, gboolean changed_only)
{
  GadgetPrice price = { .input = -1, .cached = -1, .output = -1 };
  const GadgetPriceOrigin origin =
      gadget_prices_find (self->prices, self->provider, self->base_url, self->model, &price);
  const gboolean same = origin == self->price_origin && price.input == self->price.input
                        && price.cached == self->price.cached && price.output == self->price.output;
  g_autofree char *input = gadget_cost_dup_text (llround (price.input * GADGET_COST_DOLLAR));
  g_autofree char *output = gadget_cost_dup_text (llround (price.output * GADGET_COST_DOLLAR));
  g_autofree char *about = dup_origin (self, origin);
  g_autofree char *text =
      origin == GADGET_PRICE_UNKNOWN
          /* Translators: the name of a provider */
          ? g_strdup_printf (_ ("%s · No price"), self->provider_name)
          /* Translators: the name of a provider, and prices of a million tokens */
          : g_strdup_printf (_ ("%s · %s sent, %s written"), self->provider_name, input, output);

  if (changed_only && same)
    return;
  self->price = price;
  self->price_origin = origin;
  adw_expander_row_set_subtitle (self->row, text);
  adw_action_row_set_subtitle (self->origin, about);
  set_number (self->parts[INPUT], price.input);
  set_number (self->parts[CACHED], price.cached);
  set_number (self->parts[OUTPUT], price.output);
  gtk_widget_set_visible (self->reset_button, origin == GADGET_PRICE_SET);
  gtk_widget_set_sensitive (self->set_button, FALSE);
}

static void
prices_changed_cb (GtkWidget *row)
{
  show_price (g_object_get_data (G_OBJECT (row), "price"), TRUE);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) row = user_data;
  PriceRow *self = g_object_get_data (G_OBJECT (row), "price");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (gadget_prices_set_finish (GADGET_PRICES (source), result, &error))
    text = g_strdup (adw_expander_row_get_subtitle (self->row));
  else
    {
      text = gadget_error_labels_dup (_ ("The price could not be set."), error);
      adw_action_row_set_subtitle (self->origin, text);
    }
  gadget_announce (row, text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* The focus leaves the buttons, which become insensitive or go. */
static void
set_price (PriceRow *self, const GadgetPrice *price)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->parts[INPUT]));
  gadget_prices_set_async (self->prices, self->provider, self->model, price, stored_cb,
                           g_object_ref (self->row));
}

static void
set_cb (PriceRow *self)
{
  const GadgetPrice price = { .input = get_number (self->parts[INPUT]),
                              .cached = get_number (self->parts[CACHED]),
                              .cache_write = -1,
                              .output = get_number (self->parts[OUTPUT]) };

  if (gtk_widget_get_sensitive (self->set_button))
    set_price (self, &price);
}

static void
reset_cb (PriceRow *self)
{
  set_price (self, NULL);
}

static GtkWidget *
add_button (PriceRow *self, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (self->origin, button);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

static GtkWidget *
make_row (GadgetPrices *prices, const GadgetUsageRow *used)
{
  GtkWidget *row =
      g_object_new (ADW_TYPE_EXPANDER_ROW, "use-markup", FALSE, "title", used->model, NULL);
  PriceRow *self = g_new0 (PriceRow, 1);

  self->row = ADW_EXPANDER_ROW (row);
  self->prices = g_object_ref (prices);
  self->provider = g_strdup (used->provider);
  self->provider_name = _gadget_usage_dup_provider (used);
  self->base_url = g_strdup (used->base_url);
  self->model = g_strdup (used->model);
  self->origin = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, NULL);
  self->reset_button = add_button (self, _ ("_Reset"), G_CALLBACK (reset_cb));
  self->set_button = add_button (self, _ ("_Set Price"), G_CALLBACK (set_cb));
  for (guint i = 0; i < N_PARTS; i++)
    {
      self->parts[i] = g_object_new (ADW_TYPE_ENTRY_ROW, "title", _ (titles[i]), NULL);
      adw_expander_row_add_row (self->row, GTK_WIDGET (self->parts[i]));
      g_signal_connect_swapped (self->parts[i], "changed", G_CALLBACK (changed_cb), self);
      g_signal_connect_swapped (self->parts[i], "entry-activated", G_CALLBACK (set_cb), self);
    }
  adw_expander_row_add_row (self->row, GTK_WIDGET (self->origin));
  g_object_set_data_full (G_OBJECT (row), "price", self, price_row_free);
  g_signal_connect_object (prices, "changed", G_CALLBACK (prices_changed_cb), row,
                           G_CONNECT_SWAPPED);
  show_price (self, FALSE);
  return row;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwPreferencesGroup) group = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUsageReport) report = gadget_usage_report_finish (result, &error);
  GadgetPrices *prices = g_object_get_data (G_OBJECT (group), "prices");
  g_autofree char *text = NULL;

  if (report == NULL)
    {
      text = gadget_error_labels_dup (_ ("The usage cannot be read."), error);
      adw_preferences_group_set_description (group, text);
      return;
    }
  for (guint i = 0; i < report->rows->len; i++)
    {
      const GadgetUsageRow *row = g_ptr_array_index (report->rows, i);

      if (row->provider != NULL && row->model != NULL)
        adw_preferences_group_add (group, make_row (prices, row));
    }
}

AdwDialog *
_gadget_usage_prices_new (GadgetStore *store, GadgetPrices *prices)
{
  AdwDialog *self = adw_dialog_new ();
  GtkWidget *view = adw_toolbar_view_new ();
  GtkWidget *page = adw_preferences_page_new ();
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_dialog_set_title (self, _ ("Prices"));
  adw_dialog_set_content_width (self, 560);
  adw_dialog_set_content_height (self, 560);
  adw_dialog_set_child (self, view);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), page);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), group);
  adw_preferences_group_set_description (
      group, _ ("What a million tokens cost. They count where a provider reports no money."));
  g_object_set_data_full (G_OBJECT (group), "prices", g_object_ref (prices), g_object_unref);
  gadget_usage_report_async (store, prices, 0, G_MAXINT64, GADGET_USAGE_BY_MODEL, read_cb,
                             g_object_ref (group));
  return self;
}
