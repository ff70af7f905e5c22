import { describe, expect, it } from '@jest/globals';
import { readable } from '../../src/platform/logging/readable-log.js';

const time = new Date(2026, 10, 22, 9, 5, 7).toISOString();
const line = { level: 30, time };

describe('the log in a terminal', () => {
  it('is one short line per request', () => {
    const request = {
      ...line,
      requestId: '8f14e45f',
      method: 'GET',
      path: '/api/v1/recordings',
      status: 200,
      userId: '019c1d5d',
      apiKeyPrefix: 'mrs_dqiCzuf5',
      ms: 12,
      msg: 'request',
    };
    expect(readable(request)).toBe('09:05:07  GET /api/v1/recordings 200  12 ms\n');
    expect(readable({ ...request, status: 404, errorCode: 'NOT_FOUND' })).toBe(
      '09:05:07  GET /api/v1/recordings 404  12 ms  NOT_FOUND\n',
    );
  });

  it('shows the message and its fields for everything else, with the level unless it is info', () => {
    expect(readable({ ...line, msg: 'worker started' })).toBe('09:05:07  worker started\n');
    expect(readable({ ...line, level: 40, signal: 'SIGTERM', status: null, msg: 'ended' })).toBe(
      '09:05:07  WARN  ended  signal=SIGTERM  status=null\n',
    );
  });

  it('shows the stack traces of an error and its causes, unless the message already includes the error', () => {
    const cause = { type: 'Error', message: 'disk full', stack: 'Error: disk full\n    at write' };
    const err = { type: 'TypeError', message: 'no answer', stack: 'TypeError: no answer\n    at ask', cause };
    expect(readable({ ...line, level: 50, err, msg: 'INTERNAL_ERROR' })).toBe(
      '09:05:07  ERROR  INTERNAL_ERROR\nTypeError: no answer\n    at ask\nCaused by:\nError: disk full\n    at write\n',
    );
    expect(readable({ ...line, level: 50, err, msg: 'the job failed: no answer' })).toBe(
      '09:05:07  ERROR  the job failed: no answer\n',
    );
  });

  it('replaces control characters', () => {
    expect(readable({ ...line, msg: 'not found: \u001b[2J\r\u009b31m' })).toBe(
      '09:05:07  not found: \ufffd[2J\ufffd\ufffd31m\n',
    );
  });
});
