import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPE_NAMES, isSent } from '../../../src/contract/type-names.js';
import { RequestsUnderWay, type UnderWay } from '../../../src/platform/outbound/requests-under-way.js';
import { REQUESTS } from '../../../src/modules/webhooks/delivery/sender.service.js';
import { nextTry } from '../../../src/modules/webhooks/delivery/attempt-result.js';
import { retryTime, signatureOf } from '../../../src/modules/webhooks/delivery/delivery-request.js';

const NOW = new Date('2026-11-25T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('a signature', () => {
  it('is that of the specification', () => {
    const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(signatureOf(signed, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});

describe('the next attempt', () => {
  it('is between 10 % earlier and 10 % later than the schedule, nine times', () => {
    expect(nextTry(1, NOW, null, 0)).toEqual(new Date(NOW.getTime() + 4.5 * SECOND));
    expect(nextTry(1, NOW, null, 1)).toEqual(new Date(NOW.getTime() + 5.5 * SECOND));
    expect(nextTry(9, NOW, null, 0.5)).toEqual(new Date(NOW.getTime() + 24 * HOUR));
    expect(nextTry(10, NOW, null)).toBeNull();
  });

  it('is not before Retry-After, nor because of it earlier', () => {
    const later = new Date(NOW.getTime() + HOUR);
    expect(nextTry(1, NOW, later)).toEqual(later);
    expect(nextTry(4, NOW, later, 0.5)).toEqual(new Date(NOW.getTime() + 2 * HOUR));
  });

  it.each([
    ['120', 120 * SECOND],
    ['Wed, 25 Nov 2026 13:00:00 GMT', HOUR],
    ['999999999', 24 * HOUR],
    ['9'.repeat(99), 24 * HOUR],
    ['Wed, 25 Nov 2099 13:00:00 GMT', 24 * HOUR],
  ])('reads Retry-After %s', (header, milliseconds) => {
    expect(retryTime(header, NOW)).toEqual(new Date(NOW.getTime() + milliseconds));
  });

  it.each([undefined, '', '0', '-5', 'soon', '9'.repeat(101), 'Wed, 25 Nov 2020 13:00:00 GMT'])(
    'ignores Retry-After %s',
    (header) => {
      expect(retryTime(header, NOW)).toBeNull();
    },
  );
});

describe('types of a webhook', () => {
  it('are types, families and everything', () => {
    expect(EVENT_TYPE_NAMES).toEqual(
      expect.arrayContaining(['*', 'recording.*', 'share_link.*', 'recording.completed']),
    );
    expect(isSent(['recording.*'], 'recording.completed')).toBe(true);
    expect(isSent(['recording.*'], 'transcript.completed')).toBe(false);
    expect(isSent(['transcript.completed'], 'transcript.failed')).toBe(false);
    expect(isSent(['*'], 'folder.created')).toBe(true);
  });
});

describe('requests of a sender', () => {
  const knownOf = (requests: RequestsUnderWay, id: string, now: number) =>
    requests.known(now).find((one) => one.id === id);
  const started = (requests: RequestsUnderWay, id: string, fast: boolean, now: number): UnderWay =>
    Object.assign(requests.add(id, fast), { startedAt: now });

  it('to all that fail or hang are at most half, and those that hang leave the other half', () => {
    const requests = new RequestsUnderWay(REQUESTS);
    for (let n = 0; n < 64; n += 1) started(requests, `failing ${n}`, false, 0);
    expect(requests.room(0)).toEqual({ fast: 64, other: 0 });
    for (let n = 0; n < 64; n += 1) started(requests, `good ${n}`, true, 0);
    expect(requests.room(1_000)).toEqual({ fast: 0, other: 0 });
    expect(requests.room(3_000)).toEqual({ fast: 64, other: 0 });
    expect(knownOf(requests, 'good 1', 3_000)).toEqual({ id: 'good 1', requests: 1, slow: true });
    for (let n = 0; n < 128; n += 1) started(requests, `hangs ${n}`, true, 0);
    expect(requests.room(3_000)).toEqual({ fast: 0, other: 0 });
  });

  it('are fast again only ten minutes after a slow answer: one in between is soon given', () => {
    const requests = new RequestsUnderWay(REQUESTS);
    requests.end(started(requests, 'a', true, 0), 14_000);
    requests.end(started(requests, 'a', false, 14_000), 14_100);
    expect(knownOf(requests, 'a', 613_000)).toEqual({ id: 'a', requests: 0, slow: true });
    expect(knownOf(requests, 'a', 615_000)).toBeUndefined();
  });

  it('do not count if nothing was sent', () => {
    const requests = new RequestsUnderWay(REQUESTS);
    requests.end(requests.add('a', false));
    expect(requests.room(0)).toEqual({ fast: 64, other: 64 });
    expect(requests.known(0)).toEqual([]);
  });
});
