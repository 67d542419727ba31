/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-settings"

#include "config.h"

#include "gadget-settings.h"

#include <adwaita.h>

/**
 * gadget_settings_new:
 *
 * Returns: (transfer full) (nullable): the settings; %NULL when their schema is not installed
 */
GSettings *
gadget_settings_new (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, APPLICATION_ID, TRUE);
  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

/**
 * gadget_settings_get_limits:
 * @settings: (nullable): %NULL for no limits
 */
GadgetLimits
gadget_settings_get_limits (GSettings *settings)
{
  GadgetLimits limits = { 0 };

  if (settings == NULL)
    return limits;
  limits.time_ms = g_settings_get_uint (settings, "limit-minutes") * 60 * 1000;
  limits.steps = g_settings_get_uint (settings, "limit-steps");
  limits.tokens = (gint64) g_settings_get_uint (settings, "limit-kilotokens") * 1000;
  limits.cost =
      (gint64) (g_settings_get_double (settings, "limit-dollars") * (double) GADGET_COST_DOLLAR
                + 0.5);
  limits.day_cost =
      (gint64) (g_settings_get_double (settings, "limit-day-dollars") * (double) GADGET_COST_DOLLAR
                + 0.5);
  limits.hard = g_settings_get_boolean (settings, "limits-hard");
  return limits;
}

/**
 * gadget_settings_get_mode:
 * @settings: (nullable): %NULL for %GADGET_MODE_ASK
 */
GadgetMode
gadget_settings_get_mode (GSettings *settings)
{
  g_autofree char *name =
      settings != NULL ? g_settings_get_string (settings, "default-mode") : NULL;

  return name != NULL ? gadget_mode_from_string (name) : GADGET_MODE_ASK;
}

/**
 * gadget_settings_dup_folder:
 * @settings: (nullable):
 *
 * Returns: (transfer full) (nullable): the absolute path of the folder for new chats; %NULL if none
 * was chosen. Whether the folder is there is not tested, because that may block: a chat without its
 * folder says so when the folder is used.
 */
char *
gadget_settings_dup_folder (GSettings *settings)
{
  g_autofree char *path =
      settings != NULL ? g_settings_get_string (settings, "default-folder") : NULL;

  if (path != NULL && g_str_has_prefix (path, "file:"))
    return g_filename_from_uri (path, NULL, NULL);
  return path != NULL && g_path_is_absolute (path) ? g_steal_pointer (&path) : NULL;
}

/**
 * gadget_settings_set_folder:
 * @path: the absolute path of the folder for new chats, in the encoding of file names
 *
 * Stores @path. A path that is not UTF-8 is stored as a URI, since settings are UTF-8.
 */
void
gadget_settings_set_folder (GSettings *settings, const char *path)
{
  g_autofree char *uri = NULL;

  g_return_if_fail (G_IS_SETTINGS (settings) && path != NULL);

  if (!g_utf8_validate (path, -1, NULL))
    uri = g_filename_to_uri (path, NULL, NULL);
  g_settings_set_string (settings, "default-folder", uri != NULL ? uri : path);
}

static void
update_style (GSettings *settings)
{
  g_autofree char *style = g_settings_get_string (settings, "color-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_equal (style, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                      : g_str_equal (style, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                    : ADW_COLOR_SCHEME_DEFAULT);
}

/**
 * gadget_settings_bind_style:
 *
 * Applies the color scheme of @settings now and whenever it changes, as long as @settings lives.
 */
void
gadget_settings_bind_style (GSettings *settings)
{
  g_return_if_fail (G_IS_SETTINGS (settings));

  g_signal_connect (settings, "changed::color-scheme", G_CALLBACK (update_style), NULL);
  update_style (settings);
}
