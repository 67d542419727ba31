/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats the arguments of a tool call for the user. */
char *gadget_arguments_to_text (const char *arguments);

G_END_DECLS
