import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { keyOf, user } from '../factories/workspace.js';
import { openBrowser, openPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { settled, upload, type Detail } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { MEDIA } from '../support/test-data.js';

const SCRIPTS: Readonly<Record<string, string>> = {
  '/hls.js': 'node_modules/hls.js/dist/hls.min.js',
  '/tus.js': 'node_modules/tus-js-client/dist/tus.min.js',
};
const PAGE = `<!doctype html><title>A site of somebody else</title>
<script src="/hls.js"></script><script src="/tus.js"></script><canvas width="320" height="180"></canvas>`;

/**
 * Records video and audio for four seconds; `onChunk` gets the chunks as the browser produces them. Returns the
 * duration in seconds.
 */
const RECORD = `async (onChunk) => {
  const canvas = document.querySelector('canvas');
  const context = canvas.getContext('2d');
  const begun = performance.now();
  const drawing = setInterval(() => {
    const at = (performance.now() - begun) / 1000;
    context.fillStyle = at % 1 < 0.5 ? '#d02020' : '#2020d0';
    context.fillRect(0, 0, 320, 180);
    context.fillStyle = '#ffffff';
    context.fillRect((at * 60) % 320, 40, 20, 100);
  }, 40);
  const audio = new AudioContext();
  const oscillator = audio.createOscillator();
  const target = audio.createMediaStreamDestination();
  oscillator.connect(target);
  oscillator.start();
  const stream = canvas.captureStream(25);
  stream.addTrack(target.stream.getAudioTracks()[0]);
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus' });
  recorder.ondataavailable = ({ data }) => { if (data.size > 0) onChunk(data); };
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  await new Promise((resolve) => { recorder.onstart = resolve; recorder.start(250); });
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const seconds = (performance.now() - started) / 1000;
  recorder.stop();
  await stopped;
  clearInterval(drawing);
  await audio.close();
  return seconds;
}`;

/** One PATCH per chunk; the length is declared when the recording is over. */
const BY_FETCH = `async ({ url, key }) => {
  const headers = { authorization: 'Bearer ' + key, 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
  let offset = 0;
  let sent = 0;
  let sending = Promise.resolve();
  const patch = async (body, more = {}) => {
    const reply = await fetch(url, { method: 'PATCH', headers: { ...headers, 'upload-offset': String(offset), ...more }, body });
    if (reply.status !== 204) throw new Error('PATCH answered ' + reply.status + ' ' + (await reply.text()));
    offset = Number(reply.headers.get('upload-offset'));
  };
  const seconds = await (${RECORD})((chunk) => { sent++; sending = sending.then(() => patch(chunk)); });
  await sending;
  await patch(new Blob([]), { 'upload-length': String(offset) });
  return { seconds, sent };
}`;

/** tus-js-client reads the recording as a stream of unknown length. */
const BY_TUS = `async ({ url, key }) => {
  let sent = 0;
  let controller;
  const stream = new ReadableStream({ start: (given) => (controller = given) });
  const uploaded = new Promise((resolve, reject) => {
    new tus.Upload(stream.getReader(), {
      uploadUrl: url,
      uploadLengthDeferred: true,
      chunkSize: 64 * 1024,
      headers: { authorization: 'Bearer ' + key },
      retryDelays: null,
      onError: reject,
      onSuccess: resolve,
    }).start();
  });
  let reading = Promise.resolve();
  const seconds = await (${RECORD})((chunk) => {
    sent++;
    reading = reading.then(async () => controller.enqueue(new Uint8Array(await chunk.arrayBuffer())));
  });
  await reading;
  controller.close();
  await uploaded;
  return { seconds, sent };
}`;

/** Plays from the beginning, then from the middle; returns what a viewer would see. */
const PLAY = `async ({ url, hls }) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.replaceChildren(video);
  const errors = [];
  if (hls) {
    const player = new Hls({ enableWorker: false });
    player.on(Hls.Events.ERROR, (_, data) => errors.push(data.details));
    player.loadSource(url);
    player.attachMedia(video);
  } else {
    video.src = url;
  }
  const happened = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
  });
  await happened('loadedmetadata');
  const passes = async (time) => { while (video.currentTime <= time) await happened('timeupdate'); };
  await video.play();
  await passes(0.2);
  video.pause();
  const middle = video.duration / 2;
  const seeked = happened('seeked');
  video.currentTime = middle;
  await seeked;
  await video.play();
  await passes(middle + 0.2);
  video.pause();
  return {
    duration: video.duration,
    width: video.videoWidth,
    height: video.videoHeight,
    at: video.currentTime,
    pictures: video.getVideoPlaybackQuality().totalVideoFrames,
    errors,
  };
}`;

interface Played {
  readonly duration: number;
  readonly width: number;
  readonly height: number;
  readonly at: number;
  readonly pictures: number;
  readonly errors: string[];
}

CHROMIUM.describe('a third-party site in a browser', () => {
  let service: TestService;
  let site: Server;
  let origin: string;
  let browser: Browser;
  let ada: Client;

  beforeAll(async () => {
    site = createServer((request, response) => {
      const script = SCRIPTS[request.url ?? ''];
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
      response.end(script ? readFileSync(script) : PAGE);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    service = await startService({ CORS_ORIGINS: origin }, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await service.stop();
  });

  /** The page, and problems that a user would notice. */
  async function openSite(): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openPage(browser);
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await page.goto(origin);
    // A click, as browsers do not allow audio without one.
    await page.click('canvas');
    return { page, complaints };
  }

  /** Plays and seeks in both URLs. */
  async function expectToPlay(
    page: Page,
    recording: Detail,
    seconds: number,
    tolerance = 0.5,
  ): Promise<void> {
    for (const [url, hls] of [
      [recording.hlsUrl, true],
      [recording.videoUrl, false],
    ]) {
      const played: Played = await page.evaluate(`(${PLAY})(${JSON.stringify({ url, hls })})`);
      expect(played.errors).toEqual([]);
      expect(Math.abs(played.duration - seconds)).toBeLessThan(tolerance);
      expect(played.at).toBeGreaterThan(seconds / 2 - tolerance);
      expect(played.width).toBeGreaterThan(0);
      expect(played.pictures).toBeGreaterThan(1);
    }
  }

  it.each([
    ['plain requests, one for each chunk', BY_FETCH],
    ['tus-js-client, which reads a stream', BY_TUS],
  ])('uploads while recording, by %s; then the recording plays and can be seeked', async (_, send) => {
    const { page, complaints } = await openSite();
    const created = await ada.post('/recordings', { title: 'Live', content_type: 'video/webm' });
    const { id, upload_url: url } = created.body.data;
    await ada.patch(`/recordings/${id}`, { status: 'RECORDING' });
    const recorded: { seconds: number; sent: number } = await page.evaluate(
      `(${send})(${JSON.stringify({ url: url.replace('localhost', '127.0.0.1'), key: keyOf('Ada') })})`,
    );
    expect(recorded.sent).toBeGreaterThan(8);
    const completed = await settled(ada, id);
    expect(completed).toMatchObject({ status: 'COMPLETED', statusReason: null });
    expect(Math.abs(completed.duration - recorded.seconds)).toBeLessThan(0.5);
    await expectToPlay(page, completed, recorded.seconds);
    expect(complaints).toEqual([]);
    await page.close();
  });

  for (const media of MEDIA) {
    media.it(`${media.name} plays once it is packaged`, async () => {
      const id = await upload(ada, readFileSync(media.path), { title: media.name });
      const completed = await settled(ada, id);
      expect(completed).toMatchObject({ status: 'COMPLETED', duration: expect.any(Number) });
      const { page, complaints } = await openSite();
      await expectToPlay(page, completed, completed.duration);
      expect(complaints).toEqual([]);
      await page.close();
    });
  }
});
