import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { commandLine, commandsAs, onTerminal } from '../../support/command-line.js';
import { saying } from '../../support/found.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const ESCAPE = '\u001b[2J';
const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const depot = recording('Ada', {
  title: 'Depot',
  transcript: saying('en', ['Grace', `The depot ${ESCAPE}needs 14 mechanics.`], ['Ada', 'Who hires them?']),
});
const empty = recording('Ada', { title: 'Empty' });

describe('mrs on a server', () => {
  let service: TestService;
  let folder: string;
  const { cli, says } = commandsAs(() => service.api.base, keyOf('Ada'));
  const detail = async (of: { id: string }) =>
    (await service.api.as(keyOf('Ada')).get(`/recordings/${of.id}`)).body.data;
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], organizations: [acme], recordings: [depot, empty] });
    // As 1.0.0 took it.
    await service.dataSource.query('UPDATE recordings SET title = $1 WHERE id = $2', [
      `Depot${ESCAPE}`,
      depot.id,
    ]);
    folder = mkdtempSync(join(tmpdir(), 'mrs-cli-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  it('prints a transcript with times, and nothing that controls a terminal', async () => {
    expect(await says('transcript', 'get', depot.id)).toBe(
      '[0:00] Grace: The depot  [2Jneeds 14 mechanics.\n[0:10] Ada: Who hires them?\n',
    );
    const json = await says('transcript', 'get', depot.id, '--json');
    expect(json).not.toContain(ESCAPE);
    expect(JSON.parse(json).segments[0]).toMatchObject({ start: 0, speaker: 'Grace' });
    expect(await cli('transcript', 'get', empty.id)).toMatchObject({ status: 0, stdout: '' });
  });

  it('exports it unchanged to a file or a pipe, and imports it again', async () => {
    const target = join(folder, 'depot.vtt');
    const vtt = await says('transcript', 'export', depot.id, '--format', 'vtt');
    expect(vtt).toMatch(/^WEBVTT\n/);
    expect(vtt).toContain(ESCAPE);
    const shown = await onTerminal(() => cli('transcript', 'export', depot.id, '--format', 'vtt'));
    expect(shown.stdout).not.toContain(ESCAPE);
    expect(await cli('transcript', 'export', depot.id, '--format', 'vtt', '--output', target)).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `Wrote ${target}.\n`,
    });
    expect(readFileSync(target, 'utf8')).toBe(vtt);
    const again = await cli('transcript', 'export', depot.id, '--format', 'json', '--output', target);
    expect(again).toMatchObject({ status: 2, stderr: `error: ${target}: exists already\n` });
    expect(
      JSON.parse(await says('transcript', 'export', depot.id, '--format', 'json')).segments,
    ).toHaveLength(2);
    expect(await says('transcript', 'put', empty.id, target)).toBe(`${empty.id}: imported 2 segments\n`);
    expect((await detail(empty)).transcription).toMatchObject({ status: 'completed', segmentsCount: 2 });
  });

  it('refuses files that are no transcript, with the place', async () => {
    const put = (path: string) => cli('transcript', 'put', empty.id, path);
    const broken = file('broken.srt', '1\n00:00:09,000 --> 00:00:01,000\nNo\n');
    expect(await put(broken)).toMatchObject({ status: 2, stderr: expect.stringContaining('line 2') });
    expect(await put(file('page.html', '<html>'))).toMatchObject({ status: 2 });
    expect(await put(join(folder, 'none'))).toMatchObject({
      status: 2,
      stderr: `error: ${folder}/none: no such file\n`,
    });
  });

  it('answers questions with passages and, once there is a share link, links to their moments', async () => {
    const ask = (...more: string[]) => says('ask', 'How many mechanics does the depot need?', ...more);
    const url = (await says('share', depot.id)).trimEnd();
    const text = await ask();
    expect(text).not.toContain(ESCAPE);
    expect(text.match(/14 mechanics/g)).toHaveLength(1);
    expect(text).toContain(
      `[1] Depot [2J, 0:00\n    Grace: The depot  [2Jneeds 14 mechanics.\n    Ada: Who hires them?\n    ${url}#t=0\n`,
    );
    const { answer, citations } = JSON.parse(await ask('--recording', depot.id, '--json'));
    expect([answer, citations[0]]).toEqual([
      expect.stringContaining('14 mechanics'),
      expect.objectContaining({ recordingId: depot.id, url: `${url}#t=0` }),
    ]);
    const none = await cli('ask', 'Zebra crossings in Paraguay?', '--recording', depot.id);
    expect(none).toMatchObject({ status: 0, stderr: 'Nothing that was said answers this.\n' });
  });

  it('opens the video or, once there is a link to it, the share page, with the browser of a terminal', async () => {
    const { body } = await service.api.as(keyOf('Ada')).post('/recordings', { title: 'New', media: 'none' });
    expect(await cli('open', body.data.id)).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('has no video to open, and no share page'),
    });
    const url = (await says('share', body.data.id)).trimEnd();
    expect(JSON.parse(await says('open', body.data.id, '--json'))).toEqual({
      id: body.data.id,
      url,
      kind: 'share_page',
      expires_at: null,
    });
    const browser = join(folder, 'browser');
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" >'${folder}/opened.part'; mv '${folder}/opened.part' '${folder}/opened'\n`,
      { mode: 0o755 },
    );
    const settings = { MRS_URL: service.api.base, MRS_API_KEY: keyOf('Ada') };
    const open = (BROWSER: string) =>
      onTerminal(() => commandLine({ ...settings, BROWSER }, 'open', body.data.id));
    expect(await open(browser)).toMatchObject({ status: 0, stdout: `${url}\n`, stderr: '' });
    await eventually(async () => expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(url));
    expect(await open('/nonexistent/browser')).toMatchObject({ status: 0, stdout: `${url}\n`, stderr: '' });
  });

  it('shares a recording for a time, with a permission', async () => {
    const args = ['share', depot.id, '--expires-in', '7d', '--permission', 'download'];
    const link = JSON.parse(await says(...args, '--json'));
    expect(link).toMatchObject({ permission: 'download', share_url: expect.stringMatching(/^http/) });
    const days = (Date.parse(link.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const { stdout, stderr } = await cli(...args);
    expect(stdout).toMatch(/^http\S+\n$/);
    expect(stderr).toMatch(/^Anyone with this link can view and download it until \S+\.\n$/);
  });

  it('moves recordings, and says where they are', async () => {
    const move = (...to: string[]) => cli('recordings', 'move', empty.id, ...to);
    expect(await move('--organization', acme.id)).toMatchObject({
      status: 0,
      stdout: `Moved "Empty" to ${acme.id}.\n`,
    });
    expect(await move('--folder', id())).toMatchObject({ status: 2 });
    expect((await move('--personal')).stdout).toBe('Moved "Empty" to personal recordings.\n');
    expect((await detail(empty)).organizationId).toBeNull();
    expect((await move()).stderr).toBe('error: Say where to: --organization, --folder or --personal.\n');
  });

  it.each([
    [['transcript', 'get', id()], 4, /^error: .*not found|^error: /],
    [['transcript', 'get', '..'], 2, /It must be an id\./],
    [['share', depot.id, '--expires-in', 'soon'], 2, /--expires-in/],
    [['transcript', 'export', depot.id, '--format', 'pdf'], 2, /Allowed choices are vtt, srt, txt, md, json/],
    [['events', 'tail', '--types', 'nonsense'], 2, /types/],
    [['recordings', 'download', empty.id], 3, /cannot be downloaded \(no media\)/],
  ] as const)('ends %j with status %d', async (args, status, message) => {
    const ended = await cli(...args);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([status, '', expect.stringMatching(message)]);
  });

  it('ends with status 5 if nobody answers there, or another server', async () => {
    const nowhere = commandsAs(() => 'http://127.0.0.1:9', 'mrs_x');
    const { status, stderr } = await nowhere.cli('ask', 'Who?');
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/^error: http:\/\/127\.0\.0\.1:9 cannot be reached/),
    ]);
    const page = commandsAs(() => `${service.api.base}/docs`, 'mrs_x');
    expect((await page.cli('transcript', 'get', depot.id)).status).not.toBe(0);
  });
});
