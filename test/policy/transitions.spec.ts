import { describe, expect, it } from '@jest/globals';
import {
  RECORDING_STATUSES,
  mayReport,
  REPORTABLE_STATUSES,
  statusAfter,
  type RecordingStatus,
  type RecordingEvent,
} from '../../src/policy/recording-status.js';

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

/** The status after each of `EVENTS`, in their order; `-`: the event is ignored. */
const AFTER = `
  STARTING       UPLOADING  UPLOADING  PROCESSING  ERROR  -          -          -          -      -          COMPLETED
  CONNECTING     UPLOADING  UPLOADING  PROCESSING  ERROR  -          -          -          -      -          COMPLETED
  WAIT_APPROVAL  UPLOADING  UPLOADING  PROCESSING  ERROR  -          -          -          -      -          COMPLETED
  RECORDING      RECORDING  UPLOADING  PROCESSING  ERROR  -          -          -          -      -          COMPLETED
  UPLOADING      UPLOADING  UPLOADING  PROCESSING  ERROR  -          -          -          -      -          COMPLETED
  PROCESSING     -          -          -           -      MIGRATING  MIGRATING  -          ERROR  -          COMPLETED
  TRANSCODING    -          -          -           -      -          -          -          -      -          COMPLETED
  MIGRATING      -          -          -           -      -          MIGRATING  COMPLETED  -      MIGRATING  COMPLETED
  COMPLETED      -          -          -           -      -          -          -          -      -          COMPLETED
  ERROR          -          -          -           -      -          -          -          -      PROCESSING COMPLETED`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/) as [RecordingStatus, ...(RecordingStatus | '-')[]]);

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
  it.each(EVENTS.map((event, column) => [event, after[column]] as const))(
    'changes on "%s" to %s',
    (event, next) => expect(statusAfter(status, event) ?? '-').toBe(next),
  );
});

it('COMPLETED is final, and TRANSCODING is never reached', () => {
  const after = EVENTS.map((event) => statusAfter('COMPLETED', event)).filter(Boolean);
  expect(after).toEqual(['COMPLETED']);
  const reached = RECORDING_STATUSES.flatMap((status) => EVENTS.map((event) => statusAfter(status, event)));
  expect(reached).not.toContain('TRANSCODING');
});
