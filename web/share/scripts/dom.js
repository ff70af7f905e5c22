// Helpers for the document.

/** Longer timers fire immediately. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

/** @template {Element} T @param {string} id @param {new () => T} kind @param {ParentNode} [root] @returns {T | null} */
export function find(id, kind, root = document) {
  const found = root.querySelector(`#${id}`);
  return found instanceof kind ? found : null;
}

/** Where an element's id is unique: the page, or the shadow tree of `<meeting-player>`. @param {Element} element */
export function rootOf(element) {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}

/** @param {string} id @param {string} text @param {ParentNode} [root] */
export function setText(id, text, root) {
  const element = find(id, HTMLElement, root);
  if (element && element.textContent !== text) element.textContent = text;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} [fields] */
export function make(tag, fields = {}) {
  return Object.assign(document.createElement(tag), fields);
}

/** Whether a click neither opens a new tab nor has been handled elsewhere. @param {MouseEvent} event */
export function isPlainClick(event) {
  if (event.defaultPrevented || event.button !== 0) return false;
  return !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** @param {boolean} isNear @returns {ScrollBehavior} */
export function scrollBehavior(isNear) {
  return isNear && !matchMedia('(prefers-reduced-motion: reduce)').matches ? 'smooth' : 'instant';
}

/** Reloads the page; one that has just been reloaded waits first, so that it can never reload in a tight loop. */
export function reloadPage() {
  const [visit] = performance.getEntriesByType('navigation');
  const isReload = visit instanceof PerformanceNavigationTiming && visit.type === 'reload';
  setTimeout(() => location.reload(), isReload ? Math.max(0, 10_000 - performance.now()) : 0);
}
