/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-agent-error.h"

G_DEFINE_QUARK (gadget-agent-error-quark, gadget_agent_error)
