import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContentService } from '../../../src/modules/pipeline/content.service.js';
import { TranscriptsService } from '../../../src/modules/transcripts/transcripts.service.js';
import { keyOf, recording, summary, transcript, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus } from '../../support/uploads.js';

const UPDATES = 'This page updates automatically.';
const FAILED = 'Something went wrong while recording or processing it, so there&#39;s no video to watch.';
const CONTACT = 'For help, contact the person who sent you the link.';

describe('the status on a share page', () => {
  let service: TestService;
  let ada: Client;
  const film = recording('Ada', { media: 'call.mp4' });
  const call = recording('Ada', { media: 'call.m4a' });

  beforeAll(async () => {
    service = await startService();
    await service.import(
      { users: [user('Ada')], recordings: [film, call] },
      { 'call.mp4': 'not really a video', 'call.m4a': 'not really a sound' },
    );
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function page(id: string): Promise<string> {
    const { body } = await ada.post(`/recordings/${id}/share-link`, {});
    const reply = await service.api.get(`//s/${body.data.share_token}`);
    expect(reply.status).toBe(200);
    return reply.body;
  }
  async function imported(fields: object): Promise<string> {
    const made = recording('Ada', fields);
    await service.import({ recordings: [made] });
    return page(made.id);
  }
  const textOf = (html: string, id: string): string | undefined =>
    new RegExp(` id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1];
  const said = (html: string): (string | undefined)[] => [
    textOf(html, 'status-title'),
    textOf(html, 'status-text'),
  ];
  const progress = (html: string): string | undefined =>
    /<div id="progress">\s*<progress[^>]* value="(\d+)"/.exec(html)?.[1];

  it.each([
    ['STARTING', 'Waiting to start', 'The recording is being set up.', undefined],
    ['CONNECTING', 'Waiting to start', 'The recorder is joining the meeting.', undefined],
    [
      'WAIT_APPROVAL',
      'Waiting to start',
      'Someone in the meeting has to approve the recording first.',
      undefined,
    ],
    ['RECORDING', 'Recording in progress', 'You can watch it here soon after the meeting ends.', undefined],
    [
      'UPLOADING',
      'Uploading recording',
      'You can watch it here once it has been uploaded and processed.',
      '42',
    ],
    ['PROCESSING', 'Processing recording', 'It will be ready to watch soon.', '42'],
    ['TRANSCODING', 'Processing recording', 'It will be ready to watch soon.', '42'],
  ])('%s: %s', async (status, title, text, percent) => {
    const html = await imported({ status, progress: 0.42 });
    expect(said(html)).toEqual([title, `${text} ${UPDATES}`]);
    expect(progress(html)).toBe(percent);
    expect(html).toContain('<meta http-equiv="refresh"');
  });

  it('shows what was said so far in a meeting in progress, to read only', async () => {
    const { id } = await created(ada);
    await new RawTus(ada, id).patch(0, demoVideo().subarray(0, 20_000));
    const job = { recordingId: id, attempt: randomUUID() };
    const content = service.app.get(ContentService);
    await service.dataSource.transaction((manager) => content.beginLive(manager, job));
    const begun = await page(id);
    expect(begun).toContain('Words appear here as they are spoken.');
    const segments = [{ start: 2, end: 3, text: 'Shall we begin?', speaker: '', confidence: 1 }];
    const draft = { progress: 0, segments, state: null };
    await service.app.get(TranscriptsService).saveDraft(job, draft, []);

    const { body } = await ada.post(`/recordings/${id}/share-link`, { permission: 'download' });
    const token = body.data.share_token;
    const html: string = (await service.api.get(`//s/${token}`)).body;
    expect(said(html)).toEqual([
      'Recording in progress',
      `Read along here. You can watch it here soon after the meeting ends. ${UPDATES}`,
    ]);
    expect(html).toContain('<p>Shall we begin?</p>');
    expect(html).toContain('role="log"');
    for (const other of ['id="search"', 'captions.vtt', 'class="menu"']) expect(html).not.toContain(other);
    const { transcript: shared } = (await service.api.get(`/shares/${token}`)).body.data;
    expect(shared).toMatchObject({ status: 'processing', segments: [{ id: 0, ...segments[0] }] });
    for (const file of ['captions.vtt', 'transcript?format=txt'])
      expect((await service.api.get(`//s/${token}/${file}`)).body).not.toContain('Shall we begin?');
  });

  it('tells an upload that nobody has started from one whose length is not known yet', async () => {
    const { id } = await created(ada);
    expect(said(await page(id))).toEqual([
      'Nothing uploaded yet',
      `You can watch the recording here once it has been uploaded. ${UPDATES}`,
    ]);
    const sent = await new RawTus(ada, id).patch(0, demoVideo().subarray(0, 20_000));
    expect(sent.status).toBe(204);
    const html = await page(id);
    expect(said(html)[0]).toBe('Uploading recording');
    expect(progress(html)).toBeUndefined();
  });

  it.each([
    ['a failed recording', { status: 'ERROR' }, 'This recording failed', `${FAILED} ${CONTACT}`],
    [
      'a failed recording with a transcript',
      { status: 'ERROR', transcript: transcript(3) },
      'This recording failed',
      `${FAILED} You can still read the transcript.`,
    ],
  ])('says of %s what can still be read', async (_, fields, title, text) => {
    const html = await imported(fields);
    expect(said(html)).toEqual([title, text]);
    expect(html).not.toContain('<video');
    expect(html).not.toContain('http-equiv="refresh"');
  });

  it.each([
    [
      'nothing at all',
      {},
      'There&#39;s no video or audio of this meeting, and it doesn&#39;t have a transcript yet. For help, contact the person who sent you the link.',
    ],
    [
      'only a summary',
      { summary },
      'There&#39;s no video or audio of this meeting, and it doesn&#39;t have a transcript yet. For help, contact the person who sent you the link.',
    ],
    ['a transcript', { transcript: transcript(3) }, undefined],
    ['a transcript and a summary', { transcript: transcript(3), summary }, undefined],
  ])('of a meeting without media has no place for a player: %s', async (_, fields, note) => {
    const html = await imported(fields);
    expect(/<h2 id="missing-title">Transcript<\/h2>\s*<p>(.*?)<\/p>/.exec(html)?.[1]).toBe(note);
    expect(html).not.toMatch(/id="stage"|<video|http-equiv="refresh"/);
    // Times lead to the transcript, if there is one.
    expect(html.includes('href="#t=')).toBe('transcript' in fields);
  });

  it.each([
    ['not_started', 'This recording doesn&#39;t have a transcript. You can still watch the video.'],
    [
      'processing',
      'The transcript is still being created. Check back in a few minutes. You can still watch the video.',
    ],
    ['failed', 'The transcript couldn&#39;t be created. You can still watch the video.'],
  ])('says why there is no transcript: %s', async (status, text) => {
    await service.dataSource.query(
      `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration) VALUES ($1, $2, '{}', 0, 0)
       ON CONFLICT (recording_id) DO UPDATE SET status = excluded.status`,
      [film.id, status],
    );
    const html = await page(film.id);
    expect(html).toContain('<video');
    expect(html).toMatch(new RegExp(`>Transcript</h2>\\s*<p>${text.replaceAll('.', '\\.')}</p>`));
  });

  it('speaks of audio where there is no picture', async () => {
    await service.dataSource.query(`UPDATE recordings SET media_type = 'audio/mp4' WHERE id = $1`, [call.id]);
    const html = await page(call.id);
    expect(html).toContain('aria-label="Audio player"');
    expect(html).toContain('You can still listen to the recording.');
  });
});
