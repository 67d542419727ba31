/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-secret-places"

#include "config.h"

#include "gadget-secret-places.h"

#include "gadget-path.h"

#include <string.h>

const char *const gadget_secret_folders[] = {
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
  ".config",
  ".mozilla",
  ".thunderbird",
  ".cache",
  ".var",
  ".local/share/keyrings",
  ".local/share/gadget",
  ".local/state",
  ".pki",
  NULL,
};

const char *const gadget_secret_files[] = {
  "credentials",
  "credentials.toml",
  "credentials.json",
  ".credentials",
  ".credentials.json",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".git-credentials",
  ".env",
  "auth.json",
  "auth.toml",
  "token",
  "token.json",
  ".token",
  ".condarc",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  ".pgpass",
  ".my.cnf",
  ".mylogin.cnf",
  ".s3cfg",
  ".boto",
  ".dockercfg",
  ".htpasswd",
  ".vault-token",
  "pip.conf",
  "settings.xml",
  "nuget.config",
  "NuGet.Config",
  NULL,
};

/* Components that mark a folder of keys anywhere: in another user's home folder, or in a copy. */
static const char *const parts[] = { ".ssh", ".gnupg", ".aws", ".password-store" };

/* Places that belong to the whole system. */
static const char *const system_places[] = { "/etc/shadow", "/etc/gshadow",     "/etc/sudoers",
                                             "/etc/ssh",    "/etc/ssl/private", "/root/.ssh" };

static const char *const endings[] = { ".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".gpg" };

gboolean
gadget_secret_file_is_named (const char *path)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  name = g_path_get_basename (path);
  if (g_strv_contains (gadget_secret_files, name) || g_str_has_prefix (name, ".env."))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_secret_part (const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (g_strv_contains ((const char *const *) names, parts[i]))
      return TRUE;
  return FALSE;
}

gboolean
gadget_secret_folder_concerns (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (has_secret_part (path))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (system_places); i++)
    if (gadget_path_is_within (path, system_places[i]))
      return TRUE;
  for (guint i = 0; gadget_secret_folders[i] != NULL; i++)
    {
      g_autofree char *folder =
          g_build_filename (g_get_home_dir (), gadget_secret_folders[i], NULL);

      if (gadget_path_is_within (path, folder) || gadget_path_is_within (folder, path))
        return TRUE;
    }
  return FALSE;
}
