/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format is that of gitignore(5): the last rule that matches decides, and a rule of a deeper
 * folder takes precedence over one further up. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-ignore.h"

#include "common/gadget-glob.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SIZE (64 * 1024)
#define MAX_RULES 1000

typedef struct
{
  GadgetGlob *glob;
  gboolean negated;
  gboolean folders_only;
  gboolean anchored; /* the pattern is matched with the path below the folder; otherwise with the
                        name alone */
} Rule;

struct _GadgetIgnore
{
  const GadgetIgnore *above; /* (nullable) */
  gsize skip;                /* length of the folder's part of a path */
  GPtrArray *rules;
};

static void
rule_free (gpointer data)
{
  Rule *rule = data;

  gadget_glob_free (rule->glob);
  g_free (rule);
}

static char *
read_small (int folder, const char *name)
{
  g_autofd int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  g_autofree char *text = g_malloc (MAX_SIZE + 1);
  struct stat info;
  gsize length = 0;
  ssize_t n = 1;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISREG (info.st_mode))
    return NULL;
  while (n > 0 && length < MAX_SIZE)
    {
      n = read (fd, text + length, MAX_SIZE - length);
      length += n > 0 ? (gsize) n : 0;
    }
  text[length] = '\0';
  return g_steal_pointer (&text);
}

static void
add_rule (GPtrArray *rules, char *line)
{
  g_autofree Rule *rule = g_new0 (Rule, 1);
  gsize length = strcspn (line, "\r");

  line[length] = '\0';
  while (length > 0 && line[length - 1] == ' ' && (length < 2 || line[length - 2] != '\\'))
    line[--length] = '\0';
  if (*line == '#')
    return;
  if (*line == '!')
    {
      rule->negated = TRUE;
      line++;
      length--;
    }
  if (length > 0 && line[length - 1] == '/')
    {
      rule->folders_only = TRUE;
      line[--length] = '\0';
    }
  rule->anchored = strchr (line, '/') != NULL;
  if (*line == '/')
    line++;
  rule->glob = *line != '\0' ? gadget_glob_new (line, NULL) : NULL;
  if (rule->glob != NULL)
    g_ptr_array_add (rules, g_steal_pointer (&rule));
}

static void
add_file (GPtrArray *rules, int folder, const char *name)
{
  g_autofree char *text = read_small (folder, name);
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", MAX_RULES) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (strchr (lines[i], '\n') == NULL)
      add_rule (rules, lines[i]);
}

GadgetIgnore *
gadget_ignore_new (const GadgetIgnore *above, int folder, const char *path)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func (rule_free);
  GadgetIgnore *self;

  g_return_val_if_fail (path != NULL, NULL);

  add_file (rules, folder, ".gitignore");
  add_file (rules, folder, ".ignore");
  if (rules->len == 0)
    return NULL;
  self = g_new0 (GadgetIgnore, 1);
  self->above = above;
  self->skip = *path != '\0' ? strlen (path) + 1 : 0;
  self->rules = g_steal_pointer (&rules);
  return self;
}

void
gadget_ignore_free (GadgetIgnore *self)
{
  g_ptr_array_unref (self->rules);
  g_free (self);
}

gboolean
gadget_ignore_matches (const GadgetIgnore *self, const char *path, gboolean is_folder)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;

  for (; self != NULL; self = self->above)
    for (guint i = self->rules->len; i > 0; i--)
      {
        const Rule *rule = g_ptr_array_index (self->rules, i - 1);

        if ((is_folder || !rule->folders_only)
            && gadget_glob_matches (rule->glob, rule->anchored ? path + self->skip : name))
          return !rule->negated;
      }
  return FALSE;
}
