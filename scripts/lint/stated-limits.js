const MESSAGE =
  'in a text can change: interpolate it from LIMITS in src/contract/limits.ts, from src/platform/http-limits.ts, or the constant that ' +
  'applies, with the functions of src/lib/amounts.ts.';
const UNITS =
  'days?|hours?|minutes?|seconds?|milliseconds|[KMG]i?B|bytes|characters|digits|letters|words|requests|tries|attempts|messages|headers|' +
  'recordings|keys|chunks|segments|links|members|organizations|folders|invitations|streams|events|webhooks|revisions|terms';
const NUMBER = '\\d(?:[\\d,_]*\\d)?(?:\\.\\d+)?';
/** `30 days`, `20 MiB`, `1 to 100`; not `0 to 1`. */
const STATED = new RegExp(
  `(?<![\\w.,:$-])${NUMBER}(?: (?:to ${NUMBER} )?(?:consecutive |last |different )?(?:${UNITS})\\b| to \\d[\\d,._]*\\d)`,
  'g',
);
/** Of SQL. */
const INTERVAL = /interval '[^']*'/g;

/**
 * The numbers of a text that look like limits.
 * @param {string} text
 * @returns {string[]}
 */
export const statedNumbers = (text) => text.match(STATED) ?? [];

/**
 * Numbers in texts for people are composed from the constants that apply, so that none is left behind when one changes. A text
 * that is nothing but a number with its unit is a value, and so are examples, whose title says what is beside it.
 */
export const statedLimits = {
  create(context) {
    const check = (node, text) => {
      const found = statedNumbers(text.replace(INTERVAL, ''));
      if (found.length === 0 || found[0] === text || isExample(node)) return;
      context.report({ node, message: `"${found.join('", "')}" ${MESSAGE}` });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value);
      },
      TemplateElement(node) {
        check(node, node.value.cooked ?? node.value.raw);
      },
    };
  },
};
/** Within `example` or `examples`, or the `summary` of a `value` beside it. */
function isExample(node) {
  for (let inner = node, { parent } = node; parent; inner = parent, { parent } = parent) {
    if (parent.type !== 'Property' || parent.value !== inner) continue;
    const name = parent.key.name ?? parent.key.value;
    if (/^examples?$/.test(name)) return true;
    const beside = parent.parent.properties.map(({ key }) => key?.name ?? key?.value);
    if (name === 'summary' && beside.includes('value')) return true;
  }
  return false;
}
