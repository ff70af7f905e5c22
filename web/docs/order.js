/** @typedef {any} Operation An operation as Swagger UI has it: a collection of Immutable.js. */

/** By method and what the path ends with: the collection, an item of it, or where its media goes. */
const FIRST = ['get /', 'get {id}', 'post /', 'post upload', 'put media', 'patch {id}', 'delete {id}'];

/**
 * Sorts the operations of a tag: first those of what the tag is named after, as people need them: list, get, create, upload,
 * update, delete. Others keep the order of the document.
 * @param {Operation} one @param {Operation} other
 */
export const inOrder = (one, other) => rankOf(one) - rankOf(other);

/** @param {Operation} operation */
function rankOf(operation) {
  const [tag] = operation.getIn(['operation', 'tags']);
  const named = `/${tag.toLowerCase().replaceAll(' ', '-')}`;
  const path = operation.get('path').replace(/\{\w+\}$/, '{id}');
  const rest = path
    .slice(path.lastIndexOf(named) + named.length + 1)
    .replace(/^\{id\}\/(?=media|upload)/, '');
  const rank = path.includes(named) ? FIRST.indexOf(`${operation.get('method')} ${rest || '/'}`) : -1;
  return rank === -1 ? FIRST.length : rank;
}
