/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of "ask". */

#pragma once

#include "agent/gadget-agent.h"

G_BEGIN_DECLS

/**
 * GadgetCliAskOptions:
 * @fresh: start a new chat
 * @approve: (nullable): the option as given
 * @deadline: in seconds; 0 for none
 * @max_steps: 0 for no limit
 * @max_tokens: 0 for no limit
 * @max_cost: in US dollars; 0 for no limit
 * @max_day_cost: the same, for all turns of the day
 * @wait_answers: wait for answers over D-Bus if there is no terminal
 * @key_fd: file descriptor to read the provider's key from; -1 for none
 * @attach: (nullable): names of files
 * @approval: the meaning of @approve
 * @text: the user's message, or "-" for standard input
 *
 * The options of "ask". Strings that were not given are %NULL.
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
  double max_cost;
  double max_day_cost;
  gboolean wait_answers;
  int key_fd;
  char **attach;
  gboolean json;

  GadgetApproval approval;
  char *text;
} GadgetCliAskOptions;

/* Parses the command line. Returns FALSE with the exit status when it was wrong, or when it asked
 * for help. The options must be cleared in any case. */
gboolean gadget_cli_ask_options_parse (GadgetCliAskOptions  *self,
                                       char                **argv,
                                       int                  *status);
void     gadget_cli_ask_options_clear (GadgetCliAskOptions  *self);

G_END_DECLS
