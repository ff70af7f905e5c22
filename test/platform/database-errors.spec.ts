import { describe, expect, it } from '@jest/globals';
import { mapViolations } from '../../src/platform/database/database-errors.js';
import { toServiceError } from '../../src/platform/http/replies/error.filter.js';

/** As TypeORM wraps the errors of `pg`. */
const failed = (code: string): Error =>
  Object.assign(new Error('query failed'), { driverError: { code }, code });

describe('an error of PostgreSQL', () => {
  it.each([
    [
      'a deadlock, which the same request survives when it is sent again',
      '40P01',
      503,
      'SERVICE_UNAVAILABLE',
    ],
    ['a server that is shutting down', '57P01', 503, 'SERVICE_UNAVAILABLE'],
    ['a statement that is wrong', '42601', 500, 'INTERNAL_ERROR'],
    ['a constraint that nobody expected to fail', '23503', 500, 'INTERNAL_ERROR'],
  ])('%s', (_, code, status, expected) => {
    const error = toServiceError(failed(code));
    expect([error.status, error.code]).toEqual([status, expected]);
  });

  it('asks clients to wait before they send the request again', () => {
    expect(toServiceError(failed('40P01')).headers).toHaveProperty('Retry-After');
  });
});

describe('a write whose violations are mapped', () => {
  const violation = (constraint: string): Error =>
    Object.assign(new Error('query failed'), { driverError: { constraint } });
  const gone = new Error('gone');
  const write = (result: () => Promise<string>) =>
    mapViolations({ notes_recording_id_fkey: () => gone }, result);

  it('returns what it returns', async () => {
    expect(await write(async () => 'written')).toBe('written');
  });

  it('throws what belongs to the constraint that it violates, and any other error as it is', async () => {
    await expect(write(() => Promise.reject(violation('notes_recording_id_fkey')))).rejects.toBe(gone);
    for (const other of [violation('notes_pkey'), new Error('lost'), violation('toString')])
      await expect(write(() => Promise.reject(other))).rejects.toBe(other);
    const thrown = new Error('at once');
    await expect(
      write(() => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
  });
});
