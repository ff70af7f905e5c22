type Rgb = readonly number[];

/** Of WCAG 2.2 (AA), for text. */
const LEAST_CONTRAST = 4.5;
/** The backgrounds of `share.css`, that of the page first; what an accent is mixed with until it is legible on them. */
const LIGHT = { papers: ['#fdfcf9', '#f6f4ee'].map(rgb), limit: rgb('#000000'), on: '#ffffff', tint: 0.12 };
const DARK = { papers: ['#111312', '#171a18'].map(rgb), limit: rgb('#ffffff'), on: '#000000', tint: 0.14 };

/**
 * The custom properties of a page with this accent (`#rrggbb`), for light and dark schemes: the accent itself or, where
 * text in it would be hard to read, darker or lighter in the same hue.
 */
export function accentCss(accent: string): string {
  const [light, dark] = [LIGHT, DARK].map((scheme) => colorsOf(rgb(accent), scheme)) as [Colors, Colors];
  return `:root{${properties(light)}}@media(prefers-color-scheme:dark){:root{${properties(dark)}}}`;
}

type Colors = ReturnType<typeof colorsOf>;

const properties = ({ accent, on, tint }: Colors): string =>
  `--accent:${accent};--on-accent:${on};--tint:${tint}`;

function colorsOf(chosen: Rgb, { papers, limit, on, tint: share }: typeof LIGHT) {
  for (let percent = 0; ; percent += 2) {
    const accent = mix(chosen, limit, percent / 100);
    const tint = mix(papers[0]!, accent, share);
    const isLegible = [...papers, tint].every((paper) => contrast(accent, paper) >= LEAST_CONTRAST);
    // The limit itself is legible.
    if (isLegible || percent >= 100) return { accent: hex(accent), on, tint: hex(tint) };
  }
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((value, at) => Math.round(value + (b[at]! - value) * share));

function contrast(a: Rgb, b: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance by WCAG, 0 to 1. */
function luminance(color: Rgb): number {
  const parts = color.map((value) => value / 255);
  const [red, green, blue] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function rgb(color: string): Rgb {
  if (!/^#[\da-f]{6}$/.test(color)) throw new Error(`not a color: ${color}`);
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

const hex = (color: Rgb): string => `#${Buffer.from(color).toString('hex')}`;
