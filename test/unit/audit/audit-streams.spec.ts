import { describe, expect, it } from '@jest/globals';
import { CHANGE_TYPES } from '../../../src/contract/changes/change-catalog.js';
import type { PresentedAuditEntry } from '../../../src/modules/audit/dto/audit-entry.response.dto.js';
import { withOcsf } from '../../../src/modules/audit/streams/ocsf.js';
import { composeBatch } from '../../../src/modules/audit/streams/stream-formats.js';
import { StartError, parseSettings } from '../../../src/platform/config/settings.js';

const ENTRY: PresentedAuditEntry = {
  id: '019c416a-2000-7a02-8a00-5eed0000a002',
  at: '2026-01-31T09:30:00.250Z',
  type: 'member.added',
  actor: { kind: 'service', id: null, name: null },
  api_key: null,
  session: null,
  connection: null,
  request_id: null,
  address: null,
  client: null,
  organization_id: null,
  recording_id: null,
  target_id: null,
  user_id: null,
  email: null,
  changes: {},
};

describe('an entry of the audit log for a SIEM', () => {
  it.each(CHANGE_TYPES)('has a class and an activity: %s', (type) => {
    const event = withOcsf({ ...ENTRY, type }) as Record<string, number>;
    expect([3001, 3002, 3006, 6003]).toContain(event['class_uid']);
    expect(event['category_uid']).toBe(Math.floor(event['class_uid']! / 1_000));
    expect(event['type_uid']).toBe(event['class_uid']! * 100 + event['activity_id']!);
  });

  it.each([
    ['sign_in.refused', { class_uid: 3002, activity_id: 1, status_id: 2, severity_id: 3 }],
    ['user.deleted', { class_uid: 3001, activity_id: 6, status_id: 1, severity_id: 1 }],
    ['member.added', { class_uid: 3006, activity_id: 3 }],
    ['share_link.revoked', { class_uid: 6003, activity_id: 4, api: { operation: 'share_link.revoked' } }],
    ['recording.created', { class_uid: 6003, activity_id: 1, src_endpoint: { svc_name: expect.anything() } }],
  ])('%s', (type, fields) => {
    expect(withOcsf({ ...ENTRY, type })).toMatchObject(fields);
  });

  it('goes into a batch of less than a megabyte, or alone', () => {
    const large = { ...ENTRY, changes: { fields: ['x'.repeat(400_000)] } };
    expect(composeBatch('ndjson', null, [large, large, large]).count).toBe(2);
    const huge = { ...ENTRY, changes: { fields: ['x'.repeat(2_000_000)] } };
    expect(composeBatch('ndjson', null, [huge, ENTRY]).count).toBe(1);
  });

  it('is sent as each receiver takes it', () => {
    const sent = (format: Parameters<typeof composeBatch>[0]) => {
      const { headers, body } = composeBatch(format, 'T', [ENTRY, ENTRY]);
      return { headers, text: body.toString() };
    };
    expect(sent('ndjson').headers).toEqual({
      'content-type': 'application/x-ndjson',
      authorization: 'Bearer T',
    });
    expect(sent('splunk').headers).toMatchObject({ authorization: 'Splunk T' });
    expect(JSON.parse(sent('splunk').text.split('\n')[0]!)).toMatchObject({
      time: 1_769_851_800.25,
      event: { id: ENTRY.id },
    });
    expect(sent('datadog').headers).toEqual({ 'content-type': 'application/json', 'dd-api-key': 'T' });
    expect(JSON.parse(sent('datadog').text)).toHaveLength(2);
  });
});

describe('AUDIT_STREAM_URL', () => {
  it('may be in the network of the operator, and is lines of JSON by default', () => {
    const { auditStream } = parseSettings({
      AUDIT_STREAM_URL: 'http://10.0.0.7:8088/',
      AUDIT_STREAM_TOKEN: 'T',
    });
    expect(auditStream).toEqual({ url: 'http://10.0.0.7:8088/', token: 'T', format: 'ndjson' });
    expect(parseSettings({}).auditStream).toBeNull();
  });

  it.each([
    [{ AUDIT_STREAM_URL: 'siem.example.com' }, 'AUDIT_STREAM_URL must be an https URL'],
    [{ AUDIT_STREAM_URL: 'http://203.0.113.7/' }, 'AUDIT_STREAM_URL must be an https URL'],
    [{ AUDIT_STREAM_URL: 'https://me:secret@siem.example.com/' }, 'AUDIT_STREAM_URL must be an https URL'],
    [{ AUDIT_STREAM_TOKEN: 'secret' }, 'require AUDIT_STREAM_URL'],
    [
      { AUDIT_STREAM_URL: 'https://siem.example.com/', AUDIT_STREAM_TOKEN: 'secret\n' },
      'AUDIT_STREAM_TOKEN must be',
    ],
    [
      { AUDIT_STREAM_URL: 'https://siem.example.com/', AUDIT_STREAM_FORMAT: 'cef' },
      'must be one of ndjson, splunk, datadog',
    ],
  ])('is refused at the start: %j', (settings, message) => {
    const parse = () => parseSettings(settings);
    expect(parse).toThrow(StartError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('secret');
  });
});
