import { samplesOf } from './samples.js';

/** @typedef {any} System What Swagger UI passes to its plugins: actions, selectors, React. */

/** What was chosen last: operations that are opened later show it first. */
let chosen = 'curl';

/**
 * Shows samples for each operation, in the language that is chosen.
 * @param {(path: string, method: string) => any} read Returns an operation of the API document without references.
 * @param {URL} service
 */
export const codeSamples = (read, service) => () => ({
  wrapComponents: {
    responses: (/** @type {unknown} */ Original, /** @type {System} */ { React, getComponent }) =>
      function Responses(/** @type {System} */ props) {
        const { path, method } = props;
        const [language, choose] = React.useState(chosen);
        /** @type {readonly import('./samples.js').Sample[]} */
        const samples = React.useMemo(
          () => samplesOf(method, path, read(path, method), service.href.replace(/\/$/, '')),
          [path, method],
        );
        const [name, code] = samples.find(([one]) => one === language) ?? samples[0] ?? [];
        const button = (/** @type {string} */ one) =>
          React.createElement(
            'button',
            {
              key: one,
              className: 'btn',
              type: 'button',
              'aria-pressed': one === name,
              onClick: () => choose((chosen = one)),
            },
            one,
          );
        return React.createElement(
          React.Fragment,
          null,
          React.createElement(
            'div',
            { className: 'samples', role: 'group', 'aria-label': 'Code samples' },
            samples.map(([one]) => button(one)),
            React.createElement(getComponent('HighlightCode', true), {
              canCopy: true,
              language: 'text',
              children: code,
            }),
          ),
          React.createElement(Original, props),
        );
      },
  },
});
