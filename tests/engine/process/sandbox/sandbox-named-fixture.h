/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A repository in the folder, whose user's git is configured to run what commands may write. */

#pragma once

#include "test-sandbox.h"

G_BEGIN_DECLS

#define OWN                                                                                        \
  "export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x "        \
  "GIT_COMMITTER_EMAIL=x; "
#define REPOSITORY OWN "git init -q .; echo a > a; git add a; git commit -qm one; "
#define KEPT "mkdir -p tools; printf '#!/bin/sh\ncat\n' > tools/run; chmod +x tools/run; "
#define FILTER "echo '* filter=x' > .gitattributes; "
#define MANY(text) "for i in {1..6}; do " text "; done; "
#define SETTING(i) "git -C " i " config core.fsmonitor $PWD/r"

char *sandbox_named_run (TestSandbox *self, GadgetSandbox *sandbox, const char *command);

G_END_DECLS
