import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { accentCss } from '../../../src/lib/accent-colors.js';

/** What the stylesheet has for light and dark schemes, by property. */
const [LIGHT, DARK] = readFileSync('web/share/share.css', 'utf8')
  .split('prefers-color-scheme: dark')
  .slice(0, 2)
  .map(propertiesOf) as [Properties, Properties];

type Properties = Readonly<Record<string, string>>;

function propertiesOf(css: string): Properties {
  return Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s*(#[\da-f]{6})\b/g)].map(([, name, color]) => [name, color]),
  );
}

/** By WCAG 2.2, written down independently of the source. */
function contrast(one: string, other: string): number {
  const luminance = (color: string): number =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, part) => {
      const value = parseInt(color.slice(1 + 2 * part, 3 + 2 * part), 16) / 255;
      return sum + weight * (value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4));
    }, 0);
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return a > b ? a / b : b / a;
}

const colorsOf = (accent: string): [Properties, Properties] => {
  const [light = '', dark = ''] = accentCss(accent).split('@media');
  return [propertiesOf(light), propertiesOf(dark)];
};

const AWKWARD = [
  '#ffee00',
  '#050505',
  '#fdfdfd',
  '#000000',
  '#ffffff',
  '#808080',
  '#ff0000',
  '#00ff00',
  '#0000ff',
];

describe('the colors of a page with an accent', () => {
  it.each(AWKWARD)('can be read in light and dark schemes: %s', (accent) => {
    const [light, dark] = colorsOf(accent);
    for (const [page, own] of [
      [LIGHT, light],
      [DARK, dark],
    ] as const) {
      for (const background of [page['paper']!, page['pane']!, own['tint']!])
        expect(contrast(own['accent']!, background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(own['on-accent']!, own['accent']!)).toBeGreaterThanOrEqual(4.5);
      for (const text of [page['ink']!, page['soft']!])
        expect(contrast(text, own['tint']!)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('are the accent itself where it can be read', () => {
    const [light, dark] = colorsOf('#7a1fa2');
    expect(light['accent']).toBe('#7a1fa2');
    expect(dark['accent']).not.toBe('#7a1fa2');
    expect(colorsOf('#ffee00')[1]['accent']).toBe('#ffee00');
  });

  it('keep the hue', () => {
    // Red and green stay the same parts of the yellow, and blue stays what it has none of.
    expect(colorsOf('#ffff00')[0]['accent']).toMatch(/^#(\w\w)\1(00)$/);
    expect(colorsOf('#0000ff')[1]['accent']).toMatch(/^#(\w\w)\1ff$/);
  });

  it.each(['red', '#fff', '#12345g', '#123456;}body{display:none', ''])(
    'are of no other text: %s',
    (text) => {
      expect(() => accentCss(text)).toThrow('not a color');
    },
  );
});
