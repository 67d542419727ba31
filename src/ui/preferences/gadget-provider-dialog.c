/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialogs that add and change a provider. Adding begins with the chooser and goes on with the
 * page of a service or of any other server. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-provider-dialog.h"

#include "gadget-form-dialog.h"
#include "gadget-provider-chooser.h"
#include "gadget-provider-page.h"
#include "gadget-service-page.h"

#include <glib/gi18n.h>

/* The tag of the page for a server that is none of the services. */
#define OTHER_TAG "other"

/* Shared by the pages of one dialog. Reference-counted: each signal handler holds a reference,
 * because a page may report its provider after the dialog was closed. */
typedef struct
{
  GtkWidget *owner; /* (nullable) (weak) */
  GadgetEngine *engine;
  GadgetProviderAdded added; /* (nullable) */
  char *id;                  /* (nullable): the provider that was added, until the owner is told */
  GadgetFormDialog *dialog;  /* (nullable) (weak) */
} Adding;

static void push_service (Adding *adding, const GadgetService *service, const char *key);

static void
adding_clear (gpointer data)
{
  Adding *adding = data;

  g_clear_weak_pointer (&adding->owner);
  g_clear_weak_pointer (&adding->dialog);
  g_object_unref (adding->engine);
  g_free (adding->id);
}

static void
adding_release (gpointer data, GClosure *closure)
{
  g_rc_box_release_full (data, adding_clear);
}

static void
follow (gpointer page, const char *signal, GCallback callback, Adding *adding)
{
  g_signal_connect_data (page, signal, callback, g_rc_box_acquire (adding), adding_release,
                         G_CONNECT_DEFAULT);
}

/* Tells the owner, once the dialog is closed, which provider was added. */
static void
closed_cb (GtkWidget *dialog, gpointer user_data)
{
  Adding *adding = user_data;
  g_autofree char *id = g_steal_pointer (&adding->id);
  g_autoptr (GtkWidget) owner = adding->owner != NULL ? g_object_ref (adding->owner) : NULL;

  if (owner != NULL && adding->added != NULL && id != NULL)
    adding->added (owner, id);
}

/* Closes the dialog. */
static void
done_cb (GtkWidget *page, gpointer user_data)
{
  Adding *adding = g_rc_box_acquire (user_data);

  if (adding->dialog != NULL)
    {
      adw_dialog_force_close (ADW_DIALOG (adding->dialog));
      closed_cb (NULL, adding);
    }
  g_rc_box_release_full (adding, adding_clear);
}

/* A provider is in the list; its page may still have a question. */
static void
kept_cb (GtkWidget *page, const char *id, gpointer user_data)
{
  Adding *adding = user_data;

  g_set_str (&adding->id, id);
}

static void
added_cb (GtkWidget *page, const char *id, gpointer user_data)
{
  kept_cb (page, id, user_data);
  done_cb (page, user_data);
}

static void
other_cb (GtkWidget *page, const GadgetService *service, const char *key, gpointer user_data)
{
  push_service (user_data, service, key);
}

/* Makes the page of a service; NULL stands for any other server. */
static GtkWidget *
make_page (Adding *adding, const GadgetService *service)
{
  GtkWidget *page;

  if (service != NULL)
    {
      page = gadget_service_page_new (adding->engine, service);
      follow (page, "other", G_CALLBACK (other_cb), adding);
      follow (page, "added", G_CALLBACK (kept_cb), adding);
      follow (page, "done", G_CALLBACK (done_cb), adding);
    }
  else
    {
      page = gadget_provider_page_new (adding->engine, NULL);
      follow (page, "saved", G_CALLBACK (added_cb), adding);
    }
  adw_navigation_page_set_tag (ADW_NAVIGATION_PAGE (page),
                               service != NULL ? service->name : OTHER_TAG);
  return page;
}

static void
push_service (Adding *adding, const GadgetService *service, const char *key)
{
  AdwNavigationPage *page;

  if (adding->dialog == NULL)
    return;
  page = gadget_form_dialog_find (adding->dialog, service != NULL ? service->name : OTHER_TAG);
  if (page == NULL)
    page = ADW_NAVIGATION_PAGE (make_page (adding, service));
  gadget_form_dialog_push (adding->dialog, page);
  if (key != NULL && service != NULL)
    gadget_service_page_set_key (GADGET_SERVICE_PAGE (page), key);
}

static void
service_cb (GtkWidget *chooser, const GadgetService *service, gpointer user_data)
{
  push_service (user_data, service, NULL);
}

static GtkWidget *
make_chooser_page (Adding *adding)
{
  GtkWidget *chooser = g_object_new (GADGET_TYPE_PROVIDER_CHOOSER, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = adw_toolbar_view_new ();

  gtk_widget_add_css_class (chooser, "form-page");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), chooser);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), scrolled);
  gadget_provider_chooser_set_engine (GADGET_PROVIDER_CHOOSER (chooser), adding->engine);
  gadget_provider_chooser_search (GADGET_PROVIDER_CHOOSER (chooser), NULL);
  follow (chooser, "chosen", G_CALLBACK (added_cb), adding);
  follow (chooser, "service", G_CALLBACK (service_cb), adding);
  return GTK_WIDGET (adw_navigation_page_new (view, _ ("Add Provider")));
}

static Adding *
adding_new (GtkWidget *owner, GadgetEngine *engine, GadgetProviderAdded added)
{
  Adding *adding = g_rc_box_new0 (Adding);

  g_set_weak_pointer (&adding->owner, owner);
  adding->engine = g_object_ref (engine);
  adding->added = added;
  return adding;
}

/* Presents the dialog with @page; takes @adding. */
static void
present (Adding *adding, GtkWidget *page)
{
  GtkWidget *dialog = gadget_form_dialog_new (ADW_NAVIGATION_PAGE (page));

  g_set_weak_pointer (&adding->dialog, GADGET_FORM_DIALOG (dialog));
  follow (dialog, "closed", G_CALLBACK (closed_cb), adding);
  adw_dialog_present (ADW_DIALOG (dialog), adding->owner);
  g_rc_box_release_full (adding, adding_clear);
}

void
gadget_provider_dialog_add (GtkWidget *owner, GadgetEngine *engine, GadgetProviderAdded added)
{
  Adding *adding;

  g_return_if_fail (GTK_IS_WIDGET (owner) && GADGET_IS_ENGINE (engine));

  adding = adding_new (owner, engine, added);
  present (adding, make_chooser_page (adding));
}

void
gadget_provider_dialog_add_service (GtkWidget *owner, GadgetEngine *engine,
                                    const GadgetService *service, GadgetProviderAdded added)
{
  Adding *adding;

  g_return_if_fail (GTK_IS_WIDGET (owner) && GADGET_IS_ENGINE (engine));

  adding = adding_new (owner, engine, added);
  present (adding, make_page (adding, service));
}

void
gadget_provider_dialog_change (GtkWidget *owner, GadgetEngine *engine, GadgetProviderConfig *config)
{
  Adding *adding;
  GtkWidget *page;

  g_return_if_fail (GTK_IS_WIDGET (owner) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (GADGET_IS_PROVIDER_CONFIG (config));

  adding = adding_new (owner, engine, NULL);
  page = gadget_provider_page_new (engine, config);
  follow (page, "saved", G_CALLBACK (added_cb), adding);
  follow (page, "removed", G_CALLBACK (done_cb), adding);
  present (adding, page);
}
