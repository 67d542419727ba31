/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_GENERAL_PAGE (gadget_general_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetGeneralPage, gadget_general_page, GADGET, GENERAL_PAGE, AdwPreferencesPage)

/* The first page of the preferences: how Gadget looks, and how new chats begin. */

G_END_DECLS
