import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RetentionRunsService } from '../../../src/modules/retention/retention-runs.service.js';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { until } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';

const DAY = 24 * 60 * 60 * 1000;

describe('the email about recordings that retention rules will remove', () => {
  let service: TestService;
  let smtp: SmtpServer;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
  const old = (owner: string) =>
    recording(owner, { organization: 'Acme', createdAt: new Date(Date.now() - 80 * DAY).toISOString() });

  beforeAll(async () => {
    smtp = await SmtpServer.start();
    const settings = { ...smtp.settings(), PUBLIC_URL: 'https://acme.test' };
    service = await startService(settings, { worker: true });
    const recordings = ['Ada', 'Ada', 'Grace'].map(old);
    await service.import({ users: [user('Ada'), user('Grace')], organizations: [acme], recordings });
  });
  afterAll(async () => {
    await service.stop();
    await smtp.stop();
  });

  it('comes once a day to each owner, however many they are', async () => {
    const body = { notice_days: 30, rules: [{ removes: 'all', days: 90 }] };
    const api = service.api.as(keyOf('Ada'));
    expect((await api.request('PUT', `/organizations/${acme.id}/retention`, { body })).status).toBe(200);
    const runs = service.app.get(RetentionRunsService);
    await runs.run();
    await service.import({ recordings: [old('Ada')] });
    await runs.run();
    const jobs = `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'retention:%' RETURNING key`;
    expect((await service.dataSource.query(jobs))[0]).toHaveLength(2);
    await until('both emails', () => smtp.mails.length === 2);
    const sent = smtp.mails.map(({ to, headers }) => [to[0], headers['subject']]);
    expect(sent.sort()).toEqual([
      ['ada@acme.test', 'Retention rules will soon remove 3 of your recordings'],
      ['grace@acme.test', 'Retention rules will soon remove one of your recordings'],
    ]);
    expect(smtp.mails[0]?.text).toContain(
      'GET https://acme.test/api/v1/events?types=recording.retention_due',
    );
  });
});
