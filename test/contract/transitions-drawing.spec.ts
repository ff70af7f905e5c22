import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { TRANSITIONS } from '../../src/policy/recording-transitions.js';

it('the status diagram in docs/architecture.md shows exactly the allowed transitions', () => {
  const drawn = [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(/^ {2}([A-Z_]+) --> ([A-Z_]+): (.+)$/gm),
  ].flatMap(([, from, to, why = '']) => why.split(', ').map((one) => `${from} ${one} ${to}`));
  const real = Object.entries(TRANSITIONS).flatMap(([from, { reports, events }]) => [
    ...reports.map((to) => `${from} reported ${to}`),
    ...Object.entries(events)
      .filter(([, to]) => to !== from)
      .map(([event, to]) => `${from} ${event} ${to}`),
  ]);
  expect(drawn.sort()).toEqual(real.sort());
});
