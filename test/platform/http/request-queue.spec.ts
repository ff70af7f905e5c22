import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { QueuedBy, RequestQueue } from '../../../src/platform/http/requests/request-queue.js';

const SLOTS = Math.min(8, Math.max(2, availableParallelism()));
const SLOTS_IF_CHEAP = 16;

class Recordings {}
@QueuedBy('token', 'share link')
class Shares {}

class FakeResponse extends EventEmitter {
  writableFinished = false;
  slot?: () => void;
}

/** Requests to one process, as the guards before this one leave them. */
function requests() {
  const queue = new RequestQueue(new Reflector());
  const send = (controller: object, request: object) => {
    const response = new FakeResponse();
    const context = {
      getClass: () => controller,
      getHandler: () => send,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => response as unknown as Response }),
    };
    const mayRun = Promise.resolve(queue.canActivate(context as unknown as ExecutionContext));
    return { response, mayRun };
  };
  return {
    by: (id: string) => send(Recordings, { caller: { id }, params: {} }),
    ofLink: (token: string) => send(Shares, { params: { token } }),
    anonymous: () => send(Recordings, { params: {} }),
  };
}

/** Whether it runs already. */
async function runs({
  response,
  mayRun,
}: {
  response: FakeResponse;
  mayRun: Promise<boolean>;
}): Promise<boolean> {
  await Promise.race([mayRun, new Promise(setImmediate)]);
  return response.slot !== undefined;
}

describe('the queue of requests', () => {
  it('runs as many requests of a user as there are cores, and the next once one of them replies', async () => {
    const { by } = requests();
    const running = Array.from({ length: SLOTS }, () => by('Ada'));
    for (const request of running) expect(await runs(request)).toBe(true);
    const waiting = by('Ada');
    expect(await runs(waiting)).toBe(false);
    running[1]!.response.slot!();
    expect(await waiting.mayRun).toBe(true);
    expect(await runs(waiting)).toBe(true);
  });

  it('runs 16 of a user whose requests are cheap, also while others are there', async () => {
    const { by } = requests();
    by('Ada').response.slot!();
    by('Grace').response.slot!();
    const running = Array.from({ length: SLOTS_IF_CHEAP }, () => by('Ada'));
    for (const request of running) expect(await runs(request)).toBe(true);
    const waiting = [by('Ada'), by('Ada')];
    running[3]!.response.slot!();
    // Giving it back again changes nothing.
    running[3]!.response.slot!();
    expect(await waiting[0]!.mayRun).toBe(true);
    expect(await runs(waiting[1]!)).toBe(false);
  });

  it('runs the requests of other users meanwhile', async () => {
    const { by } = requests();
    for (let sent = 0; sent < SLOTS + 5; sent += 1) by('Ada');
    expect(await runs(by('Grace'))).toBe(true);
  });

  it('drops a waiting request when its client disconnects', async () => {
    const { by } = requests();
    const running = Array.from({ length: SLOTS }, () => by('Ada'));
    const gone = by('Ada');
    const next = by('Ada');
    gone.response.emit('close');
    await expect(gone.mayRun).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    running[0]!.response.slot!();
    expect(await next.mayRun).toBe(true);
    expect(gone.response.slot).toBeUndefined();
  });

  it('refuses the 101st waiting request of a user', async () => {
    const { by } = requests();
    for (let sent = 0; sent < SLOTS + 100; sent += 1) void by('Ada');
    await expect(by('Ada').mayRun).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('runs one request of a share link at a time', async () => {
    const { ofLink } = requests();
    const first = ofLink('one');
    expect(await runs(first)).toBe(true);
    const second = ofLink('one');
    expect(await runs(second)).toBe(false);
    expect(await runs(ofLink('other'))).toBe(true);
    first.response.slot!();
    expect(await second.mayRun).toBe(true);
  });

  it('lets other requests without a key pass', async () => {
    const { mayRun, response } = requests().anonymous();
    expect(await mayRun).toBe(true);
    expect(response.slot).toBeUndefined();
  });

  it('gives the slot of a request that takes longer than a second to the next', async () => {
    const { by } = requests();
    for (let sent = 0; sent < SLOTS; sent += 1) by('Ada');
    const next = by('Ada');
    expect(await runs(next)).toBe(false);
    expect(await next.mayRun).toBe(true);
  });
});
