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
  const [light, dark] = [LIGHT, DARK].map((scheme) => propertiesOf(rgb(accent), scheme));
  return `:root{${light}}@media(prefers-color-scheme:dark){:root{${dark}}}`;
}

function propertiesOf(chosen: Rgb, { papers, limit, on, tint: share }: typeof LIGHT): string {
  for (let percent = 0; ; percent += 2) {
    const accent = mix(chosen, limit, percent / 100);
    const tint = mix(papers[0]!, accent, share);
    const isLegible = [...papers, tint].every((paper) => contrast(accent, paper) >= LEAST_CONTRAST);
    // The limit itself is legible.
    if (isLegible || percent >= 100) return `--accent:${hex(accent)};--on-accent:${on};--tint:${hex(tint)}`;
  }
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((value, at) => Math.round(value + (b[at]! - value) * share));

function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return Math.max(one, other) / Math.min(one, other);
}

/** Relative luminance by WCAG, 0 to 1. */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function rgb(color: string): Rgb {
  if (!/^#[\da-f]{6}$/.test(color)) throw new Error(`not a color: ${color}`);
  return [...Buffer.from(color.slice(1), 'hex')];
}

const hex = (color: Rgb): string => `#${Buffer.from(color).toString('hex')}`;
