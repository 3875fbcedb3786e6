// Simple LaTeX as letters. What is not simple stays as it was written.

const LETTERS = table(`
  alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ
  iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi ϕ varphi φ
  chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ
  Psi Ψ Omega Ω ell ℓ hbar ℏ infty ∞ partial ∂ nabla ∇ times × cdot · pm ± to →
  rightarrow → le ≤ leq ≤ lesssim ≲ ge ≥ geq ≥ gtrsim ≳ ne ≠ neq ≠ sim ∼ simeq ≃ approx ≈
  equiv ≡ cong ≅ propto ∝ in ∈ subset ⊂ cap ∩ cup ∪ otimes ⊗ oplus ⊕ wedge ∧ circ ∘ ast ∗
  star ⋆ dagger † odot ⊙ perp ⊥ prime ′ ldots … dots … ss ß ae æ AE Æ oe œ OE Œ aa å AA Å
  o ø O Ø l ł L Ł i ı j ȷ log log ln ln min min max max
`);
const ACCENTS = table(`
  \` \u0300 ' \u0301 ^ \u0302 ~ \u0303 = \u0304 u \u0306 . \u0307 " \u0308 r \u030a H \u030b v \u030c
  c \u0327 k \u0328 hat \u0302 tilde \u0303 bar \u0304 vec \u20d7
`);
const SPACES: Record<string, string> = { ",": " ", ":": " ", ";": " ", " ": " ", "!": "", "/": "" };
const UPRIGHT = /^(text(rm|it|bf|tt)?|emph|math(rm|bf|sf))$/;
const SWITCHES = ["rm", "bf", "it", "em", "sf", "tt"]; // for the rest of a group
interface Alphabet {
  readonly first: number; // the code point of its A
  readonly others: ReadonlyMap<string, string>; // letters with other code points
}
const ALPHABETS: Record<string, Alphabet> = {
  mathbb: { first: 0x1d538, others: table("C ℂ H ℍ N ℕ P ℙ Q ℚ R ℝ Z ℤ") },
  mathcal: { first: 0x1d49c, others: table("B ℬ E ℰ F ℱ H ℋ I ℐ L ℒ M ℳ R ℛ e ℯ g ℊ o ℴ") },
  mathfrak: { first: 0x1d504, others: table("C ℭ H ℌ I ℑ R ℜ Z ℨ") },
};
ALPHABETS.cal = ALPHABETS.mathscr = ALPHABETS.mathcal;
ALPHABETS.frak = ALPHABETS.mathfrak;
const RAISED = table(
  "0 ⁰ 1 ¹ 2 ² 3 ³ 4 ⁴ 5 ⁵ 6 ⁶ 7 ⁷ 8 ⁸ 9 ⁹ + ⁺ - ⁻ ( ⁽ ) ⁾ n ⁿ i ⁱ * ∗ ′ ′ ∗ ∗ ∘ °",
);
const LOWERED = table(
  "0 ₀ 1 ₁ 2 ₂ 3 ₃ 4 ₄ 5 ₅ 6 ₆ 7 ₇ 8 ₈ 9 ₉ + ₊ - ₋ ( ₍ ) ₎ a ₐ e ₑ o ₒ x ₓ k ₖ n ₙ p ₚ t ₜ i ᵢ j ⱼ r ᵣ",
);
const MATH = /(?<![\\$])\$(?!\s)([^$]{1,80}?)(?<!\s)\$/gu;
const TOKEN = /\\([a-zA-Z]+|.)|./suy;
const LONGEST = 500; // characters; what is longer is no title

/** A title with simple formulas, accents and symbols as letters: `$K$-theory`, `\'e`, `\alpha`. */
export function lettered(title: string): string {
  if (!/[\\$]/.test(title) || title.length > LONGEST) return title;
  let [shown, at] = ["", 0];
  for (const { 0: whole, 1: inside, index } of title.matchAll(MATH)) {
    const formula = isFormula(inside, title[index - 1], title[index + whole.length])
      ? new Reader(inside, true).all()
      : null;
    shown += new Reader(title.slice(at, index), false).all() + (formula ?? whole);
    at = index + whole.length;
  }
  return shown + new Reader(title.slice(at), false).all();
}

/** Whether what is between two dollar signs is a formula, and not text between two prices, or
 * between two dollar signs that stand for letters. */
function isFormula(inside: string, before = "", after = ""): boolean {
  if (/[\\^_]/.test(inside)) return true;
  if (/[\p{L}\p{N}]/u.test(before) || /\d/.test(after)) return false;
  return !/\p{L}{2}.*\s|\s.*\p{L}{2}/u.test(inside);
}

/** Reads LaTeX: in a formula, all of it or nothing; elsewhere, what it understands. */
class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly math: boolean,
  ) {}

  /** All of the text; null if it is a formula that is not simple. */
  all(): string | null {
    let shown = "";
    while (this.at < this.text.length) {
      const from = this.at;
      const part = this.atom();
      if (part === null && this.math) return null;
      if (part === null) this.at = from + 1;
      shown += part ?? this.text[from];
    }
    return shown;
  }

  /** A letter, a command with what it applies to, or a group; null if it is not simple. */
  private atom(): string | null {
    TOKEN.lastIndex = this.at;
    const [token, command] = TOKEN.exec(this.text) ?? [""];
    this.at += token.length;
    if (command) return this.command(command);
    if (token === "{" && (this.math || this.text[this.at] === "\\")) return this.group();
    if (this.math && (token === "^" || token === "_")) return small(this.atom(), token);
    return token === "" || (this.math && /[}\\]/.test(token)) ? null : token;
  }

  private group(): string | null {
    let shown = "";
    while (this.text[this.at] !== "}") {
      const part = this.atom();
      if (part === null) return null;
      shown += part;
    }
    this.at++;
    return shown;
  }

  private command(name: string): string | null {
    if (Object.hasOwn(SPACES, name)) return SPACES[name];
    if (/[&%#_${}]/.test(name)) return name;
    const letter = LETTERS.get(name);
    if (letter) {
      if (this.text.startsWith("{}", this.at)) this.at += 2; // which only end the name
      return letter;
    }
    if (/[a-z]/i.test(name)) while (this.text[this.at] === " ") this.at++; // these end the name
    if (SWITCHES.includes(name)) return "";
    const accent = ACCENTS.get(name);
    const alphabet = Object.hasOwn(ALPHABETS, name) ? ALPHABETS[name] : null;
    if (!accent && !alphabet && !UPRIGHT.test(name)) return null;
    const braced = this.text[this.at] === "{";
    if (accent && !braced && !this.isAccent(name)) return null;
    if (braced) this.at++;
    const inside = braced ? this.group() : this.atom();
    if (inside === null) return null;
    if (alphabet) return [...inside].map((letter) => styled(letter, alphabet)).join("");
    if (!accent) return inside;
    const base = inside.replace("ı", "i").replace("ȷ", "j");
    return /^.$/u.test(base) ? (base + accent).normalize("NFC") : null;
  }

  /** Whether an accent is meant, and no quotation mark that some software escaped. */
  private isAccent(name: string): boolean {
    const [before, base] = [this.text[this.at - 3] ?? "", this.text.slice(this.at)];
    if (!/^[\W_]$/.test(name)) return true;
    if (name === '"' && !/[\p{L}{]/u.test(before)) return false;
    return name === "~" ? /^\\?[aion]/i.test(base) : /^(\\i|[aeiouy])/i.test(base);
  }
}

/** An exponent or index in raised or lowered letters; if one has no such form, after “^” or “_”. */
function small(text: string | null, sign: "^" | "_"): string | null {
  const forms = sign === "^" ? RAISED : LOWERED;
  const letters = [...(text ?? "")];
  if (!text || letters.every((letter) => forms.has(letter))) {
    return text && letters.map((letter) => forms.get(letter)).join("");
  }
  return letters.length > 1 ? `${sign}(${text})` : sign + text;
}

function styled(letter: string, { first, others }: Alphabet): string {
  const other = others.get(letter);
  if (other) return other;
  const at = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(letter);
  return at < 0 ? letter : String.fromCodePoint(first + at);
}

/** A map from a text of names, each followed by what it stands for. */
function table(text: string): ReadonlyMap<string, string> {
  const parts = text.trim().split(/\s+/);
  return new Map(parts.flatMap((name, k) => (k % 2 ? [] : [[name, parts[k + 1]]])));
}
