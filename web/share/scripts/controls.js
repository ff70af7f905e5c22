// Controls beside those of the video: keyboard shortcuts, menus.
import { find, isPlainClick, scrollBehavior } from './dom.js';

/** @import { Navigation } from './navigation.js' */
/** @import { Player } from './player.js' */
/** @import { Search } from './search.js' */
/** @typedef {{ seek: number } | 'toggle' | 'search' | 'help'} Shortcut `seek`: seconds */
/** @typedef {{ video: HTMLVideoElement | null, player: Player | null, navigation: Navigation, search: Search | null }} ShortcutOptions */

/** @type {Readonly<Record<string, Shortcut>>} */
const SHORTCUTS = {
  ' ': 'toggle',
  k: 'toggle',
  ArrowLeft: { seek: -5 },
  ArrowRight: { seek: 5 },
  j: { seek: -10 },
  l: { seek: 10 },
  '/': 'search',
  '?': 'help',
};
const SHORTCUTS_OFF = 'share-keys-off';

/** @param {string} key @param {boolean} isOnVideo */
export function shortcutOf(key, isOnVideo) {
  // The browser's own player handles these.
  if (isOnVideo && (key === ' ' || key.startsWith('Arrow'))) return undefined;
  return Object.hasOwn(SHORTCUTS, key) ? SHORTCUTS[key] : undefined;
}

/** Shortcuts while no control has focus. They can be turned off, for people who use speech input. @param {ShortcutOptions} options */
export function addShortcuts({ video, player, navigation, search }) {
  const [list, checkbox] = [find('keys', HTMLDialogElement), find('keys-on', HTMLInputElement)];
  if (!list || !checkbox) return;
  rememberChoice(checkbox);
  find('show-keys', HTMLElement)?.addEventListener('click', () => list.showModal());
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (!checkbox.checked || target.closest('a, button, dialog, input, select, summary, textarea')) return;
    const shortcut = shortcutOf(event.key, target === video);
    if (shortcut === 'help') list.showModal();
    else if (shortcut === 'search' && search) search.focus();
    else if (shortcut === 'toggle' && player) player.toggle();
    else if (typeof shortcut === 'object' && player) navigation.jump(player.position + shortcut.seek);
    else return;
    event.preventDefault();
  });
}

/** @param {HTMLInputElement} checkbox */
function rememberChoice(checkbox) {
  // Storage may be blocked; the choice then lasts only as long as the page.
  try {
    checkbox.checked = !localStorage.getItem(SHORTCUTS_OFF);
    checkbox.addEventListener('change', () =>
      localStorage.setItem(SHORTCUTS_OFF, checkbox.checked ? '' : '1'),
    );
  } catch {}
}

/** Opens menus where the window has room for them, and closes them on Escape and on clicks elsewhere. */
export function manageMenus() {
  document.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    const target = /** @type {Element} */ (event.target);
    closeMenus(target);
    const menu = target.closest('.menu > summary')?.parentElement;
    // By the next frame, it is open but not painted yet.
    if (menu) requestAnimationFrame(() => placeMenu(menu));
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus(null);
  });
}

/** @param {HTMLElement} menu */
function placeMenu(menu) {
  const list = menu.lastElementChild;
  if (!list || !menu.hasAttribute('open')) return;
  list.classList.remove('above', 'from-end');
  const stage = find('stage', HTMLElement);
  const isStuck = stage !== null && getComputedStyle(stage).position === 'sticky';
  const ceiling = isStuck ? Math.max(0, stage.getBoundingClientRect().bottom) : 0;
  const { bottom, right, height } = list.getBoundingClientRect();
  const hasRoomAbove = menu.getBoundingClientRect().top - height - 8 >= ceiling;
  list.classList.toggle('above', bottom > innerHeight && hasRoomAbove);
  list.classList.toggle('from-end', right > document.documentElement.clientWidth);
  list.scrollIntoView({ block: 'nearest', behavior: scrollBehavior(true) });
}

/** @param {Element | null} clicked the menu that contains it stays open */
function closeMenus(clicked) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (clicked && menu.contains(clicked)) continue;
    const hadFocus = menu.contains(document.activeElement);
    menu.removeAttribute('open');
    if (hadFocus && !clicked) menu.querySelector('summary')?.focus();
  }
}
