import { describe, expect, it } from '@jest/globals';
import { shortcutOf } from '../../../web/share/scripts/controls.js';

describe('keyboard shortcuts of the share page', () => {
  it.each([
    [' ', 'toggle'],
    ['k', 'toggle'],
    ['ArrowLeft', { seek: -5 }],
    ['ArrowRight', { seek: 5 }],
    ['j', { seek: -10 }],
    ['l', { seek: 10 }],
    ['m', 'mute'],
    ['f', 'fullscreen'],
    ['c', 'captions'],
    ['/', 'search'],
    ['?', 'help'],
  ])('%p is one', (key, shortcut) => {
    expect(shortcutOf(key, false)).toEqual(shortcut);
  });

  it.each(['a', 'K', 'Enter', 'Escape', 'Tab', 'ArrowUp', 'toString', 'constructor'])('%p is none', (key) => {
    expect(shortcutOf(key, false)).toBeUndefined();
  });

  it('leaves only Space to a button or the video that has focus', () => {
    const keys = [' ', 'ArrowLeft', 'ArrowRight', 'k', 'j', 'l', 'm', 'f', 'c', '/', '?'];
    expect(keys.filter((key) => shortcutOf(key, true) === undefined)).toEqual([' ']);
  });
});
