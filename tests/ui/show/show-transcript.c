/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of the transcript in its states, to be looked at: show-transcript DIR
 * [PART-OF-NAME]…, on a display. "./dev screenshots" calls it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "show-code.h"
#include "show-markdown.h"
#include "show-remote.h"
#include "show-states.h"
#include "show-tools.h"

#include "common/gadget-clock.h"
#include "ui/code/gadget-code-block.h"
#include "ui/code/gadget-code-header.h"
#include "ui/transcript/gadget-transcript-find.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/ask/gadget-ask-body.h"
#include "ui/transcript/rows/diff/gadget-diff-view.h"

#include <adwaita.h>

#define N_CONTRAST 2

static void
nothing_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
}

/* What the window offers, so that the buttons can be pressed. */
static void
add_actions (GtkWidget *window)
{
  static const GActionEntry session_entries[] = {
    { .name = "branch", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "continue", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "copy-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "delete-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "edit-turn", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "regenerate", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "edit-prompt", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "retry", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "stop-tool", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "stop-waiting", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "save-again", .activate = nothing_cb, .parameter_type = "s" }
  };
  static const GActionEntry window_entries[] = { { .name = "choose-model", .activate = nothing_cb },
                                                 { .name = "preferences",
                                                   .activate = nothing_cb } };
  g_autoptr (GSimpleActionGroup) session = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) win = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (session), session_entries,
                                   G_N_ELEMENTS (session_entries), NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (win), window_entries,
                                   G_N_ELEMENTS (window_entries), NULL);
  gtk_widget_insert_action_group (window, "session", G_ACTION_GROUP (session));
  gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (win));
}

static void
unfold_all (GadgetTranscript *transcript)
{
  GadgetTranscriptModel *model = transcript->model;

  /* What was unfolded stands below. */
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind != GADGET_ROW_KIND_FOOTER
        && gadget_transcript_model_get_row (model, i)->kind != GADGET_ROW_KIND_DIFF)
      gadget_transcript_model_set_expanded (model, i, TRUE);
}

static gboolean
stop_waiting_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* They are decoded one after the other. */
static void
wait_for_pictures (GadgetPictureLoader *loader)
{
  gboolean late = FALSE;

  g_timeout_add (5000, stop_waiting_cb, &late);
  while (gadget_picture_loader_is_busy (loader) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove_by_user_data (&late);
}

static gboolean
find_code (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (GADGET_IS_CODE_BLOCK (widget) || GADGET_IS_DIFF_VIEW (widget) || GADGET_IS_ASK_BODY (widget))
    return TRUE;
  while (child != NULL && !find_code (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL;
}

/* The rules of languages are read in a thread, once. With them the colours are found out when there
 * is nothing else to do: all of them are there when something less urgent is done. */
static void
wait_for_colors (gboolean reads_rules)
{
  gboolean late = FALSE;

  if (reads_rules)
    g_timeout_add (700, stop_waiting_cb, &late);
  else
    g_idle_add_full (G_PRIORITY_LOW, stop_waiting_cb, &late, NULL);
  while (!late)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
lacks_buttons (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (GADGET_IS_CODE_HEADER (widget))
    return gtk_widget_get_mapped (widget) && !GTK_IS_BUTTON (gtk_widget_get_last_child (widget));
  while (child != NULL && !lacks_buttons (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL;
}

/* Many blocks of code do not get the buttons of their headers at once. */
static void
wait_for_buttons (GtkWidget *transcript)
{
  gboolean late = FALSE;

  g_timeout_add (700, stop_waiting_cb, &late);
  while (lacks_buttons (transcript) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove_by_user_data (&late);
}

typedef struct
{
  const char *name;
  gboolean dark;
  gboolean mirrored;
  int width;
  const char *font;
} Variant;

/* The second match is the current one, for which a fold is opened where it is in one. */
static void
find (GadgetTranscript *transcript, const char *query)
{
  guint current = 0;
  gboolean complete = FALSE;

  gadget_transcript_find (transcript, query, FALSE, FALSE);
  while (!complete)
    {
      g_main_context_iteration (NULL, TRUE);
      gadget_transcript_get_n_found (transcript, &current, &complete);
    }
  for (guint i = 0; i < 12 && current != 2; i++)
    {
      gadget_transcript_find_step (transcript, FALSE);
      gadget_transcript_get_n_found (transcript, &current, &complete);
    }
}

/* @query: (nullable): what is found */
static void
show (GadgetSession *session, const Variant *variant, gboolean unfold, gboolean reads_rules,
      const char *query, const char *file)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *transcript = gadget_transcript_new ();
  g_autoptr (GadgetPictureLoader) loader = gadget_picture_loader_new (NULL);
  GtkWidget *window;

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), transcript);
  gadget_transcript_set_pictures (GADGET_TRANSCRIPT (transcript), loader);
  show_remote_attach (GADGET_TRANSCRIPT (transcript));
  gadget_transcript_set_session (GADGET_TRANSCRIPT (transcript), session);
  gtk_widget_set_size_request (scrolled, variant->width, -1);
  window = gadget_test_window_new (scrolled, variant->width, 720);
  add_actions (window);
  if (unfold)
    unfold_all (GADGET_TRANSCRIPT (transcript));
  gadget_test_wait_frames (window, 4);
  if (show_remote_load (GADGET_TRANSCRIPT (transcript)))
    gadget_test_wait_frames (window, 4);
  wait_for_pictures (loader);
  if (query != NULL)
    {
      find (GADGET_TRANSCRIPT (transcript), query);
      gadget_test_wait_frames (window, 4);
    }
  if (find_code (transcript))
    {
      wait_for_colors (reads_rules);
      wait_for_buttons (transcript);
      gadget_test_wait_frames (window, 4);
    }
  gadget_test_shoot (window, file);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

static gboolean
is_wanted (const char *file, char **parts)
{
  const gboolean all = *parts == NULL;

  for (; *parts != NULL; parts++)
    if (strstr (file, *parts) != NULL)
      return TRUE;
  return all;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GadgetSession *(*make) (void);
    const char *query;
  } states[] = { { "conversation", show_conversation_new },
                 { "found", show_conversation_new, "stream" },
                 { "found-code", show_conversation_new, "clos" },
                 { "found-colours", show_colours_new, "e" },
                 { "found-pictures", show_pictures_new, "o" },
                 { "markdown", show_markdown_new },
                 { "markdown-blocks", show_markdown_blocks_new },
                 { "markdown-words", show_markdown_words_new },
                 { "markdown-math", show_markdown_math_new },
                 { "code", show_code_new },
                 { "code-long", show_long_code_new },
                 { "changes", show_changes_new },
                 { "many-lines", show_many_lines_new },
                 { "pictures", show_pictures_new },
                 { "remote-pictures", show_remote_new },
                 { "permissions", show_permissions_new },
                 { "permissions-rare", show_permissions_rare_new },
                 { "groups", show_groups_new },
                 { "colours", show_colours_new },
                 { "aborted", show_aborted_new },
                 { "failed", show_failed_new },
                 { "limited", show_limited_new },
                 { "limit-asking", show_limit_asking_new },
                 { "asking", show_asking_new },
                 { "stubborn", show_stubborn_new },
                 { "subagents", show_subagents_new },
                 { "subagents-stopped", show_subagents_stopped_new },
                 { "subagent-asking", show_subagent_asking_new } };
  /* The first ones also in high contrast, if that is asked for; see libadwaita's debugging. */
  static const Variant variants[] = {
    { "light", FALSE, FALSE, 720, "Inter 11" },    { "dark", TRUE, FALSE, 720, "Inter 11" },
    { "narrow", FALSE, FALSE, 360, "Inter 11" },   { "rtl", FALSE, TRUE, 720, "Inter 11" },
    { "rtl-narrow", TRUE, TRUE, 360, "Inter 11" }, { "large", FALSE, FALSE, 720, "Inter 18" }
  };

  gboolean contrast;

  if (argc < 2 || !gtk_init_check ())
    return 2;
  gadget_test_ui_start ();
  contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  for (guint i = 0; i < (contrast ? N_CONTRAST : G_N_ELEMENTS (variants)); i++)
    {
      const Variant *variant = &variants[i];

      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          variant->dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                        : ADW_COLOR_SCHEME_FORCE_LIGHT);
      g_object_set (gtk_settings_get_default (), "gtk-font-name", variant->font, NULL);
      gtk_widget_set_default_direction (variant->mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      for (guint j = 0; j < G_N_ELEMENTS (states); j++)
        for (int open = 0; open < 2; open++)
          {
            g_autoptr (GadgetSession) session = states[j].make ();
            g_autofree char *file =
                g_strdup_printf ("%s/rows-%s%s-%s%s.png", argv[1], states[j].name,
                                 open ? "-open" : "", contrast ? "contrast-" : "", variant->name);

            if (is_wanted (file, argv + 2))
              show (session, variant, open != 0, i == 0, states[j].query, file);
            show_remote_end ();
          }
    }
  return 0;
}
