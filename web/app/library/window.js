/** The height of a row, as in `library.css`. */
export const ROW = 84;
/** Rows beyond the window that are there already: for the keyboard, and while scrolling. */
const BEYOND = 12;

/** The rows that have to be in the page. @param {{ count: number, scrolled: number, height: number }} view `scrolled`: how far the list is above the top of the window @returns {[from: number, to: number]} */
export function windowOf({ count, scrolled, height }) {
  const from = Math.floor(scrolled / ROW) - BEYOND;
  const to = Math.ceil((scrolled + height) / ROW) + BEYOND;
  return [Math.max(0, Math.min(from, count)), Math.max(0, Math.min(to, count))];
}

/** The indexes of a window, and that of a row outside that has the focus, in their order. @param {readonly [number, number]} range @param {number} focused -1 for none */
export function indexesOf([from, to], focused) {
  const inside = Array.from({ length: to - from }, (_, index) => from + index);
  if (focused < 0 || (focused >= from && focused < to)) return inside;
  return focused < from ? [focused, ...inside] : [...inside, focused];
}
