/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-web-address.h"

G_BEGIN_DECLS

#define GADGET_WEB_MAX_REDIRECTS 10

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
 * @url: that answered, after all redirects
 * @status: 0 if no answer came
 * @type: lower case, without its parameters; "" if there is none
 * @length: as announced; -1 if it was not
 * @cut: why @body is not all of it
 * @elsewhere: (nullable): where it was redirected to and was not followed, since nobody asked for it
 *
 * What came. It is there after a failure and a stop as well, with what came before.
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
 * @resolver: finds addresses of names
 * @proxies: who knows whether the system wants a proxy to be used
 * @classify: judges addresses
 * @max_bytes: of a body that are read
 * @total_ms: for one request; those that it is redirected to have what is left of it
 * @accept: (nullable): what kind of answer is wanted; %NULL for text
 * @takes: (nullable): whether that kind is read, of which only the head is known; %NULL for text
 *
 * What a download works with.
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
  gboolean (*takes) (const GadgetWebPage *page);
} GadgetWebSetup;

/* What is not the system's for good: the resolver has a time limit. To be cleared. */
void           gadget_web_setup_init  (GadgetWebSetup        *self,
                                       GadgetClock           *clock);
void           gadget_web_setup_clear (GadgetWebSetup        *self);

void           gadget_web_page_free   (GadgetWebPage         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetWebPage, gadget_web_page_free)

/* For the model. */
const char    *gadget_web_cut_describe (GadgetWebCut          cut);

/* Whether the body is text that can be shown; the others are only named. */
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
