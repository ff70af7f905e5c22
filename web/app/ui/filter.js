import { html } from '../html.js';
import { route, setQuery } from '../router.js';
import { Field } from './form.js';

/** A labelled filter that is a parameter of the URL. @param {{ name: string, label: string, options?: readonly (readonly [string, string])[], sets?: Record<string, string> } & Record<string, unknown>} props `sets`: what a change sets as well */
export function Filter({ name, sets, ...attributes }) {
  const set = (/** @type {Event} */ { currentTarget }) =>
    setQuery({ ...sets, [name]: /** @type {HTMLInputElement} */ (currentTarget).value });
  const value = route.value.query.get(name) ?? '';
  return html`<${Field} name=${name} value=${value} onChange=${set} ...${attributes} />`;
}
