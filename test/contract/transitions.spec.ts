import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { TRANSITIONS } from '../../src/policy/recording-status.js';

it('the list of transitions in docs/architecture.md shows exactly the allowed transitions', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const rows = [...text.matchAll(/^([a-z][a-z, ]*?) {2,}([A-Z_, ]+) -> ([A-Z_]+)$/gm)];
  const listed = rows.flatMap(([, events = '', statuses = '', to]) =>
    events.split(', ').flatMap((event) => statuses.split(', ').map((from) => `${from} ${event} ${to}`)),
  );
  const real = Object.entries(TRANSITIONS).flatMap(([from, { reports, events }]) => [
    ...reports.map((to) => `${from} reported ${to}`),
    ...Object.entries(events)
      .filter(([, to]) => to !== from)
      .map(([event, to]) => `${from} ${event} ${to}`),
  ]);
  expect(listed.sort()).toEqual(real.sort());
});
