/** @typedef {any} Immutable A collection of Immutable.js. */

/**
 * The operations that the filter box leaves, by tag: those whose tag has the text in its name, or whose method, path,
 * summary and name have all its words. Swagger UI itself looks at tags only, and at their case.
 * @param {Immutable} taggedOperations @param {string} text @returns {Immutable}
 */
export function filterOperations(taggedOperations, text) {
  const sought = text.trim().toLowerCase();
  const words = sought.split(/\s+/);
  /** @param {Immutable} operation */
  const isFound = (operation) => {
    const named = [
      operation.get('method'),
      operation.get('path'),
      operation.getIn(['operation', 'summary']),
      operation.getIn(['operation', 'operationId']),
    ];
    return words.every((word) => named.join(' ').toLowerCase().includes(word));
  };
  /** @param {Immutable} tag @param {string} name */
  const left = (tag, name) =>
    name.toLowerCase().includes(sought)
      ? tag
      : tag.update('operations', (/** @type {Immutable} */ operations) => operations.filter(isFound));
  return taggedOperations.map(left).filter((/** @type {Immutable} */ tag) => tag.get('operations').size > 0);
}
