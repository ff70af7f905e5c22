import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { sha256 } from '../support/objects.js';
import { padded, settled } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SourceServer } from '../support/source-server.js';
import { created, demoVideo, MIB } from '../support/uploads.js';

/** A server that is busy for an hour. */
const LATER = { status: 429, headers: { 'retry-after': '3600' } };
/** More than one part. */
const VIDEO = padded(demoVideo(), randomBytes(10 * MIB));

let service: TestService;
let source: SourceServer;
let ada: Client;

beforeAll(async () => {
  service = await startService(
    { ALLOW_PRIVATE_ADDRESSES: 'true', MAX_UPLOAD_SIZE: String(20 * MIB), UPLOAD_IDLE_TIMEOUT: '1' },
    { worker: true },
  );
  await service.import({
    users: [user('Ada'), user('Ben')],
    organizations: [organization('Acme', { members: [member('Ada', 'EDITOR')] })],
  });
  ada = service.api.as(keyOf('Ada'));
}, 60_000);
afterEach(() => source.stop());
afterAll(() => service.stop());

async function fetched(file: Buffer, fields: object = {}): Promise<string> {
  source = await SourceServer.start(file);
  return (await created(ada, { source_url: source.url(), ...fields })).id;
}

/** The SHA-256 of what players download. */
async function videoSha256(videoUrl: string): Promise<string> {
  return sha256(new Uint8Array(await (await fetch(videoUrl)).arrayBuffer()));
}

const sources = (): Promise<object[]> => service.dataSource.query('SELECT * FROM upload_sources');

async function failed(id: string, reader = ada): Promise<string> {
  const { status, statusReason } = await settled(reader, id);
  expect(status).toBe('ERROR');
  // The URL is kept no longer than it is needed.
  await eventually(async () => expect(await sources()).toEqual([]));
  return statusReason;
}

/** Resolves when the next attempt is an hour away, as the server asked. */
async function waiting(id: string): Promise<void> {
  await eventually(async () => {
    const jobs = await service.dataSource.query(
      `SELECT run_at > now() + interval '59 minutes' AS waits FROM graphile_worker._private_jobs WHERE key = $1`,
      [`fetch:${id}`],
    );
    expect(jobs).toEqual([{ waits: true }]);
  });
}

/** The next attempt starts now. */
async function hurry(): Promise<void> {
  await service.dataSource.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'fetch:%' AND locked_at IS NULL`,
  );
}

describe('a recording with source_url', () => {
  it('is fetched, processed and identical to the file', async () => {
    source = await SourceServer.start(VIDEO);
    const { status, body } = await ada.post('/recordings', {
      title: 'Weekly sync',
      source_url: source.url('/meeting.mp4?signature=secret'),
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ status: 'UPLOADING', progress: 0, upload_url: null });
    const detail = await settled(ada, body.data.id);
    expect(detail).toMatchObject({ status: 'COMPLETED', statusReason: null });
    expect(await videoSha256(detail.videoUrl)).toBe(sha256(VIDEO));
    expect(JSON.stringify(detail)).not.toContain('signature=secret');
    expect(source.requests).toEqual(['all']);
    expect(await sources()).toEqual([]);
  });

  it('is no longer fetched once the member who named the URL has been removed, also if it has a new owner', async () => {
    const acme = (await ada.get('/organizations')).body.data[0].id;
    source = await SourceServer.start(VIDEO);
    source.next = [LATER];
    const { id } = await created(ada, { source_url: source.url(), organization_id: acme });
    await waiting(id);
    const { id: adaId } = (await ada.get('/me')).body.data;
    const ben = service.api.as(keyOf('Ben'));
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role)
       SELECT $1, id, 'OWNER' FROM users WHERE name = 'Ben' ON CONFLICT DO NOTHING`,
      [acme],
    );
    expect((await ben.delete(`/organizations/${acme}/members/${adaId}`)).status).toBe(200);
    await hurry();
    expect(await failed(id, ben)).toMatch(/^Ended because the user who requested it is not allowed/);
    expect(source.requests).toHaveLength(1);
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'EDITOR')`,
      [acme, adaId],
    );
  });

  it('keeps its URL encrypted, and bound to the recording', async () => {
    source = await SourceServer.start(demoVideo());
    source.next = [LATER];
    const { id } = await created(ada, { source_url: source.url('/meeting.mp4?signature=secret') });
    await eventually(async () => expect(source.requests).toHaveLength(1));
    const [row] = (await sources()) as { url_sealed: Buffer }[];
    expect(row!.url_sealed.toString('latin1')).not.toContain('signature');
    const jobs = await service.dataSource.query(`SELECT payload FROM graphile_worker._private_jobs`);
    expect(JSON.stringify(jobs)).not.toContain('signature');
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    expect(await sources()).toEqual([]);
  });
});

describe('an interrupted fetch', () => {
  it('continues where it was, with the bytes that had arrived', async () => {
    source = await SourceServer.start(VIDEO);
    source.next = [{ breakAfter: 9 * MIB }];
    const { id } = await created(ada, { source_url: source.url() });
    const progress = new Set<number>();
    const detail = await settled(ada, id, { onLook: (seen) => void progress.add(seen.progress) });
    expect(detail.status).toBe('COMPLETED');
    expect(await videoSha256(detail.videoUrl)).toBe(sha256(VIDEO));
    expect(source.requests).toEqual(['all', `bytes=${9 * MIB}-`]);
    expect([...progress].some((value) => value > 0 && value < 0.5)).toBe(true);
  });

  it('starts over when the file has changed', async () => {
    const other = padded(demoVideo(), randomBytes(3 * MIB));
    source = await SourceServer.start(VIDEO);
    source.next = [{ breakAfter: 9 * MIB }, LATER];
    const { id } = await created(ada, { source_url: source.url() });
    await waiting(id);
    source.replace(other);
    await hurry();
    const detail = await settled(ada, id);
    expect(detail.status).toBe('COMPLETED');
    expect(await videoSha256(detail.videoUrl)).toBe(sha256(other));
    const resumed = `bytes=${9 * MIB}-`;
    expect(source.requests).toEqual(['all', resumed, resumed]);
  });

  it('starts over when the server has no ranges', async () => {
    source = await SourceServer.start(VIDEO);
    source.next = [{ breakAfter: 9 * MIB, plain: true }, { plain: true }];
    const { id } = await created(ada, { source_url: source.url() });
    const detail = await settled(ada, id);
    expect(detail.status).toBe('COMPLETED');
    expect(await videoSha256(detail.videoUrl)).toBe(sha256(VIDEO));
    expect(source.requests).toEqual(['all', 'all']);
  });

  it('is repeated when the server is busy, and waits as long as it asks for', async () => {
    source = await SourceServer.start(demoVideo());
    source.next = [{ status: 503 }, LATER];
    const { id } = await created(ada, { source_url: source.url() });
    await waiting(id);
    // The idle timeout of uploads, a second here, does not end it.
    expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('UPLOADING');
    await hurry();
    expect((await settled(ada, id)).status).toBe('COMPLETED');
  });

  it('is given up after many failures without progress', async () => {
    source = await SourceServer.start(demoVideo());
    source.next = [LATER, { status: 500 }];
    const { id } = await created(ada, { source_url: source.url() });
    await waiting(id);
    await service.dataSource.query('UPDATE upload_sources SET failures = 13 WHERE recording_id = $1', [id]);
    await hurry();
    expect(await failed(id)).toBe('The server of the source_url answered with status 500.');
  });
});

describe('a file that cannot become a recording', () => {
  it('that does not exist ends in ERROR, without the URL', async () => {
    source = await SourceServer.start(demoVideo());
    source.next = [{ status: 404 }];
    const { id } = await created(ada, { source_url: source.url('/meeting.mp4?signature=secret') });
    expect(await failed(id)).toBe('The server of the source_url answered with status 404.');
    expect(source.requests).toEqual(['all']);
  });

  it('that is neither audio nor video ends in ERROR', async () => {
    const id = await fetched(Buffer.from('<!doctype html><title>Sign in</title>'.repeat(200)));
    expect(await failed(id)).toMatch(/^The file is a web page \(HTML\)\. Upload audio or video instead/);
  });

  it('that is larger than MAX_UPLOAD_SIZE ends in ERROR, announced or not', async () => {
    const large = padded(demoVideo(), Buffer.alloc(21 * MIB));
    const id = await fetched(large);
    expect(await failed(id)).toBe(`The file is larger than ${20 * MIB} bytes.`);
    source.next = [{ chunked: true }];
    const { id: second } = await created(ada, { source_url: source.url() });
    expect(await failed(second)).toBe(`The file is larger than ${20 * MIB} bytes.`);
    await eventually(async () =>
      expect((await service.objects()).filter((key) => key.includes(second))).toEqual([]),
    );
  });

  it('that the server redirects to a metadata service ends in ERROR', async () => {
    source = await SourceServer.start(demoVideo());
    source.next = [{ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }];
    const { id } = await created(ada, { source_url: source.url() });
    expect(await failed(id)).toBe('The server redirects to an address that is not allowed.');
  });
});

describe('while a recording is fetched', () => {
  async function stalled(): Promise<string> {
    source = await SourceServer.start(VIDEO);
    source.next = [{ breakAfter: 9 * MIB, stall: true }];
    const { id } = await created(ada, { source_url: source.url() });
    await eventually(async () =>
      expect((await ada.get(`/recordings/${id}`)).body.data.progress).toBeGreaterThan(0),
    );
    return id;
  }

  it('deleting it ends the fetch and removes its bytes', async () => {
    const id = await stalled();
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await eventually(async () => {
      const jobs = await service.dataSource.query(
        `SELECT FROM graphile_worker._private_jobs WHERE key = $1`,
        [`fetch:${id}`],
      );
      expect(jobs).toEqual([]);
      expect((await service.objects()).filter((key) => key.includes(id))).toEqual([]);
    });
    expect(source.requests).toEqual(['all']);
  });
});
