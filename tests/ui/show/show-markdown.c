/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-markdown.h"

#include "show-code.h"

static GadgetSession *
make_answer (const char *name, const char *text)
{
  GadgetSession *session = gadget_session_new (name);

  show_answer_add (session, text);
  return session;
}

GadgetSession *
show_markdown_new (void)
{
  return make_answer ("markdown",
                      "# Streams\n\n"
                      "A stream is *read* until it **ends**; what is ~~lost~~ left over is closed, "
                      "as [the manual](https://docs.gtk.org/gio/) says, and `g_object_unref ()` "
                      "frees it.\n\n"
                      "### Steps\n\n"
                      "9. Wait for the read:\n"
                      "   - it returns at once,\n"
                      "   - or with an error of `G_IO_ERROR`.\n"
                      "10. Close it. This item is longer than a line, so that its second line "
                      "begins where its first one does.\n\n"
                      "> Closing while a read is pending fails.\n>\n"
                      "> > That is also what *others* found.\n\n"
                      "- [x] Read\n- [ ] Close\n\n"
                      "---\n\n"
                      "Written to <ada@example.org>, see https://example.org/a/long/path and "
                      "![a picture](https://example.org/picture.png); not "
                      "[this](javascript:alert(1)).\n");
}

GadgetSession *
show_markdown_blocks_new (void)
{
  return make_answer (
      "markdown-blocks",
      "| Call | Returns | Cost |\n|:-----|:-------:|-----:|\n"
      "| `read ()` | bytes, or nothing at the end | 0.1 ms |\n"
      "| `close ()` | whether it **worked** | 12 ms |\n\n"
      "1. First the loop:\n\n"
      "   ```python\n   for line in stream:\n       print(line)\n   ```\n\n"
      "2. then the rest.\n\n"
      "| Name | What it is | Where it is found | Since when | Who asks for it |\n"
      "|---|---|---|---|---|\n"
      "| GInputStream | a base class for streams that are read from, in GIO | "
      "gio/ginputstream.h | 2.16 | everybody who reads a file or a socket |\n\n"
      "```\nno language, and a line that is so long that it does not fit into the "
      "column, so that it has to be broken somewhere or scrolled from side to side\n"
      "```\n\n"
      "שלום עולם, זה `code` בתוך טקסט.\n\n- פריט ראשון\n- פריט שני\n\n> ציטוט\n");
}

GadgetSession *
show_markdown_words_new (void)
{
  return make_answer (
      "markdown-words",
      "Press <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>K</kbd>. Water is H<sub>2</sub>O, a mole "
      "6.022&times;10<sup>23</sup>, the 1<sup>st</sup> of v<sub>max</sub>; <u>underlined</u>, "
      "<mark>marked</mark>, <b>bold</b>, <i>thin</i>, <s>gone</s>, <code>code</code>.\n\n"
      "| Step | What |\n|---|---|\n| 1 | read<br>write<br>close |\n| 2 | <kbd>F5</kbd> |\n\n"
      "One line<br>and another one. <b>Not closed, and <span>not known</span>.\n\n"
      "<details>\n<summary>How it works</summary>\n\nIt *reads*, then:\n\n- it writes\n\n"
      "</details>\n\n"
      "The next paragraph.\n");
}

GadgetSession *
show_markdown_math_new (void)
{
  return make_answer (
      "markdown-math",
      "The mean is \\(\\bar{x} = \\frac{1}{n}\\sum_{i=1}^n x_i\\), and\n\n"
      "$$f(x) = \\frac{1}{\\sigma\\sqrt{2\\pi}} e^{-\\frac{1}{2}\\left(\\frac{x-\\mu}{\\sigma}"
      "\\right)^2}, \\qquad \\lim_{x \\to 0} \\frac{\\sin x}{x} = 1$$\n\n"
      "with the absolute value\n\n"
      "$$|x| = \\begin{cases} x & \\text{if } x \\ge 0, \\\\ -x & \\text{if } x < 0. "
      "\\end{cases}$$\n\n"
      "Rotated by\n\n"
      "$$R = \\begin{pmatrix} \\cos\\theta & -\\sin\\theta \\\\ \\sin\\theta & \\cos\\theta "
      "\\end{pmatrix}$$\n\n"
      "$$M = \\begin{bmatrix} 1 & 0 & 0 \\\\ 0 & 10 & -3 \\\\ 0 & 0 & 1 \\end{bmatrix}$$\n\n"
      "$$\\begin{aligned} (x+1)^2 &= x^2 + 2x + 1 \\\\ &= x(x + 2) + 1 \\end{aligned}$$\n\n"
      "$$\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix} \\begin{bmatrix} x \\\\ y \\end{bmatrix} "
      "= "
      "\\begin{bmatrix} 5 \\\\ 6 \\end{bmatrix}$$\n\n"
      "and $\\forall \\varepsilon > 0\\; \\exists \\delta > 0$ with $x \\in \\mathbb{R}^{n \\times "
      "m}$.\n");
}
