/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/gadget-transcript.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT_PAGE (gadget_transcript_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscriptPage, gadget_transcript_page, GADGET, TRANSCRIPT_PAGE, AdwBin)

/* The transcript with its scroll bar, the button that goes to its end, and the banner that leads to
 * a question out of view. */
GtkWidget        *gadget_transcript_page_new            (void);
GadgetTranscript *gadget_transcript_page_get_transcript (GadgetTranscriptPage *self);

G_END_DECLS
