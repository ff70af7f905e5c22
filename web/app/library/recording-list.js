import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { useProgress } from './progress.js';
import { more, place } from './recordings.js';
import { RecordingRow } from './row.js';
import { focusRow, indexesOf, ROW, windowOf } from './window.js';

/** @import { Row } from './recordings.js' */

/** So many rows before the last, the next page is loaded. */
const AHEAD = 40;
const STEPS = /** @type {const} */ ({ ArrowDown: 1, ArrowUp: -1 });

/** The rows that are near the window, of as many as there are. @param {{ rows: readonly Row[], total: number, isReturning: boolean }} props `isReturning`: to where the reader was */
export function RecordingList({ rows, total, isReturning }) {
  const count = rows.length;
  const box = useRef(/** @type {HTMLUListElement | null} */ (null));
  const [range, setRange] = useState(() =>
    windowOf({ count, scrolled: isReturning ? place.scrolled : 0, height: innerHeight }),
  );
  const focused = useRef('');
  const shownBefore = useRef(/** @type {readonly Row[]} */ ([]));

  const scrolled = () => -(box.current?.getBoundingClientRect().top ?? 0);
  const look = () => {
    place.scrolled = scrollY;
    const next = windowOf({ count, scrolled: scrolled(), height: innerHeight });
    setRange((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  };

  useLayoutEffect(() => {
    if (!isReturning) return;
    scrollTo(0, place.scrolled);
    focusRow(place.opened, { preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    const before = shownBefore.current;
    shownBefore.current = rows;
    if (box.current) scrollBy(0, ROW * shiftOf(before, rows, { box: box.current, scrolled: scrolled() }));
    look();
    const index = before.findIndex(({ id }) => id === focused.current);
    const isLost = index >= 0 && !rows.some(({ id }) => id === focused.current);
    if (isLost && document.activeElement === document.body) focusRow((rows[index] ?? rows.at(-1))?.id);
  }, [rows]);
  useLayoutEffect(() => {
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  useLayoutEffect(() => {
    if (range[1] + AHEAD > count) more();
  }, [range[1], count]);
  useProgress(rows.slice(...range));

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const target = /** @type {Element} */ (event.target);
    const control = ['.recording-title', '.pick'].find((one) => target.matches(one));
    if (!step || !control || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = rows.findIndex(({ id }) => id === focused.current);
    focusRow(rows[index + step]?.id, { control });
  };
  const onFocus = (/** @type {FocusEvent} */ { target }) => {
    focused.current = /** @type {Element} */ (target).closest('li')?.dataset.id ?? '';
    // The next key may come before the event of the scrolling that this has caused.
    look();
  };
  const index = rows.findIndex(({ id }) => id === focused.current);
  const shown = indexesOf([Math.min(range[0], count), Math.min(range[1], count)], { focused: index, count });
  return html`<ul
    ref=${box}
    role="list"
    class="recordings"
    aria-label=${t(FRAME.recordings)}
    style=${{ height: `${count * ROW}px` }}
    onFocusIn=${onFocus}
    onKeyDown=${onKeyDown}
  >
    ${shown.map((at) => {
      const row = /** @type {Row} */ (rows[at]);
      return html`<${RecordingRow} key=${row.id} row=${row} index=${at} total=${total} />`;
    })}
  </ul>`;
}

/**
 * By how many rows those that the reader looks at have moved, because others came or went above them. While the top of the list is in
 * view, new ones may push the others down, except under the hand of the reader.
 * @param {readonly Row[]} before @param {readonly Row[]} rows @param {{ box: HTMLElement, scrolled: number }} view
 */
function shiftOf(before, rows, { box, scrolled }) {
  if (scrolled <= 0 && !box.matches(':hover, :focus-within')) return 0;
  const index = Math.max(0, Math.floor(scrolled / ROW));
  const first = before[index];
  const now = first ? rows.findIndex(({ id }) => id === first.id) : -1;
  return now < 0 ? 0 : now - index;
}
