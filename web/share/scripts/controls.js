// Controls beside those of the video: keyboard shortcuts, captions, menus.
import { find, isPlainClick, scrollBehavior } from './dom.js';

/** @import { Action, Shortcut, ShortcutParts } from './types.js' */

/** @type {Readonly<Record<string, Shortcut>>} */
const SHORTCUTS = {
  ' ': 'toggle',
  k: 'toggle',
  ArrowLeft: { seek: -5 },
  ArrowRight: { seek: 5 },
  j: { seek: -10 },
  l: { seek: 10 },
  m: 'mute',
  f: 'fullscreen',
  c: 'captions',
  '/': 'search',
  '?': 'help',
};
const SHORTCUTS_OFF = 'share-keys-off';

/** `takesSpace`: Space presses what has focus, a button or the browser's player. @param {string} key @param {boolean} takesSpace */
export function shortcutOf(key, takesSpace) {
  if (takesSpace && key === ' ') return undefined;
  return Object.hasOwn(SHORTCUTS, key) ? SHORTCUTS[key] : undefined;
}

/** Shortcuts while nobody is typing. They can be turned off, for people who use speech input. @param {ShortcutParts} parts */
export function addShortcuts(parts) {
  const { signal } = parts;
  const [list, checkbox] = [find('keys', HTMLDialogElement), find('keys-on', HTMLInputElement)];
  if (!list || !checkbox) return;
  rememberChoice(checkbox);
  find('show-keys', HTMLElement)?.addEventListener('click', () => list.showModal(), { signal });
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (!checkbox.checked || target.closest('dialog, input, select, textarea')) return;
    const shortcut = shortcutOf(event.key, target.closest('button, summary, video') !== null);
    const action = shortcut && actionOf(shortcut, parts, list);
    if (!action) return;
    action();
    event.preventDefault();
  };
  // While capturing: the browser's own player would seek as well, by another distance.
  document.addEventListener('keydown', onKey, { capture: true, signal });
}

/** Null if there is nothing to do it to. @param {Shortcut} shortcut @param {ShortcutParts} parts @param {HTMLDialogElement} list */
function actionOf(shortcut, { video, player, navigation, search }, list) {
  if (typeof shortcut === 'object') return player && (() => navigation.jump(player.position + shortcut.seek));
  const captions = find('captions', HTMLElement);
  /** @type {Record<Action, (() => void) | null>} */
  const actions = {
    toggle: player && (() => player.toggle()),
    mute: video && (() => void (video.muted = !video.muted)),
    fullscreen: video && (() => toggleFullscreen(video)),
    captions: captions && (() => captions.click()),
    search: search && (() => search.focus()),
    help: () => list.showModal(),
  };
  return actions[shortcut];
}

/** @param {HTMLVideoElement} video */
function toggleFullscreen(video) {
  const change = document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen?.();
  // The browser may not permit it.
  change?.catch(() => undefined);
}

/** Turns captions on and off, and shows whether they are on, also when the browser's own menu changed it. @param {HTMLVideoElement} video @param {AbortSignal} [signal] */
export function addCaptions({ textTracks }, signal) {
  const button = find('captions', HTMLButtonElement);
  const toggle = () => {
    if (!button) return;
    const isOn = !isShown(button);
    for (const [index, track] of [...textTracks].entries())
      track.mode = isOn && index === 0 ? 'showing' : 'disabled';
    button.setAttribute('aria-pressed', String(isOn));
  };
  button?.addEventListener('click', toggle, { signal });
  textTracks.addEventListener('change', () => {
    const isOn = [...textTracks].some(({ mode }) => mode === 'showing');
    button?.setAttribute('aria-pressed', String(isOn));
  });
  // The tracks of the browser's own HLS come with the media.
  textTracks.addEventListener('addtrack', ({ track }) => {
    if (track && button && isShown(button)) track.mode = 'showing';
  });
}

/** @param {HTMLButtonElement} button */
function isShown(button) {
  return button.getAttribute('aria-pressed') === 'true';
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
