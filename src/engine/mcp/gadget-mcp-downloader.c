/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-downloader.h"

#include <string.h>

/* A program that downloads what it runs. */
typedef struct
{
  const char *name;
  const char *order; /* (nullable): required first argument */
} Downloader;

static const Downloader downloaders[] = {
  { "npx", NULL },  { "uvx", NULL },   { "pipx", "run" }, { "bunx", NULL },
  { "pnpx", NULL }, { "npm", "exec" }, { "npm", "x" },    { "uv", "tool" },
  { "uv", "run" },  { "pnpm", "dlx" }, { "yarn", "dlx" }, { "bun", "x" },
};

/* pnpm reads npm's variables too. */
static const char *const offline[] = { "npm_config_offline=true", "UV_OFFLINE=1", "PIP_NO_INDEX=1",
                                       NULL };
static const char *const online[] = { "npm_config_prefer_offline=true", NULL };

const char *
gadget_mcp_downloader_find (const char *const *argv)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);

  name = g_path_get_basename (argv[0]);
  for (guint i = 0; i < G_N_ELEMENTS (downloaders); i++)
    if (g_str_equal (name, downloaders[i].name)
        && (downloaders[i].order == NULL || g_strcmp0 (argv[1], downloaders[i].order) == 0))
      return downloaders[i].name;
  return NULL;
}

char **
gadget_mcp_downloader_list_environment (gboolean network, const char *const *own)
{
  const char *const *ours = network ? online : offline;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (own != NULL)
    g_strv_builder_addv (builder, (const char **) own);
  for (guint i = 0; ours[i] != NULL; i++)
    {
      const gsize length = (gsize) (strchr (ours[i], '=') - ours[i]) + 1;
      gboolean set = FALSE;

      for (guint k = 0; own != NULL && own[k] != NULL; k++)
        set = set || strncmp (own[k], ours[i], length) == 0;
      if (!set)
        g_strv_builder_add (builder, ours[i]);
    }
  return g_strv_builder_end (builder);
}
