// Texts that are made of data alone, in every language the same.

/** @typedef {{ term: string, heard_as: readonly string[] }} Term */

const escape = (/** @type {string} */ text) => text.replace(/[\\=;]/g, '\\$&');
const unescape = (/** @type {string} */ text) => text.replace(/\\(.)/g, '$1').trim();

/** Terms as lines that people edit: `LambdaClass = lambda glass; lander class`. @param {readonly Term[]} terms */
export function formatGlossary(terms) {
  const lines = terms.map(({ term, heard_as: heard }) =>
    [[term], heard].map((part) => part.map(escape).join('; ')),
  );
  return lines.map((parts) => parts.filter(Boolean).join(' = ')).join('\n');
}

/** The terms in such lines. @param {string} text @returns {{ term: string, heard_as: string[] }[]} */
export function parseGlossary(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.map((line) => {
    const [term = '', ...heard] = line.split(/(?<!\\)=/);
    return {
      term: unescape(term),
      heard_as: heard
        .join('=')
        .split(/(?<!\\);/)
        .map(unescape)
        .filter(Boolean),
    };
  });
}

/** What changed: `role: EDITOR → ADMIN`; where there is nothing to compare, the values. @param {Readonly<Record<string, unknown>> | null} changes */
export function changesText(changes) {
  const { before, after, ...others } = changes ?? {};
  const [from, to] = /** @type {Record<string, unknown>[]} */ ([before ?? {}, after ?? {}]);
  const pairs = Object.keys({ ...from, ...to }).flatMap((name) => {
    const [was, is] = [valueText(from?.[name]), valueText(to?.[name])];
    if (before && after) return was === is ? [] : `${name}: ${was} → ${is}`;
    return name === 'role' ? `role: ${after ? is : was}` : [];
  });
  const rest = Object.entries(others).flatMap(([name, value]) =>
    value !== null && valueText(value) ? `${name}: ${valueText(value)}` : [],
  );
  return [...pairs, ...rest].join(', ');
}

/** @param {unknown} value @returns {string} */
function valueText(value) {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '–');
}
