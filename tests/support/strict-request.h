/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* Asserts what the strictest of the providers demands of a request: it begins with a user's
 * message, roles alternate, no message is empty, every call has exactly one result directly
 * behind it, ids are unique, arguments are JSON objects. */
/* The words of a message; never freed. */
const char *request_get_text (GadgetRequest *request, guint index);
void strict_request_assert (GadgetRequest *request);

G_END_DECLS
