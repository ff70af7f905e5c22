import { h } from 'preact';
import htm from 'htm';

/** Markup of a component: html`<p class="note">${text}</p>`; text is escaped, components are `<${Name} />`. */
export const html = htm.bind(h);
