import { WITHIN } from './scores.js';

/** The tables of `docs/performance.md` with the numbers of a run. */
export function documented({ meetings, points, highlights, ...result }) {
  return [
    row(
      `Of ${highlights} highlights in ${meetings} meetings, with a key point within`,
      WITHIN.map((one) => `${one} s`),
    ),
    row(
      '---',
      WITHIN.map(() => '---'),
    ),
    row(`${points} key points of the summaries`, result.summary.covered.map(ranged)),
    row('as many, evenly spaced', result.even.covered.map(ranged)),
    row('as many, at random', result.random.covered.map(ranged)),
    '',
    row('', ['Within', 'Precision', 'Recall', 'Owner']),
    row('---', ['---', '---', '---', '---']),
    ...[
      ['decisions', 'decisions'],
      ['decisionsShown', 'decisions on share pages'],
      ['actionItems', 'action items'],
      ['actionItemsShown', 'action items on share pages'],
    ].flatMap(([list, name]) =>
      result[list].map(({ seconds, found, noted, precision, recall, owner }) =>
        row(`${found} ${name} for ${noted} noted`, [
          `${seconds} s`,
          ranged(precision),
          ranged(recall),
          owner ? ranged(owner) : '',
        ]),
      ),
    ),
  ];
}

function ranged({ value, from, to }) {
  return `${value.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;
}

function row(name, cells) {
  return `| ${[name, ...cells].join(' | ')} |`;
}
