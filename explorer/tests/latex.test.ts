import assert from "node:assert/strict";
import { test } from "node:test";
import { lettered } from "../src/look/latex";

const SHOWN: Record<string, string> = {
  "$K$-theory": "K-theory",
  "$K-$structure of ${\\cal U}(\\mathfrak{g})$": "K-structure of 𝒰(𝔤)",
  "The $\\alpha$-effect at $z \\sim 2$": "The α-effect at z ∼ 2",
  "about $\\sim$3.5 keV": "about ∼3.5 keV",
  "CO$_2$ and H$^+$ at 10$^{-3}$": "CO₂ and H⁺ at 10⁻³",
  "$L^\\infty$, $U_q$ and $x^{i+q}$": "L^∞, U_q and x^(i+q)",
  "$H^1(\\mathbb{R}^n)$ and $\\mathbb R^{2}$": "H¹(ℝⁿ) and ℝ²",
  "$\\mathcal{N}=4$ on $AdS_5 \\times S^5$": "𝒩=4 on AdS₅ × S⁵",
  "Search for $B \\to K^* \\mu^+ \\mu^-$": "Search for B → K∗ μ⁺ μ⁻",
  'Schr\\"odinger, G\\"{o}del and {\\\'E}mile': "Schrödinger, Gödel and Émile",
  "Poincar\\'e, Erd\\H{o}s, \\v{C}ech, na\\\"{\\i}ve, Fran\\c{c}ois":
    "Poincaré, Erdős, Čech, naïve, François",
  "a \\alpha b, Stra\\ss{}e": "a α b, Straße",
  "100\\% of \\emph{all} R\\&D": "100% of all R&D",
  "$\\text{SU}(2)$, $\\bar{p}p$ and $\\tilde x$": "SU(2), p̄p and x̃",
};

for (const [title, shown] of Object.entries(SHOWN)) {
  test(`LaTeX is shown as letters: ${title}`, () => assert.equal(lettered(title), shown));
}

test("what is not simple, or no LaTeX, stays as it was", () => {
  for (const title of [
    "$\\frac{a}{b}$ and $x^{\\unknown}$",
    "$\\unknown$, \\unknown and \\begin{align}",
    "From $5 billion to $10 billion",
    "$5-$10 a month",
    "A$AP and Ke$ha",
    "it\\'s, don\\'t and they\\'ll",
    'he said \\"in the end\\"',
    "C:\\Users\\name",
    "{a} ^ _ } { \\",
    "$ $",
    "$a{b$ $}$ $\\$",
    `\\'${"{\\'".repeat(20_000)}`,
  ]) {
    assert.equal(lettered(title), title);
  }
});
