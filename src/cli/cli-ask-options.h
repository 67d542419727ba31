/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of "ask". */

#pragma once

#include "agent/gadget-agent.h"

G_BEGIN_DECLS

/**
 * GadgetCliAskOptions:
 * @deadline: in seconds; 0 for none
 * @key_fd: -1 for none
 * @attach: (nullable): names of files
 * @approval: what @approve means
 * @text: what is asked, or "-"
 */
typedef struct
{
  char *session;
  gboolean fresh;
  char *provider;
  char *model;
  char *workspace;
  char *approve;
  double deadline;
  int max_steps;
  gint64 max_tokens;
  gboolean wait_answers;
  int key_fd;
  char **attach;
  gboolean json;

  GadgetApproval approval;
  char *text;
} GadgetCliAskOptions;

/* FALSE with the exit status: it was wrong, or asked for help. Cleared in any case. */
gboolean gadget_cli_ask_options_parse (GadgetCliAskOptions  *self,
                                       char                **argv,
                                       int                  *status);
void     gadget_cli_ask_options_clear (GadgetCliAskOptions  *self);

G_END_DECLS
