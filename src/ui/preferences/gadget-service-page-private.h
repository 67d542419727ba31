/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-service-page.h"

G_BEGIN_DECLS

struct _GadgetServicePage
{
  AdwNavigationPage parent_instance;

  GtkWidget *cancel_button;
  GtkWidget *add_button;
  GtkWidget *form;
  GtkWidget *key_row;
  GtkWidget *test_button;
  GtkWidget *state_line;
  AdwBin *state_mark;
  GtkLabel *state_label;
  GtkWidget *card;
  GtkLabel *card_title;
  GtkLabel *card_text;
  GtkWidget *details;
  GtkLabel *details_text;
  GtkWidget *other_button;
  GtkWidget *unlock_button;
  GtkWidget *retry_button;
  GtkWidget *untested_button;
  GtkWidget *for_now_button;
  GtkWidget *get_button;
  AdwComboRow *model_row;
  AdwActionRow *address_row;
  GtkWidget *url_row;
  AdwActionRow *keyring_row;
  GtkWidget *page_list;

  GadgetEngine *engine;
  GadgetProviderList *providers;
  const GadgetService *service;
  GCancellable *test; /* (nullable): cancels the test that goes on; any change of the form cancels
                       * it */
  GCancellable *adding; /* (nullable): cancels the adding that goes on */
  GadgetProviderConfig *config; /* (nullable): the provider that is being, or was, added */
  gboolean pasting; /* the clipboard was asked for what is inserted next */
  gboolean pasted;  /* the next change of the key is a paste */
  gboolean added;   /* the provider was added, so closing loses nothing */
};

/* The contents of the card that says why a key was not accepted. */
typedef struct
{
  const char *title;
  const char *text;
  const char *detail; /* (nullable) */
  gboolean can_retry;
  gboolean can_add;    /* offer to add the provider without a test */
  gboolean can_unlock; /* offer to unlock the keyring, or to go on without it */
} GadgetServiceCard;

/* gadget-service-page-display.c. _get_key () returns the text of the entry. _show_state () shows a
 * mark (nullable) and a text, which is announced, or neither with NULL; _set_card_shown () shows or
 * hides the card. The others show how a test ended, or that a provider was added whose key is not
 * in the keyring. */
const char *_gadget_service_page_get_key        (GadgetServicePage       *self);
void        _gadget_service_page_show_state     (GadgetServicePage       *self,
                                                 GtkWidget               *mark,
                                                 const char              *text);
void        _gadget_service_page_set_card_shown (GadgetServicePage       *self,
                                                 gboolean                 shown);
void        _gadget_service_page_show_card      (GadgetServicePage       *self,
                                                 const GadgetServiceCard *card);
void        _gadget_service_page_show_accepted  (GadgetServicePage       *self,
                                                 GPtrArray               *models);
void        _gadget_service_page_show_no_credit (GadgetServicePage       *self);
void        _gadget_service_page_show_failure   (GadgetServicePage       *self,
                                                 GadgetProviderConfig    *config,
                                                 const GError            *error);
void        _gadget_service_page_show_locked    (GadgetServicePage       *self);

/* Show where the key will be kept, and the address as it is in the form. */
void        _gadget_service_page_update_keyring (GadgetServicePage       *self);
void        _gadget_service_page_update_address (GadgetServicePage       *self);

G_END_DECLS
