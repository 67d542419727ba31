/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-web-address.h"

G_BEGIN_DECLS

#define GADGET_WEB_MAX_REDIRECTS 10

/* Why the body of a page is incomplete. */
typedef enum
{
  GADGET_WEB_WHOLE,
  GADGET_WEB_CUT_TOO_LARGE,
  GADGET_WEB_CUT_TOO_SLOW,
  GADGET_WEB_CUT_BROKEN_OFF,
  GADGET_WEB_CUT_PACKED_BADLY,
} GadgetWebCut;

/**
 * GadgetWebPage:
 * @url: the address that responded, after all redirects
 * @status: the HTTP status; 0 if there was no response
 * @type: lower case, without its parameters; "" if there is none
 * @charset: (nullable): the parameter of the content type
 * @length: of the body as announced, in bytes; -1 if it was not announced
 * @body: the decompressed body
 * @cut: why @body is incomplete
 * @elsewhere: (nullable): the target of a redirect that was not followed, since nobody asked for it
 *
 * The data that a download received. After a failure or a stop they are those that came before.
 */
typedef struct
{
  char *url;
  guint status;
  char *type;
  char *charset;
  gint64 length;
  GByteArray *body;
  GadgetWebCut cut;
  char *elsewhere;
} GadgetWebPage;

/**
 * GadgetWebSetup:
 * @clock: for the time limit
 * @resolver: looks up host names
 * @proxies: knows whether the system wants a proxy to be used
 * @classify: judges addresses
 * @max_bytes: how much of a body is read, in bytes
 * @total_ms: the time limit of one download, the lookups of addresses and redirects included
 * @accept: (nullable): the value of the Accept header; %NULL for text
 * @accepts: (nullable): %TRUE if a page is to be read, of which only the head is known; %NULL for
 *   text
 *
 * The objects that a download works with.
 */
typedef struct
{
  GadgetClock *clock;
  GResolver *resolver;
  GProxyResolver *proxies;
  GadgetAddressFunc classify;
  gsize max_bytes;
  guint total_ms;
  const char *accept;
  gboolean (*accepts) (const GadgetWebPage *page);
} GadgetWebSetup;

/* Sets the system's resolver, with a time limit of its own, and the system's proxies. The limits
 * stay 0, and the other members NULL. To be cleared with gadget_web_setup_clear (). */
void           gadget_web_setup_init  (GadgetWebSetup        *self,
                                       GadgetClock           *clock);
void           gadget_web_setup_clear (GadgetWebSetup        *self);

/* SELF may be NULL. */
void           gadget_web_page_free   (GadgetWebPage         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetWebPage, gadget_web_page_free)

/* Why a page is incomplete, for the model; "" for a complete page. Static. */
const char    *gadget_web_cut_describe (GadgetWebCut          cut);

/* TRUE when the body is HTML, or other text, that can be shown. Other bodies are only named. */
gboolean       gadget_web_page_is_html (const GadgetWebPage  *self);
gboolean       gadget_web_page_is_text (const GadgetWebPage  *self);

void           gadget_web_load_async  (const GadgetWebSetup  *setup,
                                       GUri                  *uri,
                                       gboolean               local,
                                       GCancellable          *cancellable,
                                       GAsyncReadyCallback    callback,
                                       gpointer               user_data);
gboolean       gadget_web_load_finish (GAsyncResult          *result,
                                       GadgetWebPage        **page,
                                       GError               **error);

G_END_DECLS
