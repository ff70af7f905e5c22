import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { AppLogger } from '../../src/platform/logging/app-logger.js';

function logged(error: unknown): string {
  const lines: string[] = [];
  const logger = new AppLogger('info', { write: (line: string) => void lines.push(line) });
  logger.error({ err: error }, 'INTERNAL_ERROR');
  return lines.join('');
}

describe('the log', () => {
  it('records what failed and why, including the causes', () => {
    const cause = Object.assign(new Error('disk full'), { code: '53100' });
    const { err, msg, level } = JSON.parse(logged(new TypeError('no answer', { cause }))) as Record<
      string,
      unknown
    >;
    expect({ msg, level }).toEqual({ msg: 'INTERNAL_ERROR', level: 50 });
    expect(err).toEqual({
      type: 'TypeError',
      message: 'no answer',
      stack: expect.stringContaining('app-logger.spec'),
      cause: { type: 'Error', message: 'disk full', code: '53100', stack: expect.any(String) },
    });
  });

  it('never contains the parameters of a failed statement or the values in its detail', () => {
    const driverError = Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: 'Key (token)=(secret-token) already exists.',
    });
    const text = logged(
      new QueryFailedError('INSERT INTO share_links VALUES ($1)', ['secret-token'], driverError),
    );
    expect(text).toContain('duplicate key value');
    expect(text).toContain('23505');
    expect(text).not.toContain('secret-token');
  });
});
