/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ui/markdown/tex/gadget-tex.h"

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
    { "\\left( x \\right)", "(x)" },
    { "\\left. x \\right|", "x|" },
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
    { "\\lim_{x \\to 0}", "lim_(x→0)" },
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
    { "\\dfrac{\\partial f}{\\partial x}", "∂f/∂x" },
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

/* What models write, in their answers about mathematics, physics and statistics. */
static void
test_answers (void)
{
  static const Case lines[] = {
    { "x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "x = (−b ± √(b² − 4ac))/2a" },
    { "\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}", "∫_(−∞)^∞ e^(−x²) dx = √π" },
    { "\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}", "∑ₙ₌₁^∞ 1/n² = π²/6" },
    { "\\prod_{p \\text{ prime}} \\frac{1}{1 - p^{-s}} = \\sum_{n=1}^\\infty \\frac{1}{n^s}",
      "∏_(p prime) 1/(1 − p⁻ˢ) = ∑ₙ₌₁^∞ 1/nˢ" },
    { "\\lim_{x \\to 0} \\frac{\\sin x}{x} = 1", "lim_(x→0) (sin x)/x = 1" },
    { "\\lim_{n \\to \\infty} \\left(1 + \\frac{1}{n}\\right)^n = e", "lim_(n→∞) (1 + 1/n)ⁿ = e" },
    { "f'(x) = \\lim_{h \\to 0} \\frac{f(x+h) - f(x)}{h}", "f′(x) = lim_(h→0) (f(x+h) − f(x))/h" },
    { "\\frac{d}{dx}\\left[\\int_a^x f(t)\\,dt\\right] = f(x)", "d/dx [∫ₐˣ f(t) dt] = f(x)" },
    { "\\hat{f}(\\xi) = \\int_{-\\infty}^{\\infty} f(x)\\, e^{-2\\pi i x \\xi}\\,dx",
      "f̂(ξ) = ∫_(−∞)^∞ f(x) e^(−2π i x ξ) dx" },
    { "\\mathbf{F} = m\\mathbf{a}", "𝐅 = m𝐚" },
    { "\\vec{F} = m\\vec{a}, \\quad \\bar{x} = \\frac{1}{n}\\sum_{i=1}^n x_i",
      "F⃗ = ma⃗,   x̄ = 1/n ∑ᵢ₌₁ⁿ xᵢ" },
    { "P(A \\mid B) = \\frac{P(B \\mid A)\\,P(A)}{P(B)}", "P(A ∣ B) = (P(B ∣ A) P(A))/P(B)" },
    { "\\binom{n}{k} = \\frac{n!}{k!(n-k)!}", "C(n, k) = n!/(k!(n−k)!)" },
    { "(a+b)^n = \\sum_{k=0}^{n} \\binom{n}{k} a^{n-k} b^k", "(a+b)ⁿ = ∑ₖ₌₀ⁿ C(n, k) aⁿ⁻ᵏ bᵏ" },
    { "A = \\begin{pmatrix} a_{11} & a_{12} \\\\ a_{21} & a_{22} \\end{pmatrix}",
      "A =\n⎛a₁₁ a₁₂⎞\n⎝a₂₁ a₂₂⎠" },
    { "\\det\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} = ad - bc",
      "det (a b; c d) = ad − bc" },
    { "\\begin{bmatrix} 1 & 0 & 0 \\\\ 0 & 10 & -3 \\\\ 0 & 0 & 1 \\end{bmatrix} \\begin{bmatrix} "
      "x \\\\ y \\\\ z \\end{bmatrix} = \\begin{bmatrix} 1 \\\\ 2 \\\\ 3 \\end{bmatrix}",
      "[1 0 0; 0 10 −3; 0 0 1] [x; y; z] = [1; 2; 3]" },
    { "|x| = \\begin{cases} x & \\text{if } x \\ge 0, \\\\ -x & \\text{if } x < 0. \\end{cases}",
      "|x| =\n⎧ x  if x ≥ 0,\n⎩ −x if x < 0." },
    { "\\begin{aligned} (x+1)^2 &= x^2 + 2x + 1 \\\\ &= x(x + 2) + 1 \\end{aligned}",
      "(x+1)² = x² + 2x + 1\n = x(x + 2) + 1" },
    { "\\begin{align*} 2x + 3y &= 7 \\\\ x - y &= 1 \\end{align*}", "2x + 3y = 7\nx − y = 1" },
    { "\\nabla \\cdot \\mathbf{E} = \\frac{\\rho}{\\varepsilon_0}", "∇ · 𝐄 = ρ/ε₀" },
    { "\\nabla \\times \\mathbf{B} = \\mu_0 \\mathbf{J} + \\mu_0 \\varepsilon_0 \\frac{\\partial "
      "\\mathbf{E}}{\\partial t}",
      "∇ × 𝐁 = μ₀ 𝐉 + μ₀ ε₀ ∂𝐄/∂t" },
    { "i\\hbar \\frac{\\partial}{\\partial t} \\Psi(\\mathbf{r}, t) = \\hat{H} \\Psi(\\mathbf{r}, "
      "t)",
      "iℏ ∂/∂t Ψ(𝐫, t) = Ĥ Ψ(𝐫, t)" },
    { "\\frac{\\partial^2 u}{\\partial t^2} = c^2 \\nabla^2 u", "∂²u/∂t² = c² ∇²u" },
    { "\\sqrt[3]{x^3 + y^3}", "∛(x³ + y³)" },
    { "\\text{Attention}(Q, K, V) = \\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V",
      "Attention(Q, K, V) = softmax(QKᵀ/√dₖ)V" },
    { "\\mathcal{L}(\\theta) = -\\sum_{i} y_i \\log \\hat{y}_i", "ℒ(θ) = −∑ᵢ yᵢ log ŷᵢ" },
    { "\\theta_{t+1} = \\theta_t - \\eta \\nabla_\\theta J(\\theta)", "θₜ₊₁ = θₜ − η ∇_θ J(θ)" },
    { "\\mathbb{E}[X] = \\int_{\\Omega} X \\, d\\mathbb{P}", "𝔼[X] = ∫_Ω X dℙ" },
    { "\\sigma = \\sqrt{\\frac{1}{N}\\sum_{i=1}^{N}(x_i - \\mu)^2}", "σ = √(1/N ∑ᵢ₌₁ᴺ(xᵢ − μ)²)" },
    { "f(x) = \\frac{1}{\\sigma\\sqrt{2\\pi}} "
      "e^{-\\frac{1}{2}\\left(\\frac{x-\\mu}{\\sigma}\\right)^2}",
      "f(x) = 1/(σ√(2π)) e^(−1⁄2 ((x−μ)/σ)²)" },
    { "\\frac{1}{1 + \\frac{1}{1 + \\frac{1}{x}}}", "1/(1 + 1/(1 + 1/x))" },
    { "O(n \\log n), \\quad \\Theta(n^2)", "O(n log n),   Θ(n²)" },
    { "\\|x\\|_2 = \\sqrt{\\sum_i |x_i|^2}", "‖x‖₂ = √(∑ᵢ |xᵢ|²)" },
    { "\\lfloor x \\rfloor \\le x < \\lceil x \\rceil", "⌊x⌋ ≤ x < ⌈x⌉" },
    { "\\forall \\varepsilon > 0\\; \\exists \\delta > 0 : |x - a| < \\delta \\implies |f(x) - L| "
      "< \\varepsilon",
      "∀ε > 0 ∃δ > 0 : |x − a| < δ ⟹ |f(x) − L| < ε" },
    { "A \\cup B = \\{x \\mid x \\in A \\text{ or } x \\in B\\}", "A ∪ B = {x ∣ x ∈ A or x ∈ B}" },
    { "\\underbrace{1 + 1 + \\cdots + 1}_{n \\text{ times}} = n", "(1 + 1 + ⋯ + 1)_(n times) = n" },
    { "\\max_{x \\in [0,1]} f(x), \\quad \\arg\\max_\\theta \\, \\ell(\\theta), \\quad "
      "\\operatorname*{arg\\,min}_x g(x)",
      "max_(x∈[0,1]) f(x),   arg max_θ ℓ(θ),   arg minₓ g(x)" },
    { "\\oint_{\\partial S} \\mathbf{B} \\cdot d\\boldsymbol{\\ell} = \\mu_0 I",
      "∮_(∂S) 𝐁 · dℓ = μ₀ I" },
    { "\\iint_D f(x,y)\\,dA", "∬_D f(x,y) dA" },
    { "\\int_0^{2\\pi} \\sin^2\\theta \\, d\\theta = \\pi", "∫₀^(2π) sin²θ dθ = π" },
    { "\\log_2 8 = 3", "log₂ 8 = 3" },
    { "a \\equiv b \\pmod{m}, \\quad \\gcd(a, b) = 1", "a ≡ b (mod m),   gcd(a, b) = 1" },
    { "\\left\\{ \\begin{array}{l} x + y = 1 \\\\ x - y = 0 \\end{array} \\right.",
      "⎧ x + y = 1\n⎩ x − y = 0" },
    { "\\left. \\frac{dy}{dx} \\right|_{x=0}", "dy/dx|ₓ₌₀" },
    { "\\left\\| \\frac{v}{w} \\right\\| \\left\\langle u, v \\right\\rangle", "‖v/w‖ ⟨u, v⟩" },
    { "x \\in \\mathbb{R}^{n \\times m}, A^{-1}, A^\\dagger, x^*, e^{2}",
      "x ∈ ℝ^(n×m), A⁻¹, A†, x*, e²" },
    { "5\\,\\text{km/h} = \\frac{5000\\,\\text{m}}{3600\\,\\text{s}}",
      "5 km/h = (5000 m)/(3600 s)" },
    { "\\frac{\\text{distance}}{\\text{time}}", "distance/time" },
    { "\\Delta x \\, \\Delta p \\geq \\frac{\\hbar}{2}", "Δ x Δ p ≥ ℏ/2" },
    { "\\ln\\!\\left(\\frac{a}{b}\\right)", "ln (a/b)" },
    { "\\frac{a}{b} + \\frac{c}{d} = \\frac{ad + bc}{bd}", "a/b + c/d = (ad + bc)/bd" },
    { "\\tfrac{3}{4} \\cdot 8", "3⁄4 · 8" },
    { "e^{\\frac{x}{2}} + 2^{n/2} + x^{\\frac{1}{2}}", "e^(x/2) + 2^(n/2) + x^(1⁄2)" },
    { "H_0: \\mu = \\mu_0 \\quad \\text{vs.} \\quad H_1: \\mu \\neq \\mu_0",
      "H₀: μ = μ₀   vs.   H₁: μ ≠ μ₀" },
    { "\\begin{vmatrix} a & b \\\\ c & d \\end{vmatrix}", "|a b|\n|c d|" },
  };
  static const Case inline_[] = {
    { "\\frac{n(n+1)}{2}", "(n(n+1))/2" },
    { "\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}", "[1 2; 3 4]" },
    { "\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}",
      "{ 1 x > 0; 0 otherwise" },
    { "x_{i,j} + T_{\\text{max}} + v_0 + x_{n-1} + a_{ij}", "x_(i,j) + Tₘₐₓ + v₀ + xₙ₋₁ + aᵢⱼ" },
    { "\\sum_{i=1}^n i^2", "∑ᵢ₌₁ⁿ i²" },
    { "f \\colon X \\to Y", "f : X → Y" },
    { "\\lim\\limits_{x\\to a} f(x) \\sum\\limits_{k} k", "lim_(x→a) f(x) ∑ₖ k" },
    { "10^{-3}, 2^{32}, 2^{10}, 3 \\times 10^8 \\, \\text{m/s}", "10⁻³, 2³², 2¹⁰, 3 × 10⁸ m/s" },
    { "\\$5, 20\\%, a_b", "$5, 20%, a_b" },
    { "\\mathrm{kg}\\cdot\\mathrm{m}/\\mathrm{s}^2", "kg · m/s²" },
    { "\\boxed{x = 5}", "x = 5" },
    { "\\ell_1 \\approx \\lVert w \\rVert", "ℓ₁ ≈ ‖ w ‖" },
    { "A^{\\mathsf T} A, A^\\mathrm{T}", "Aᵀ A, Aᵀ" },
    { "\\dfrac{dy}{dx} = 2x", "dy/dx = 2x" },
    { "\\left(\\frac{1}{2}\\right)^{n+1}", "(1⁄2)ⁿ⁺¹" },
    { "\\sqrt{\\frac{a}{b}}", "√(a/b)" },
    { "\\int f\\,d\\mu, \\int\\!\\!\\!\\int", "∫ f dμ, ∫∫" },
    { "\\mathbb{1}_{A}(x), \\mathbb{N}_0, \\mathscr{F}", "𝟙_A(x), ℕ₀, ℱ" },
    { "x\\text{-axis}, \\textbf{Bold}", "x-axis, Bold" },
    { "p \\land q \\lor \\lnot r \\Rightarrow s", "p ∧ q ∨ ¬r ⇒ s" },
    { "\\overrightarrow{AB}, \\angle ABC = 60^{\\circ}", "A⃗B⃗, ∠ ABC = 60°" },
    { "\\mathop{\\mathrm{argmin}}_x f", "argminₓ f" },
    { "x\\mapsto x^2", "x ↦ x²" },
    { "\\sum_{i=1}^{n} x_i y_i - n\\bar{x}\\bar{y}", "∑ᵢ₌₁ⁿ xᵢ yᵢ − nx̄ȳ" },
    { "\\substack{a \\\\ b}", "a; b" },
    { "\\overbrace{a+b}^{\\text{sum}}", "(a+b)ˢᵘᵐ" },
    { "\\#\\{x\\}", "#{x}" },
    { "\\sin^2 x + \\cos^2 x = 1, \\sin 2x, \\tan^{-1} x", "sin² x + cos² x = 1, sin 2x, tan⁻¹ x" },
    { "n!, \\prod_{i<j}(x_j - x_i)", "n!, ∏_(i<j)(xⱼ − xᵢ)" },
    { "\\frac{\\mathrm{d}y}{\\mathrm{d}x}, \\frac{\\mathrm d}{\\mathrm dx}", "dy/dx, d/dx" },
    { "\\ln x + \\ln(y), \\exp(-\\lambda t), \\log n!", "ln x + ln(y), exp(−λ t), log n!" },
    { "a\\bmod b, a \\mod b", "a mod b, a mod b" },
    { "\\sqrt{x}\\,y", "√x y" },
    { "\\frac{x^2}{y^2}, \\frac{2x}{3}, \\frac{x_1}{x_2}", "x²/y², 2x/3, x₁/x₂" },
    { "\\pm 1, = -5, (-3), 2^{-1}", "± 1, = −5, (−3), 2⁻¹" },
  };

  check (lines, G_N_ELEMENTS (lines), TRUE);
  check (inline_, G_N_ELEMENTS (inline_), FALSE);
}

static void
test_rows (void)
{
  static const Case lines[] = {
    { "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "⎛a\u2002b⎞\n⎝c\u2002d⎠" },
    { "A = \\begin{bmatrix} 1 \\\\ 2 \\\\ 3 \\end{bmatrix}", "A =\n⎡1⎤\n⎢2⎥\n⎣3⎦" },
    { "f(x) = \\begin{cases} 1 & \\text{if } x > 0 \\\\ 0 & \\text{else} \\end{cases}",
      "f(x) =\n⎧ 1\342\200\203if x > 0\n⎩ 0\342\200\203else" },
    { "\\begin{aligned} a &= b \\\\ &= c \\end{aligned}", "a = b\n\u2003= c" },
    { "a \\\\ b", "a\nb" },
    { "\\begin{cases} a & b \\\\[4pt] -c & d \\end{cases}",
      "⎧ a\u2007\342\200\203b\n⎩ −c\342\200\203d" },
    { "a \\\\ [b]", "a\n[b]" },
    /* Filled up by the width of a digit; more columns than that are not counted. */
    { "\\begin{bmatrix} 1 & 0 \\\\ 0 & -10 \\end{bmatrix}",
      "⎡1\u2002\u2007\u20070⎤\n⎣0\u2002−10⎦" },
    { "\\left[\\begin{array}{c|c} a & b \\\\ c & d \\end{array}\\right]",
      "⎡a\u2002b⎤\n⎣c\u2002d⎦" },
    { "\\left( \\begin{matrix} a \\\\ b \\end{matrix} \\right)", "⎛a⎞\n⎝b⎠" },
    { "\\left( \\begin{matrix} a \\\\ b \\end{matrix} + 1 \\right)", "(a; b + 1)" },
    { "\\left\\{ \\begin{aligned} x &= 1 \\\\ y &= 2 \\end{aligned} \\right.", "⎧ x = 1\n⎩ y = 2" },
    { "\\begin{align} a &= b & c &= d \\\\ &= e \\end{align}", "a = b\u2003c = d\n\u2003= e" },
    { "\\begin{aligned} A &= \\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix} \\\\ b &= 1 \\end{aligned}",
      "A =\n⎡1⎤\n⎣2⎦\nb = 1" },
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
    { "\\left", "" },
    { "\\right\\foo", "\\foo" },
    { "\\left\\left(", "(" },
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
                                       "\\color",
                                       "\\begin{bmatrix}a&b\\\\",
                                       "\\left[\\begin{array}{c}&&&&",
                                       "\\left\\left" };

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
  g_test_add_func ("/ui/tex/answers", test_answers);
  g_test_add_func ("/ui/tex/rows", test_rows);
  g_test_add_func ("/ui/tex/unknown", test_unknown);
  g_test_add_func ("/ui/tex/hostile", test_hostile);
  return g_test_run ();
}
