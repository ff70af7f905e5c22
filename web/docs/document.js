// How Swagger UI reads the API document. Its own ways take seconds: it parses JSON as YAML, and to show an operation of
// OpenAPI 3.1 it goes through the whole document.

/** @typedef {any} Node A part of the document. */

/** @param {string} text @returns {Node} */
export function readDocument(text) {
  const api = JSON.parse(text);
  for (const path of Object.values(api.paths))
    for (const operation of Object.values(path)) shortenErrors(api, operation);
  return api;
}

/**
 * Of an error, only the line that explains it is shown: the format of all is described at the top of the document.
 * @param {Node} api @param {Node} operation
 */
function shortenErrors(api, { responses }) {
  for (const [status, reply] of Object.entries(responses))
    if (Number(status) >= 400) responses[status] = { description: follow(api, reply).description };
}

/**
 * The part of the document at `path`, with what it refers to in place of the references.
 * @param {Node} api @param {string[]} path @returns {Node}
 */
export const resolve = (api, path) =>
  inline(
    api,
    path.reduce((node, key) => node?.[key], api),
    [],
  );

/** @param {Node} api @param {Node} node @param {string[]} within @returns {Node} */
function inline(api, node, within) {
  if (Array.isArray(node)) return node.map((inner) => inline(api, inner, within));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node;
  // A schema that contains itself is shown once.
  if (typeof $ref === 'string')
    return within.includes($ref) ? {} : inline(api, follow(api, node), [...within, $ref]);
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inline(api, inner, within)]));
}

/** What a reference refers to; anything else itself. @param {Node} api @param {Node} node @returns {Node} */
const follow = (api, node) =>
  node.$ref === undefined ? node : node.$ref.slice('#/'.length).split('/').reduce(memberOf, api);

/** @param {Node} node @param {string} key */
const memberOf = (node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')];
