/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_GENERAL_PAGE (gadget_general_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetGeneralPage, gadget_general_page, GADGET, GENERAL_PAGE, AdwPreferencesPage)

/* The first page of the preferences: the color scheme, and the defaults and limits of chats. */

G_END_DECLS
