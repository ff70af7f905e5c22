import { samplesOf } from './samples.js';

/** What was chosen last: operations that are opened later show it first. */
let chosen = 'curl';

/**
 * Shows samples for each operation, in the language that is chosen.
 * @param {(path: string, method: string) => any} read Returns an operation of the API document without references.
 * @param {URL} service
 * @returns {import('./docs.js').Plugin}
 */
export const codeSamples = (read, service) => ({
  wrapComponents: {
    responses: (Original, { React, getComponent }) =>
      function Responses(props) {
        const { path, method } = props;
        const [language, choose] = React.useState(chosen);
        /** @type {readonly import('./samples.js').Sample[]} */
        const samples = React.useMemo(
          () => samplesOf(method, path, read(path, method), service.href.replace(/\/$/, '')),
          [path, method],
        );
        const [name, children] = samples.find(([one]) => one === language) ?? samples[0] ?? [];
        const buttons = samples.map(([one]) => {
          const state = { key: one, 'aria-pressed': one === name, onClick: () => choose((chosen = one)) };
          return React.createElement('button', { className: 'btn', type: 'button', ...state }, one);
        });
        return [
          React.createElement(
            'div',
            { key: 'samples', className: 'samples', role: 'group', 'aria-label': 'Code samples' },
            buttons,
            React.createElement(getComponent('HighlightCode', true), {
              canCopy: true,
              language: 'text',
              children,
            }),
          ),
          React.createElement(Original, { key: 'responses', ...props }),
        ];
      },
  },
});
