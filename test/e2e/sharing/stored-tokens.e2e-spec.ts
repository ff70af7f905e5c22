import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';
import { refusal } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';
import { SharingWorkspace, type SharedRecording } from '../../support/share-links.js';

describe('the database', () => {
  cheapPasswords();
  let service: TestService;
  let workspace: SharingWorkspace;
  let subject: SharedRecording;

  beforeAll(async () => {
    service = await startService();
    workspace = new SharingWorkspace(service);
    await workspace.load();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    subject = await workspace.record();
  });

  /** Every row of every table, as text; binary values in hexadecimal. */
  async function dump(): Promise<string> {
    const tables = await service.dataSource.query<{ name: string }[]>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = tables.map(async ({ name }) => {
      const rows = await service.dataSource.query<{ text: string }[]>(
        `SELECT t::text AS text FROM ${name} t`,
      );
      return rows.map(({ text }) => text).join('\n');
    });
    return (await Promise.all(texts)).join('\n');
  }

  it('holds no token, and nothing that opens a link', async () => {
    const links = [
      await subject.link(),
      await subject.link({ permission: 'download' }),
      await subject.link({ label: 'Customer', password: 'open sesame', expires_at: '2999-01-01' }),
    ];
    for (const link of links) await subject.opens(link);
    await subject.list();
    const text = await dump();
    expect(text).toContain(subject.id);
    for (const { share_token: token } of links) {
      const encoded = [
        token,
        Buffer.from(token).toString('hex'),
        Buffer.from(token, 'base64url').toString('hex'),
      ];
      expect(encoded.filter((form) => text.includes(form))).toEqual([]);
      const hash = createHash('sha256').update(token).digest();
      expect(text).toContain(hash.toString('hex'));
      for (const form of [hash.toString('hex'), hash.toString('base64url'), hash.toString('latin1')]) {
        expect((await service.api.get(`//s/${encodeURIComponent(form)}`)).status).toBe(404);
      }
    }
  });

  it('cannot be made to show the address of one link as that of another', async () => {
    const [mine, other] = [await subject.link(), await (await workspace.record()).link()];
    const logged = jest.spyOn(service.app.get(AppLogger), 'error');
    await service.dataSource.query(
      `UPDATE share_links SET token_sealed = (SELECT token_sealed FROM share_links WHERE id = $2) WHERE id = $1`,
      [mine.id, other.id],
    );
    expect(await subject.post()).toMatchObject({ status: 500, body: refusal('INTERNAL_ERROR') });
    const [{ err }] = logged.mock.calls[0] as unknown as [{ err: Error }];
    expect(err.message).toBe(
      `share link ${mine.id} was changed in the database: what is sealed there does not belong there`,
    );
    logged.mockRestore();
    // Opening it does not depend on it.
    expect(await subject.opens(mine)).toBe(200);
  });
});
