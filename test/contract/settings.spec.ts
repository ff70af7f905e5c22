import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withPlansTable } from '../../scripts/plans-table.js';
import { defaultOf, settingsIn, withSettings } from '../../scripts/settings-tables.js';
import { parseSettings } from '../../src/platform/config/settings.js';
import { SETTINGS_SCHEMA } from '../../src/platform/config/settings.schema.js';
import { PLAN_CATALOG } from '../../src/policy/plans.js';

describe('plans', () => {
  it('are all in docs/plans.md, with their default limits (otherwise run npm run plans)', () => {
    const page = readFileSync('docs/plans.md', 'utf8');
    expect(page).toBe(withPlansTable(page, PLAN_CATALOG, parseSettings({}).quotas));
  });
});

describe('settings', () => {
  const { shape } = SETTINGS_SCHEMA;
  const example = readFileSync('.env.example', 'utf8');

  it('are all in .env.example, with their default or a valid example', () => {
    const described = settingsIn(example).flatMap(({ settings }) => settings);
    expect(described.map(({ name }) => name)).toEqual(Object.keys(shape));
    for (const { name, value } of described) {
      const schema = shape[name as keyof typeof shape];
      expect([name, value]).toEqual([name, defaultOf(schema) ?? value]);
      expect([name, value === '' || schema.safeParse(value).success]).toEqual([name, true]);
    }
  });

  it('are all in docs/configuration.md (otherwise run npm run settings)', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    expect(page).toBe(withSettings(page, example, shape));
  });

  it('have the defaults of the contract', () => {
    expect(parseSettings({})).toMatchObject({
      port: 3000,
      dataDir: expect.stringMatching(/\.data$/),
      databaseUrl: undefined,
      publicUrl: undefined,
      demo: true,
      mediaUrlTtl: 3600,
      logLevel: 'info',
    });
    expect(parseSettings({ DATABASE_URL: 'postgres://localhost/x' })).toMatchObject({ demo: false });
  });

  it.each([
    ['postgres://ada:p%40ss,word@a:5432,[::1]:5433,b/meetings?target_session_attrs=primary', undefined],
    ['postgresql:///meetings?host=/run/postgresql', undefined],
    ['postgres://ada:p#ss@a/meetings', 'must have # and % in a password encoded, as %23 and %25'],
    ['postgres://ada:100%@a/meetings', 'must have # and % in a password encoded, as %23 and %25'],
    ['postgres://a,/meetings', 'must have a host before and after each comma between hosts'],
    ['postgres://a:5432,b:x/meetings', 'must be a URL that starts with postgres:// or postgresql://'],
    [
      'postgres://a,b/meetings?target_session_attrs=master',
      'target_session_attrs must be any, read-write, primary, standby, not master',
    ],
  ])('DATABASE_URL=%s is checked: %s', (url, message) => {
    expect(shape.DATABASE_URL.safeParse(url).error?.issues.map((issue) => issue.message)).toEqual(
      message && [message],
    );
  });

  it.each([
    ['1', 10, 4000],
    ['3', 10, 1334],
    ['4', 8, 1000],
    ['8', 4, 500],
    ['64', 4, 63],
  ])('of %s processes are shares of the connections', (processes, databasePoolSize, maxConnections) => {
    expect(parseSettings({ WEB_CONCURRENCY: processes })).toMatchObject({ databasePoolSize, maxConnections });
    expect(parseSettings({ WEB_CONCURRENCY: processes, DATABASE_POOL_SIZE: '20' })).toMatchObject({
      databasePoolSize: 20,
    });
  });

  it('treat an empty variable as unset', () => {
    expect(parseSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    });
  });

  it.each([
    ['PORT', '70000'],
    ['DEMO', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['PUBLIC_URL', 'example.com'],
    ['URL_SIGNING_KEY', 'short'],
    ['SEALING_KEY', 'short'],
    ['MEDIA_URL_TTL', '0'],
    ['RATE_LIMIT_PER_MINUTE', '-1'],
    ['TRANSCRIPTION_URL', 'localhost:8000'],
    ['CHAT_URL', 'ftp://localhost/v1'],
    ['AUTO_TRANSCRIBE', 'yes'],
    ['SPEECH_LANGUAGE', 'English please'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'smtp://user@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com?requireTLS=maybe'],
    ['SMTP_URL', 'smtp://mail.example.com?tls.rejectUnauthorized=false'],
    ['MAIL_FROM', 'Acme Meetings'],
    ['MAIL_FROM', 'Acme\nBcc: eve@acme.test <a@acme.test>'],
    ['MAIL_LANGUAGE', 'fr'],
  ])('%s=%s is rejected in one line that names the setting and what it accepts', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(
      new RegExp(`^Invalid settings?:(\\n-)? ${name} must [^\\n]+(\\n- ${name} requires \\w+)?$`),
    );
  });

  it('that are invalid are named with their value, but not those that may hold a secret', () => {
    const secret = 'mrs:hunter2@localhost';
    const environment = { PORT: '70000', MEDIA_URL_TTL: '9', DATABASE_URL: secret, SEALING_KEY: 'hunter2' };
    const refused = expect(() =>
      parseSettings({ ...environment, CORS_ORIGINS: `https://me:hunter2@a.test` }),
    );
    refused.toThrow(
      /^Invalid settings:\n- PORT .*, not "70000"\n- DATABASE_URL .*\n- SEALING_KEY .*\n- MEDIA_URL_TTL .*, not "9"\n- CORS_.*$/,
    );
    refused.not.toThrow('hunter2');
  });

  it('assume English, unless a transcription server detects the language', () => {
    const server = { TRANSCRIPTION_URL: 'http://localhost:8000/v1', TRANSCRIPTION_MODEL: 'small' };
    expect(parseSettings({})).toMatchObject({
      autoTranscribe: true,
      autoSummarize: true,
      speechLanguage: 'en',
    });
    expect(parseSettings(server)).toMatchObject({ speechLanguage: 'auto' });
    expect(parseSettings({ ...server, SPEECH_LANGUAGE: 'de-CH' })).toMatchObject({ speechLanguage: 'de-CH' });
  });

  it.each(['TRANSCRIPTION', 'CHAT'])('of a model server must be set together: %s', (name) => {
    const url = { [`${name}_URL`]: 'http://localhost:8000/v1' };
    const model = { [`${name}_MODEL`]: 'small' };
    const key = { [`${name}_API_KEY`]: 'hunter2' };
    const setting = name.toLowerCase() as 'transcription' | 'chat';
    expect(parseSettings({})[setting]).toBeNull();
    expect(parseSettings({ ...url, ...model })[setting]).toEqual({
      url: 'http://localhost:8000/v1',
      model: 'small',
      apiKey: undefined,
    });
    expect(parseSettings({ ...url, ...model, ...key })[setting]).toMatchObject({ apiKey: 'hunter2' });
    expect(() => parseSettings(url)).toThrow(`Invalid setting: ${name}_URL requires ${name}_MODEL`);
    expect(() => parseSettings(key)).toThrow(new RegExp(`^Invalid setting: .*require ${name}_URL$`));
  });

  it('of mail must be set together', () => {
    const url = { SMTP_URL: 'smtps://me%40acme.test:p%40ss%3A@mail.acme.test' };
    const from = { MAIL_FROM: '"Acme, Inc." <meetings@acme.test>' };
    expect(parseSettings({})).toMatchObject({ mail: null, mailLanguage: 'en' });
    expect(parseSettings({ ...url, ...from, MAIL_LANGUAGE: 'de' })).toMatchObject({
      mail: {
        server: {
          host: 'mail.acme.test',
          port: 465,
          secure: true,
          requireTls: true,
          credentials: { user: 'me@acme.test', password: 'p@ss:' },
        },
        from: { name: 'Acme, Inc.', address: 'meetings@acme.test' },
      },
      mailLanguage: 'de',
    });
    expect(() => parseSettings(url)).toThrow('Invalid setting: SMTP_URL requires MAIL_FROM');
    expect(() => parseSettings(from)).toThrow('Invalid setting: MAIL_FROM requires SMTP_URL');
  });

  it.each([
    ['smtp://mail.acme.test', { port: 587, secure: false, requireTls: false, credentials: null }],
    ['smtp://mail.acme.test:25?requireTLS=true', { port: 25, requireTls: true }],
    ['smtp://a:b@mail.acme.test', { requireTls: true }],
    ['smtp://a:b@mail.acme.test?requireTLS=false', { requireTls: false }],
    ['smtp://[::1]:2525/', { host: '::1', port: 2525 }],
  ])('read the mail server %s', (url, server) => {
    const { mail } = parseSettings({ SMTP_URL: url, MAIL_FROM: 'meetings@acme.test' });
    expect(mail).toMatchObject({ server, from: { name: '', address: 'meetings@acme.test' } });
  });

  it('never include a secret in the error for an invalid setting', () => {
    const attempt = () =>
      parseSettings({
        DATABASE_URL: 'mysql://user:hunter2@localhost/x',
        URL_SIGNING_KEY: 'hunter2',
        SMTP_URL: 'smtp://me:hunter2@localhost/x',
      });
    expect(attempt).toThrow(/DATABASE_URL[^]*URL_SIGNING_KEY[^]*SMTP_URL/);
    expect(attempt).not.toThrow(/hunter2/);
  });
});
