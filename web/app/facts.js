/** @typedef {{ path: string, language: 'en' | 'de', csrf: string, player: string }} Facts `path`: below which all pages are; `player`: URL of hls.js */

/** What the service says about the page. @type {Facts} */
export const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}');
