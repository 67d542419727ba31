/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts for chats, folders, models, modes, times and errors, as the window shows them. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-labels.h"

#include "agent/gadget-failure.h"
#include "common/gadget-bidi.h"

#include <glib/gi18n.h>
#include <string.h>

const char *
gadget_labels_title (GadgetSession *session)
{
  const char *title;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  title = gadget_session_get_title (session);
  if (title != NULL && *title != '\0')
    return title;
  return gadget_session_get_incognito (session) ? _ ("Incognito Chat") : _ ("New Chat");
}

char *
gadget_labels_workspace (const char *path)
{
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;

  if (path == NULL)
    return g_strdup (_ ("No workspace"));
  name = g_path_get_basename (path);
  shown = g_filename_display_name (name);
  return gadget_bidi_escape (shown);
}

char *
gadget_labels_model (GadgetProviderList *providers, GadgetSession *session)
{
  GadgetProviderConfig *config = NULL;
  const char *id;
  const char *model;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  id = gadget_session_get_provider (session);
  model = gadget_session_get_model (session);
  if (providers != NULL)
    config = gadget_provider_list_find (
        providers, id != NULL ? id : gadget_provider_list_get_default_id (providers));
  if (config != NULL
      && g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE))
    return g_strdup (gadget_provider_config_get_name (config));
  if (model != NULL)
    return g_strdup (model);
  if (config == NULL)
    return g_strdup (id != NULL ? id : _ ("Guide"));
  model = gadget_provider_config_get_model (config);
  return g_strdup (model != NULL && *model != '\0' ? model
                                                   : gadget_provider_config_get_name (config));
}

static GDateTime *
local_from_ms (gint64 ms)
{
  return g_date_time_new_from_unix_local (ms / 1000);
}

static guint32
day_number (gint64 ms)
{
  g_autoptr (GDateTime) moment = local_from_ms (ms);
  int year;
  int month;
  int day;
  GDate date;

  g_return_val_if_fail (moment != NULL, 0);

  g_date_time_get_ymd (moment, &year, &month, &day);
  g_date_clear (&date, 1);
  g_date_set_dmy (&date, (GDateDay) day, (GDateMonth) month, (GDateYear) year);
  return g_date_get_julian (&date);
}

int
gadget_labels_days_between (gint64 earlier_ms, gint64 later_ms)
{
  return (int) day_number (later_ms) - (int) day_number (earlier_ms);
}

char *
gadget_labels_moment (gint64 ms, gint64 now_ms)
{
  g_autoptr (GDateTime) moment = local_from_ms (ms);
  int days = gadget_labels_days_between (ms, now_ms);

  g_return_val_if_fail (moment != NULL, NULL);

  if (days <= 0)
    /* Translators: the time of today, for strftime */
    return g_date_time_format (moment, _ ("%H:%M"));
  if (days == 1)
    /* Translators: a day of this week and the time, for strftime */
    return g_date_time_format (moment, _ ("%a %H:%M"));
  if (days < 7)
    /* Translators: a day of this week, for strftime */
    return g_date_time_format (moment, _ ("%a"));
  /* Translators: a date without its year, for strftime */
  return g_date_time_format (moment, days < 300 ? _ ("%-d %b") : _ ("%-d %b %Y"));
}

char *
gadget_labels_make_id (GadgetProviderList *providers, const char *name)
{
  g_autofree char *ascii = NULL;
  g_autofree char *lower = NULL;
  g_autofree char *id = NULL;

  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (providers) && name != NULL, NULL);

  ascii = g_str_to_ascii (*name != '\0' ? name : "provider", NULL);
  lower = g_ascii_strdown (ascii, MIN (48, (gssize) strlen (ascii)));
  g_strcanon (lower, "abcdefghijklmnopqrstuvwxyz0123456789-", '-');
  id = g_strdup (lower);
  for (guint n = 2; gadget_provider_list_find (providers, id) != NULL; n++)
    {
      g_free (id);
      id = g_strdup_printf ("%s-%u", lower, n);
    }
  return g_steal_pointer (&id);
}

char *
gadget_labels_error (const GError *error, const char *provider_name)
{
  g_autofree char *code = NULL;
  g_autoptr (GadgetFailure) failure = NULL;

  g_return_val_if_fail (error != NULL, NULL);

  code = gadget_failure_code_from_error (error);
  failure = gadget_failure_new (code, provider_name);
  /* The hint leads to the preferences, where this text is shown already. */
  if (failure->remedy == GADGET_REMEDY_PREFERENCES)
    return g_strdup (failure->title);
  /* Translators: two sentences: what failed, and what can be done about it */
  return g_strdup_printf (_ ("%s %s"), failure->title, failure->hint);
}

static const struct
{
  const char *title;
  const char *brief;
  const char *detail;
  const char *icon;
} modes[] = {
  [GADGET_MODE_ASK] = { N_ ("Ask First"), N_ ("Ask"),
                        N_ ("Asks before anything but reading in the folder"),
                        "security-medium-symbolic" },
  [GADGET_MODE_ACCEPT_EDITS] = { N_ ("Accept Edits"), N_ ("Accept Edits"),
                                 N_ ("Changes files in the folder, asks for the rest"),
                                 "document-edit-symbolic" },
  [GADGET_MODE_READ_ONLY] = { N_ ("Read Only"), N_ ("Read Only"),
                              N_ ("Reads files in the folder, changes nothing"),
                              "changes-prevent-symbolic" },
  [GADGET_MODE_SANDBOX] = { N_ ("Allow in Sandbox"), N_ ("Sandbox"),
                            N_ ("Runs sandboxed tools freely, asks for the rest"),
                            "security-high-symbolic" },
};

const char *
gadget_labels_mode (GadgetMode mode)
{
  g_return_val_if_fail ((guint) mode < G_N_ELEMENTS (modes), NULL);
  return _ (modes[mode].title);
}

const char *
gadget_labels_mode_short (GadgetMode mode)
{
  g_return_val_if_fail ((guint) mode < G_N_ELEMENTS (modes), NULL);
  return _ (modes[mode].brief);
}

const char *
gadget_labels_mode_detail (GadgetMode mode)
{
  g_return_val_if_fail ((guint) mode < G_N_ELEMENTS (modes), NULL);
  return _ (modes[mode].detail);
}

const char *
gadget_labels_mode_icon (GadgetMode mode)
{
  g_return_val_if_fail ((guint) mode < G_N_ELEMENTS (modes), NULL);
  return modes[mode].icon;
}
