// What `npm run openapi` generates from the catalogs of errors and changes and from openapi.json, besides that.
import { nameOf } from '../clients/typescript/dist/names.js';

const ERROR_ROW = /^\| ([\d, ]+) \| (.*?) \| (.*) \|$/gm;
const ERROR_ENTRY =
  /^## `(\w+)`\n\n(?:- \*\*\d+\*\*: .*\n- \*\*Cause\*\*: .*\n)?(?=- \*\*What to do\*\*: .+\n- \*\*Example\*\*: .+\n)/gm;
const PAGING = /^(cursor|offset|start_chunk)$/;
const LIST_ROWS = /(?:^\| `GET \/\S+` \| .* \|\n)+/m;
const EVENT_ROWS = /(?:^\| `\w+\.\*` \| .* \|\n)+/m;

/**
 * The generated files, each with the function that brings its text up to date. `errors`: the error catalog; `events`: the types of
 * events; `document`: openapi.json.
 */
export const generatedFrom = ({ errors, events, document }) => ({
  'clients/typescript/src/error-classes.ts': () => errorClasses(errors),
  'docs/api-guide.md': (text) => withLists(withErrors(text, errors), document),
  'docs/errors.md': (text) => withEntries(text, errors),
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

/** Writes status, message and cause of each code above what to do, which the page itself says. */
function withEntries(page, errors) {
  const left = new Set(Object.keys(errors));
  const text = page.replace(ERROR_ENTRY, (_, code) => {
    if (!left.delete(code))
      throw new Error(`docs/errors.md: remove ${code}, which is not in the catalog or there twice.`);
    const { status, message, when } = errors[code];
    return `## \`${code}\`\n\n- **${status}**: \`${message}\`\n- **Cause**: ${when}.\n`;
  });
  if (left.size === 0) return text;
  throw new Error(
    `docs/errors.md has no entry for ${[...left].join(', ')}: add "## \`CODE\`", an empty line, "- **What to do**: ..." and "- **Example**: ...", and run npm run openapi.`,
  );
}

/** One row for each list of the API. The order of its items stands only on the page. */
function withLists(page, { paths, components }) {
  const follow = ({ $ref, ...schema }) => ($ref ? components.schemas[$ref.split('/').at(-1)] : schema);
  const rows = Object.entries(paths).flatMap(([path, { get }]) => {
    const { schema } = get?.responses[200]?.content?.['application/json'] ?? {};
    const { data = {}, pagination = follow(data).properties?.pagination } = schema?.properties ?? {};
    const items = follow(data).items ?? (pagination && data);
    if (!items) return [];
    const names = Object.keys(follow(items).properties);
    const style = names.some((name) => /[A-Z]/.test(name)) ? 'camelCase' : 'snake_case';
    const taken = get.parameters.map(({ name }) => name).filter((name) => PAGING.test(name));
    const totals = Object.keys(follow(pagination ?? {}).properties ?? {}).filter((name) =>
      /total/.test(name),
    );
    const paging = [...taken, ...totals].map((name) => `\`${name}\``).join(', ') || 'whole';
    const isAlways = !schema.properties.pagination || schema.required.includes('pagination');
    const short = path.replace('/api/v1', '');
    const order = new RegExp(`^\\| \`GET ${short}\` \\| (.+?) \\|`, 'm').exec(page)?.[1];
    if (!order)
      throw new Error(`docs/api-guide.md: add "| \`GET ${short}\` | its order | |" to the table of lists.`);
    return `| \`GET ${short}\` | ${order} | ${paging}${isAlways ? '' : ', on request'} | ${style} |\n`;
  });
  return page.replace(LIST_ROWS, rows.join(''));
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
