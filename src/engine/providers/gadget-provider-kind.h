/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The kinds that code outside of the dialects names; gadget-dialects.c lists all of them. */
#define GADGET_PROVIDER_KIND_OPENAI_CHAT "openai-chat"
#define GADGET_PROVIDER_KIND_OPENAI_RESPONSES "openai-responses"
#define GADGET_PROVIDER_KIND_ANTHROPIC "anthropic"
#define GADGET_PROVIDER_KIND_OLLAMA "ollama"
#define GADGET_PROVIDER_KIND_GEMINI "gemini"
#define GADGET_PROVIDER_KIND_GUIDE "guide"

/* Tells whether a provider needs an API key. */
typedef enum
{
  GADGET_KEY_NEEDED,
  GADGET_KEY_OPTIONAL,
  GADGET_KEY_ELSEWHERE, /* only a server that is not on this computer may want one */
} GadgetKeyNeed;

/**
 * GadgetProviderKind:
 * @id: the name in the settings and on the command line: "openai-chat"
 * @title: (not translated yet): shown in the choice of kinds
 * @name: the first name of a new provider of this kind; "" for none
 * @about: (not translated yet): a sentence or two
 * @key: whether a key is needed
 * @url: (nullable): the usual address; %NULL if there is none
 *
 * A kind of provider as people choose it: a dialect, or a service that speaks it.
 */
typedef struct
{
  const char *id;
  const char *title;
  const char *name;
  const char *about;
  GadgetKeyNeed key;
  const char *url;
} GadgetProviderKind;

G_END_DECLS
