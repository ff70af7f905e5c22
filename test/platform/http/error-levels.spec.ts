import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { DomainError } from '../../../src/contract/domain-error.js';
import { ERROR_CATALOG, ERROR_CODES } from '../../../src/contract/error-catalog.js';
import { ErrorFilter } from '../../../src/platform/http/replies/error.filter.js';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';

const [INFO, WARN, ERROR] = [30, 40, 50];
const CALLERS = ERROR_CODES.filter((code) => ERROR_CATALOG[code].status < 500);
const OURS = ERROR_CODES.filter((code) => ERROR_CATALOG[code].status >= 500);

/** The levels of the lines that `work` logs. */
function levels(work: (logger: AppLogger) => void): number[] {
  const lines: string[] = [];
  work(new AppLogger('trace', { write: (line: string) => void lines.push(line) }));
  return lines.map((line) => (JSON.parse(line) as { level: number }).level);
}

const answered = (code: DomainError['code']): number[] =>
  levels((logger) => {
    const response = { status: () => response, set: () => response, json: () => response };
    const [request, reply] = [{ id: 'r', path: '/api/v1/me' }, response] as unknown as [Request, Response];
    new ErrorFilter(logger).answer(new DomainError(code), request, reply);
  });

describe('an error that a caller caused', () => {
  it.each(CALLERS)('%s is no line besides that of its request', (code) => {
    expect(answered(code)).toEqual([]);
  });

  it.each(CALLERS)('%s is at most a warning, wherever it ends', (code) => {
    const err = new DomainError(code);
    const causedBy = new Error('a job failed', { cause: err });
    expect(levels((logger) => logger.error({ err }, 'failed'))).toEqual([WARN]);
    expect(levels((logger) => logger.error({ err: causedBy }, 'failed'))).toEqual([ERROR]);
    expect(levels((logger) => logger.info({ err }, 'refused'))).toEqual([INFO]);
  });
});

describe('an error of the service', () => {
  it.each(OURS)('%s is logged with its cause', (code) => {
    expect(answered(code)).toEqual([code === 'SERVICE_UNAVAILABLE' ? WARN : ERROR]);
  });
});
