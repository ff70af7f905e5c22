import { describe, expect, it } from '@jest/globals';
import { RECORDING_STATUSES } from '../../src/policy/recording-status.js';
import { mayReport, REPORTABLE_STATUSES, statusAfter } from '../../src/policy/recording-transitions.js';
import type { RecordingEvent } from '../../src/policy/recording-transitions.js';

const EVENTS = [
  'bytes',
  'length',
  'received',
  'refused',
  'playable',
  'packaged',
  'stored',
  'failed',
  'retried',
  'replaced',
] as const satisfies readonly RecordingEvent[];

/** Whether a client that records elsewhere may report STARTING, CONNECTING, WAIT_APPROVAL, RECORDING, ERROR next. */
const REPORTS = [
  ['STARTING', true, true, true, true, true],
  ['CONNECTING', false, true, true, true, true],
  ['WAIT_APPROVAL', false, true, true, true, true],
  ['RECORDING', false, true, false, true, true],
  ['UPLOADING', true, true, true, true, true],
  ['PROCESSING', false, false, false, false, false],
  ['TRANSCODING', false, false, false, false, false],
  ['MIGRATING', false, false, false, false, false],
  ['COMPLETED', false, false, false, false, false],
  ['ERROR', false, false, false, false, true],
] as const;

const NEVER = null;
/** The status after each of `EVENTS`, in their order. */
const AFTER = [
  [
    'STARTING',
    'UPLOADING',
    'UPLOADING',
    'PROCESSING',
    'ERROR',
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    'COMPLETED',
  ],
  [
    'CONNECTING',
    'UPLOADING',
    'UPLOADING',
    'PROCESSING',
    'ERROR',
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    'COMPLETED',
  ],
  [
    'WAIT_APPROVAL',
    'UPLOADING',
    'UPLOADING',
    'PROCESSING',
    'ERROR',
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    'COMPLETED',
  ],
  [
    'RECORDING',
    'RECORDING',
    'UPLOADING',
    'PROCESSING',
    'ERROR',
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    'COMPLETED',
  ],
  [
    'UPLOADING',
    'UPLOADING',
    'UPLOADING',
    'PROCESSING',
    'ERROR',
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    NEVER,
    'COMPLETED',
  ],
  ['PROCESSING', NEVER, NEVER, NEVER, NEVER, 'MIGRATING', 'MIGRATING', NEVER, 'ERROR', NEVER, 'COMPLETED'],
  ['TRANSCODING', NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 'COMPLETED'],
  ['MIGRATING', NEVER, NEVER, NEVER, NEVER, NEVER, 'MIGRATING', 'COMPLETED', NEVER, 'MIGRATING', 'COMPLETED'],
  ['COMPLETED', NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 'COMPLETED'],
  ['ERROR', NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 'PROCESSING', 'COMPLETED'],
] as const;

it('the tables above contain every status and everything a client may report', () => {
  expect(REPORTS.map(([status]) => status)).toEqual(RECORDING_STATUSES);
  expect(AFTER.map(([status]) => status)).toEqual(RECORDING_STATUSES);
  expect(REPORTABLE_STATUSES).toEqual(['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR']);
});

describe.each(REPORTS)('a client that reports a recording in %s', (status, ...allowed) => {
  it.each(REPORTABLE_STATUSES.map((next, column) => [next, allowed[column] ?? false] as const))(
    'may report %s next: %s',
    (next, may) => expect(mayReport(status, next)).toBe(may),
  );
});

describe.each(AFTER)('a recording in %s', (status, ...after) => {
  it.each(EVENTS.map((event, column) => [event, after[column] ?? null] as const))(
    'changes on "%s" to %s (null: the event is ignored)',
    (event, next) => expect(statusAfter(status, event)).toBe(next),
  );
});

it('COMPLETED is final, and TRANSCODING is never reached', () => {
  const after = EVENTS.map((event) => statusAfter('COMPLETED', event)).filter(Boolean);
  expect(after).toEqual(['COMPLETED']);
  const reached = RECORDING_STATUSES.flatMap((status) => EVENTS.map((event) => statusAfter(status, event)));
  expect(reached).not.toContain('TRANSCODING');
});
