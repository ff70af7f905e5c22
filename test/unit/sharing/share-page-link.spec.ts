import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ShareLink } from '../../../web/share/scripts/share-link.js';

const API = '/api/v1/shares/token';
const share = { recording: { status: 'COMPLETED', progress: 1 }, transcript: null, summary: null };

describe('the link of the share page', () => {
  let asked: string[];
  let reply: () => Response;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
    reply = () => Response.json({ data: share });
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
      asked.push(address instanceof Request ? address.url : String(address));
      return reply();
    });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  function open(expiresIn: number | null = null): { link: ShareLink; closings: () => number } {
    const link = new ShareLink(API, expiresIn);
    let closings = 0;
    link.addEventListener('closed', () => (closings += 1));
    return { link, closings: () => closings };
  }

  it('asks for its state without being counted as a view', async () => {
    const { link } = open();
    expect(await link.fetchShare()).toEqual(share);
    expect(asked).toEqual([`${API}?start_chunk=1&limit=1`]);
  });

  it.each([403, 404, 410])('is closed by a reply of %d, once', async (status) => {
    const { link, closings } = open();
    reply = () => Response.json({ error: {} }, { status });
    expect([await link.fetchShare(), await link.fetchShare()]).toEqual([null, null]);
    expect([link.isClosed, closings()]).toEqual([true, 1]);
  });

  it.each<[string, () => Response]>([
    ['a reply of 500', () => new Response('', { status: 500 })],
    ['a reply that is not JSON', () => new Response('<html>')],
    [
      'no connection',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
  ])('stays open after %s', async (_, given) => {
    const { link, closings } = open();
    reply = given;
    expect(await link.fetchShare()).toBeNull();
    expect([link.isClosed, closings()]).toEqual([false, 0]);
  });

  it('is asked about when it expires, and closed when the service says so', async () => {
    const { link, closings } = open(60_000);
    link.watchExpiry();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    reply = () => Response.json({ error: {} }, { status: 404 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect([asked.length, closings()]).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(asked).toHaveLength(1);
  });

  it('is asked about every two minutes when its expiry was put off', async () => {
    const { link, closings } = open(60_000);
    link.watchExpiry();
    await jest.advanceTimersByTimeAsync(61_000);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(121_000);
    expect([asked.length, closings()]).toEqual([2, 0]);
  });

  it('waits for an expiry that is further away than a timer reaches', async () => {
    const days = 24 * 3_600_000;
    const { link } = open(40 * days);
    link.watchExpiry();
    await jest.advanceTimersByTimeAsync(39 * days);
    expect(asked).toEqual([]);
    await jest.advanceTimersByTimeAsync(days + 1_000);
    expect(asked).toHaveLength(1);
  });
});
