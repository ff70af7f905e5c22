import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Client } from './client.js';
import { childProcesses } from './media.js';
import { sha256 } from './objects.js';
import { upload, type Detail } from './packaged.js';
import { processRuns } from './process.js';

/** VP8 and Vorbis, 8.3 seconds: plays in browsers, and is converted nevertheless. */
export const WEBM = readFileSync('test/data/media/frog.webm');

/** A recording that can be played while its conversion is stopped. */
export interface HeldRecording {
  readonly id: string;
  readonly detail: Detail;
  /** Sends a signal to the process that converts it; SIGCONT continues the conversion. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

/**
 * Uploads `WEBM`, and stops its conversion as soon as it can be played. No other conversion may be running in this
 * process.
 */
export async function uploadHeld(
  api: Client,
  fields: object = {},
  withinMs = 60_000,
): Promise<HeldRecording> {
  const id = await upload(api, WEBM, fields);
  const deadline = Date.now() + withinMs;
  // Those that only inspect it: on a slow machine, they are still there when it can be played.
  const inspecting = new Set<number>();
  let children: number[] = [];
  for (;;) {
    const running = childProcesses('packager.process').map((child) => child.id);
    const { data } = (await api.get(`/recordings/${id}`)).body;
    if (data.videoUrl === null) for (const child of running) inspecting.add(child);
    else children = running.filter((child) => !inspecting.has(child));
    if (children.length > 0 || data.hlsUrl !== null) break;
    if (Date.now() > deadline) throw new Error(`Still ${data.status} ${data.progress} after ${withinMs} ms`);
    await setTimeout(10);
  }
  const signal = (name: NodeJS.Signals): void =>
    children.filter(processRuns).forEach((child) => process.kill(child, name));
  signal('SIGSTOP');
  const { data: detail } = (await api.get(`/recordings/${id}`)).body;
  if (children.length === 0 || detail.hlsUrl !== null) throw new Error('The conversion ended too soon');
  return { id, detail, signal };
}

/** Expects `WEBM` at a URL, as a whole and in ranges. */
export async function expectSource(url: string): Promise<void> {
  const whole = await fetch(url);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/webm']);
  expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(WEBM));
  const etag = `"${sha256(WEBM)}"`;
  const headers = { range: 'bytes=200000-200999', 'if-range': etag };
  const part = await fetch(url, { headers });
  expect([part.status, part.headers.get('etag')]).toEqual([206, etag]);
  expect(Buffer.from(await part.arrayBuffer()).equals(WEBM.subarray(200_000, 201_000))).toBe(true);
}
