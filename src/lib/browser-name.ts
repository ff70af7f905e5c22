type Patterns = readonly (readonly [name: string, pattern: RegExp])[];

/** Those that call themselves like others, too, come first. */
const BROWSERS: Patterns = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(\w*Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: Patterns = [
  ['iOS', /\b(iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (patterns: Patterns, text: string): string | null =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** Names the browser and the system of a `User-Agent`, such as Firefox and Linux; null where they are unknown. */
export const browserOf = (client: string) => ({
  browser: nameIn(BROWSERS, client),
  system: nameIn(SYSTEMS, client),
});
