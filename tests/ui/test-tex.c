/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "transcript/markdown/gadget-tex.h"

#include <string.h>

typedef struct
{
  const char *tex;
  const char *text;
} Case;

static void
check (const Case *cases, guint n, gboolean display)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = gadget_tex_to_text (cases[i].tex, display);

      g_test_message ("%s", cases[i].tex);
      if (strcmp (text, cases[i].text) != 0)
        {
          g_test_message ("is \"%s\", not \"%s\"", text, cases[i].text);
          g_test_fail ();
        }
    }
}

static void
test_symbols (void)
{
  static const Case cases[] = {
    { "x", "x" },
    { "\\alpha + \\beta = \\gamma", "α + β = γ" },
    { "\\Omega\\subseteq\\mathbb{R}^n", "Ω ⊆ ℝⁿ" },
    { "a\\leq b", "a ≤ b" },
    { "a \\times b \\cdot c", "a × b · c" },
    { "f: A \\to B", "f: A → B" },
    { "\\forall x \\in X\\, \\exists y", "∀x ∈ X ∃y" },
    { "\\infty", "∞" },
    { "90^\\circ", "90°" },
    { "\\sin\\theta", "sin θ" },
    { "\\sin(x)", "sin(x)" },
    { "2\\log n", "2 log n" },
    { "\\{1, \\dots, n\\}", "{1, …, n}" },
    { "50\\%", "50%" },
    { "\\left( x \\right)", "( x )" },
    { "\\left. x \\right|", "x |" },
    { "a \\not= b", "a =\314\270 b" },
    { "\\mathcal{L}", "ℒ" },
    { "\\mathfrak{g}", "𝔤" },
    { "\\mathbf{x}", "𝐱" },
    { "\\mathrm{d}x", "dx" },
    { "\\text{if } x > 0", "if x > 0" },
    { "\\operatorname{rank} A", "rank A" },
    { "a \\equiv b \\pmod{n}", "a ≡ b (mod n)" },
    { "f'(x)", "f′(x)" },
    { "x - y", "x − y" },
  };

  check (cases, G_N_ELEMENTS (cases), FALSE);
}

static void
test_scripts (void)
{
  static const Case cases[] = {
    { "E = mc^2", "E = mc²" },
    { "x_1, \\ldots, x_n", "x₁, …, xₙ" },
    { "x_{i+1}^{2n}", "xᵢ₊₁²ⁿ" },
    { "e^{-x}", "e⁻ˣ" },
    { "A^T", "Aᵀ" },
    { "A^{\\top}", "Aᵀ" },
    { "x^q", "x^q" },
    { "x_{\\text{max}}", "xₘₐₓ" },
    { "x_{\\text{big}}", "x_big" },
    { "e^{i\\pi} + 1 = 0", "e^(iπ) + 1 = 0" },
    { "\\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i" },
    { "\\int_0^1 x\\,dx", "∫₀¹ x dx" },
    { "\\lim_{x \\to 0}", "lim_(x → 0)" },
  };

  check (cases, G_N_ELEMENTS (cases), FALSE);
}

static void
test_arguments (void)
{
  static const Case cases[] = {
    { "\\frac{1}{2}", "1⁄2" },
    { "\\frac12", "1⁄2" },
    { "2\\frac{1}{2}", "2 1⁄2" },
    { "\\frac{a}{b}", "a/b" },
    { "\\frac{a + b}{c}", "(a + b)/c" },
    { "\\dfrac{\\partial f}{\\partial x}", "(∂f)/(∂x)" },
    { "\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "(−b ± √(b² − 4ac))/2a" },
    { "\\sqrt{2}", "√2" },
    { "\\sqrt{x+1}", "√(x+1)" },
    { "\\sqrt[3]{x}", "∛x" },
    { "\\sqrt[n]{x}", "ⁿ√x" },
    { "\\sqrt\\frac{1}{2}", "√(1⁄2)" },
    { "\\hat{x}", "x\314\202" },
    { "\\vec v", "v\342\203\227" },
    { "\\overline{AB}", "A\314\205B\314\205" },
    { "\\binom{n}{k}", "C(n, k)" },
    { "\\boxed{42}", "42" },
    { "\\frac{1}{n}\\sum_{i} x_i", "1/n ∑ᵢ xᵢ" },
    { "\\frac{1}{2}mv^2", "1⁄2 mv²" },
    { "\\left(1 + \\frac{1}{n}\\right)^n", "(1 + 1/n)ⁿ" },
    { "\\underbrace{a+b}_{2}", "(a+b)₂" },
    { "\\color{red}{x} + \\textcolor{blue}{y}", "x + y" },
    { "a \\label{eq:1}\\hspace{1cm} b", "a b" },
    { "\\vec{AB} \\widehat{abc}", "A⃗B⃗ a\314\202b\314\202c\314\202" },
    { "\\vec{a + b}", "(a + b)\342\203\227" },
    { "\\xleftarrow[a]{b} c", "←b─ c" },
    { "a_{i_j}", "a_(iⱼ)" },
    { "\\ce{2H2 + O2 -> 2H2O}", "2H₂ + O₂ → 2H₂O" },
    { "\\ce{SO4^2- <=> Ca(OH)2}", "SO₄²⁻ ⇌ Ca(OH)₂" },
    { "\\ce{C12H22O11}", "C₁₂H₂₂O₁₁" },
    { "\\overset{?}{=}", "=^?" },
  };

  check (cases, G_N_ELEMENTS (cases), FALSE);
}

static void
test_rows (void)
{
  static const Case lines[] = {
    { "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "⎛a b⎞\n⎝c d⎠" },
    { "A = \\begin{bmatrix} 1 \\\\ 2 \\\\ 3 \\end{bmatrix}", "A =\n⎡1⎤\n⎢2⎥\n⎣3⎦" },
    { "f(x) = \\begin{cases} 1 & \\text{if } x > 0 \\\\ 0 & \\text{else} \\end{cases}",
      "f(x) =\n⎧ 1\342\200\203if x > 0\n⎩ 0\342\200\203else" },
    { "\\begin{aligned} a &= b \\\\ &= c \\end{aligned}", "a = b\n= c" },
    { "a \\\\ b", "a\nb" },
    { "\\begin{cases} a & b \\\\[4pt] -c & d \\end{cases}", "⎧ a\342\200\203b\n⎩ −c\342\200\203d" },
    { "a \\\\ [b]", "a\n[b]" },
  };
  static const Case inline_[] = {
    { "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "(a b; c d)" },
  };

  check (lines, G_N_ELEMENTS (lines), TRUE);
  check (inline_, G_N_ELEMENTS (inline_), FALSE);
}

/* What is not known stays. */
static void
test_unknown (void)
{
  static const Case cases[] = {
    { "\\foo", "\\foo" },
    { "\\foo{a}{b} + 1", "\\foo{a}{b} + 1" },
    { "\\begin{tikzpicture} \\end{tikzpicture}", "\\begin{tikzpicture} \\end{tikzpicture}" },
    { "\\", "\\" },
    { "{", "" },
    { "}", "}" },
    { "x^", "x" },
    { "", "" },
    { "\\frac", "/" },
  };

  check (cases, G_N_ELEMENTS (cases), FALSE);
}

/* Deep and long ones end, and stay valid. */
static void
test_hostile (void)
{
  static const char *const parts[] = { "{",
                                       "\\frac",
                                       "\\sqrt{",
                                       "^",
                                       "_{",
                                       "\\begin{pmatrix}",
                                       "\\left(",
                                       "\\hat",
                                       "\\text{",
                                       "&",
                                       "\\\\",
                                       "\\",
                                       "\303\251",
                                       "\\ce{a^{",
                                       "\\ce{2H2O^",
                                       "\\\\[4",
                                       "\\begin{cases}&",
                                       "\\underbrace{a",
                                       "\\color" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) tex = g_string_new (NULL);
      g_autofree char *text = NULL;

      while (tex->len < 20000)
        g_string_append (tex, parts[i]);
      text = gadget_tex_to_text (tex->str, i % 2 == 0);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_cmpuint (strlen (text), <=, 8 * tex->len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/tex/symbols", test_symbols);
  g_test_add_func ("/ui/tex/scripts", test_scripts);
  g_test_add_func ("/ui/tex/arguments", test_arguments);
  g_test_add_func ("/ui/tex/rows", test_rows);
  g_test_add_func ("/ui/tex/unknown", test_unknown);
  g_test_add_func ("/ui/tex/hostile", test_hostile);
  return g_test_run ();
}
