/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-settings.h"

/**
 * gadget_settings_new:
 *
 * Returns: (transfer full) (nullable):
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
 * @settings: (nullable): without them there is no limit
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
  limits.hard = g_settings_get_boolean (settings, "limits-hard");
  return limits;
}
