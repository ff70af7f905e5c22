import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS_SCHEMA } from '../../src/platform/config/settings.schema.js';
import { readCompose, type ComposeService } from '../support/compose.js';

const SECRETS = ['database_url', 'postgres_password', 's3_secret_access_key', 's3_admin_secret_access_key'];

describe('docker-compose.yml', () => {
  let text: string;
  let services: Readonly<Record<string, ComposeService>>;

  beforeAll(async () => {
    text = await readFile('docker-compose.yml', 'utf8');
    services = readCompose().services;
  });

  const containers = ['api', 'worker', 'mrs', 'postgres', 's3', 's3-volumes', 's3-setup'];

  it('has these containers', () => {
    expect(Object.keys(services)).toEqual(containers);
  });

  it.each(containers)('%s runs without privileges', (name) => {
    expect(services[name]).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.stringMatching(/^(\d+m|\$\{\w+:-\d+g\})$/),
      pids_limit: expect.any(Number),
    });
    expect(services[name]?.privileged).toBeUndefined();
  });

  it('only the container that changes the owner of volumes is root, with that capability and no network', () => {
    const root = containers.filter((name) => !/^(1000:1000|postgres)$/.test(services[name]?.user ?? ''));
    expect(root).toEqual(['s3-volumes']);
    const able = containers.filter((name) => services[name]?.cap_add);
    expect(able).toEqual(['s3-volumes']);
    expect(services['s3-volumes']).toMatchObject({
      cap_add: ['CHOWN', 'DAC_READ_SEARCH'],
      network_mode: 'none',
    });
  });

  it('publishes ports on the loopback interface only', () => {
    const ports = containers.flatMap((name) => services[name]?.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:${PORT:-3000}:3000', '127.0.0.1:7070:7070']);
  });

  it('has every secret in a file, and none in the environment of a container', () => {
    expect(Object.keys(readCompose().secrets)).toEqual(SECRETS);
    expect(text).not.toMatch(/\$\{\w*(PASSWORD|SECRET)/);
    for (const name of ['api', 'worker', 'mrs'])
      expect(services[name]?.secrets).toEqual(['database_url', 's3_secret_access_key']);
    expect(services['postgres']?.secrets).toEqual(['postgres_password']);
  });

  it('deploy/compose/secrets.sh makes them: once, from .env if it has them, kept from other users', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-compose-'));
    const make = () => execFileSync('sh', [join(folder, 'deploy', 'compose', 'secrets.sh')]);
    const read = (name: string) => readFile(join(folder, 'secrets', name), 'utf8');
    try {
      await cp('deploy/compose', join(folder, 'deploy', 'compose'), { recursive: true });
      await writeFile(join(folder, '.env'), 'PORT=3000\nPOSTGRES_PASSWORD=hunter2\n');
      make();
      const made = await Promise.all(SECRETS.map(read));
      expect(made).toEqual([
        'postgres://meetings:hunter2@postgres:5432/meetings',
        'hunter2',
        expect.stringMatching(/^[\da-f]{64}$/),
        expect.stringMatching(/^[\da-f]{64}$/),
      ]);
      expect(made[2]).not.toBe(made[3]);
      make();
      expect(await Promise.all(SECRETS.map(read))).toEqual(made);
      expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, 'secrets', 'database_url'))).mode & 0o777).toBe(0o644);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('only the S3 server and its setup have the secret of its administrator', () => {
    const able = containers.filter((name) => services[name]?.secrets?.includes('s3_admin_secret_access_key'));
    expect(able).toEqual(['s3', 's3-setup']);
  });

  it('the service is no superuser of PostgreSQL', async () => {
    expect(services['postgres']?.environment).toEqual({
      POSTGRES_PASSWORD_FILE: '/run/secrets/postgres_password',
    });
    expect(services['postgres']?.volumes).toContain(
      './deploy/compose/postgres-role.sh:/docker-entrypoint-initdb.d/role.sh:ro',
    );
  });

  it('runs the S3 server of its own unless .env has another', () => {
    const servers = (variables: Record<string, string>) =>
      ['s3', 's3-volumes', 's3-setup'].map((name) => readCompose(variables).services[name]?.scale);
    const of = (variables: Record<string, string>) => readCompose(variables).services['api']?.environment;
    expect(servers({})).toEqual([1, 1, 1]);
    expect(of({})).toMatchObject({
      S3_ENDPOINT: 'http://s3:7070',
      S3_PUBLIC_ENDPOINT: 'http://localhost:7070',
      S3_BUCKET: 'meetings',
      S3_ACCESS_KEY_ID: 'meetings',
    });
    const other = { S3_ENDPOINT: 'https://s3.test', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_BUNDLED: '0' };
    expect(servers(other)).toEqual([0, 0, 0]);
    expect(of(other)).toMatchObject({
      S3_ENDPOINT: 'https://s3.test',
      S3_PUBLIC_ENDPOINT: 'https://s3.test',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'k',
    });
    expect(of({ ...other, S3_PUBLIC_ENDPOINT: 'https://media.test' })).toMatchObject({
      S3_PUBLIC_ENDPOINT: 'https://media.test',
    });
  });

  it('checks the health of every container that stays, the API by the check of the image', () => {
    for (const name of ['worker', 'postgres', 's3'])
      expect([name, services[name]?.healthcheck?.test?.[0]]).toEqual([name, 'CMD']);
    expect(services['mrs']).toMatchObject({ healthcheck: { disable: true }, profiles: ['commands'] });
  });

  it('names images that others publish by version and digest', async () => {
    const digest = /^(\$\{\w+:-)?\w[\w/]+:v?\d+\.\d+(\.\d+)?(-\w+)*@sha256:[\da-f]{64}\}?$/;
    for (const name of ['postgres', 's3', 's3-volumes', 's3-setup'])
      expect(services[name]?.image).toMatch(digest);
    const [, base] = /^ARG NODE_IMAGE=(.+)$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
    expect(base).toMatch(digest);
  });

  it('passes every setting but those that belong to the image', () => {
    const ofTheImage = ['HOST', 'PORT', 'DATA_DIR', 'DEMO', 'FFMPEG_PATH'];
    const passed = Object.keys(services['api']?.environment ?? {}).map((name) => name.replace(/_FILE$/, ''));
    expect([...passed, ...ofTheImage].toSorted()).toEqual(Object.keys(SETTINGS_SCHEMA.shape).toSorted());
  });
});
