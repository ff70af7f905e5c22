// What `npm run openapi` generates from the catalogs of errors and changes, besides openapi.json.
import { nameOf } from '../clients/typescript/dist/names.js';

const ERROR_ROW = /^\| ([\d, ]+) \| (.*?) \| (.*) \|$/gm;
const EVENT_ROWS = /(?:^\| `\w+\.\*` \| .* \|\n)+/m;

/**
 * The generated files, each with the function that brings its text up to date. `errors`: the error catalog; `events`: the types of
 * events.
 */
export const generatedFrom = ({ errors, events }) => ({
  'clients/typescript/src/error-classes.ts': () => errorClasses(errors),
  'docs/api-guide.md': (text) => withErrors(text, errors),
  'docs/webhooks.md': (text) => withEvents(text, events),
});

function errorClasses(errors) {
  const classes = Object.keys(errors).map(
    (code) => `export class ${nameOf(code)} extends ApiError<'${code}'> {}\n`,
  );
  return `// Generated from the error catalog by scripts/openapi.js.\nimport { ApiError } from './errors.js';\n\n${classes.join('')}`;
}

/** In each row of statuses, codes keep their order, which the advice beside them follows; new ones come last. */
function withErrors(page, errors) {
  const left = new Set(Object.keys(errors));
  const text = page.replace(ERROR_ROW, (_, statuses, cell, advice) => {
    const accepted = new Set(statuses.split(', ').map(Number));
    const codes = [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code);
    const listed = [...new Set([...codes, ...left])].filter((code) => accepted.has(errors[code]?.status));
    for (const code of listed) left.delete(code);
    return `| ${statuses} | ${listed.map((code) => `\`${code}\``).join(', ')} | ${advice} |`;
  });
  const [code] = left;
  if (code === undefined) return text;
  const { status } = errors[code];
  throw new Error(
    `docs/api-guide.md has no row for the status of ${code}: add "| ${status} | | what to do |" to its table of errors, and run npm run openapi.`,
  );
}

function withEvents(page, events) {
  const families = new Map(
    events.map((type) => [familyOf(type), events.filter((one) => familyOf(one) === familyOf(type))]),
  );
  const rows = [...families].map(([family, types]) => {
    const names = types.map((type) => `\`${type.slice(family.length + 1)}\``);
    return `| \`${family}.*\` | ${names.join(', ')} |\n`;
  });
  return page.replace(EVENT_ROWS, rows.join(''));
}

const familyOf = (type) => type.slice(0, type.indexOf('.'));
