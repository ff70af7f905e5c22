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

/** The indexes of a window, and those at the row with the focus, wherever it is, so that the keyboard goes on there. @param {readonly [number, number]} range @param {{ focused: number, count: number }} list `focused`: -1 for none */
export function indexesOf([from, to], { focused, count }) {
  const inside = Array.from({ length: to - from }, (_, index) => from + index);
  const near = focused < 0 ? [] : [focused - 1, focused, focused + 1];
  const outside = near.filter((index) => index >= 0 && index < count && (index < from || index >= to));
  return [...inside, ...outside].sort((one, other) => one - other);
}

/** Moves the focus to a row that is in the page. @param {string | undefined} id of the recording @param {{ control?: string, preventScroll?: boolean }} [options] `control`: its selector */
export function focusRow(id, { control = '.recording-title', preventScroll } = {}) {
  const element = document.querySelector(`[data-id="${id}"] ${control}`);
  if (element instanceof HTMLElement) element.focus({ preventScroll });
}
