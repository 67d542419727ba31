/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A page of a provider in a dialog over a window, and the server that it asks. */

#pragma once

#include "fake-server.h"
#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

G_BEGIN_DECLS

typedef struct
{
  TestWindow window;
  FakeServer *server;
  char *url;         /* of the server */
  AdwDialog *dialog; /* (nullable) (weak): with the page */
  GtkWidget *page;   /* valid while there is a dialog */
  GString *said;     /* what screen readers were told, a line for each announcement */

  /* Set by the tests' handlers of the page's signals. */
  guint n_saved;
  guint n_removed;
  guint n_done;
  gboolean stored;    /* the saved provider was in the list by then */
  gboolean removable; /* the row that removes could be pressed when it was removed */
} Fixture;

void                page_set_up         (Fixture              *self,
                                         gconstpointer         data);
void                page_tear_down      (Fixture              *self,
                                         gconstpointer         data);
GtkWidget          *page_get_root       (Fixture              *self);
GadgetProviderList *page_get_providers  (Fixture              *self);

/* Shows @page in a dialog. */
void                page_present        (Fixture              *self,
                                         GtkWidget            *page);

/* Adds a provider to those of the user, without a key. */
void                page_add_provider   (Fixture              *self,
                                         GadgetProviderConfig *config);

/* The key in the keyring. (transfer full) (nullable) */
char               *page_dup_stored_key (Fixture              *self,
                                         const char           *id);

G_END_DECLS
