/** @typedef {any} Immutable A collection of Immutable.js. */

/**
 * The operations that the filter box leaves, by tag: those whose tag, method, path, summary or name contains the text.
 * Swagger UI itself looks at tags only, and at their case.
 * @param {Immutable} taggedOperations @param {string} text @returns {Immutable}
 */
export function filterOperations(taggedOperations, text) {
  const sought = text.trim().toLowerCase();
  /** @param {unknown} value */
  const has = (value) =>
    String(value ?? '')
      .toLowerCase()
      .includes(sought);
  /** @param {Immutable} operation */
  const isFound = (operation) =>
    [
      `${operation.get('method')} ${operation.get('path')}`,
      operation.getIn(['operation', 'summary']),
      operation.getIn(['operation', 'operationId']),
    ].some(has);
  /** @param {Immutable} tag @param {string} name */
  const left = (tag, name) =>
    has(name)
      ? tag
      : tag.update('operations', (/** @type {Immutable} */ operations) => operations.filter(isFound));
  return taggedOperations.map(left).filter((/** @type {Immutable} */ tag) => tag.get('operations').size > 0);
}
