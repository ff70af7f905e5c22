import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { SETTINGS_SCHEMA } from '../../src/platform/config/settings.schema.js';

interface Container {
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly mem_limit?: string;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
}

describe('docker-compose.yml', () => {
  let text: string;
  let services: Readonly<Record<string, Container>>;

  beforeAll(async () => {
    text = await readFile('docker-compose.yml', 'utf8');
    const schema = CORE_SCHEMA.withTags(mergeTag);
    services = (load(text, { schema }) as { services: Record<string, Container> }).services;
  });

  const containers = ['api', 'worker', 'postgres', 's3', 's3-volumes', 's3-setup'];

  it('has these containers', () => {
    expect(Object.keys(services)).toEqual(containers);
  });

  it.each(containers)('%s runs without privileges', (name) => {
    expect(services[name]).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.stringMatching(/^(\d+m|\$\{\w+:-\d+g\})$/),
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

  it('requires every secret, with no default', () => {
    const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g)];
    expect(new Set(secrets.map(([, name]) => name))).toEqual(
      new Set(['POSTGRES_PASSWORD', 'S3_SECRET_ACCESS_KEY', 'S3_ADMIN_SECRET_ACCESS_KEY']),
    );
    for (const [, , rest] of secrets) expect(rest).toMatch(/^:\?must be set/);
  });

  it('the service has no access to the administrator of the S3 server', () => {
    for (const name of ['api', 'worker', 'postgres']) {
      expect(JSON.stringify(services[name])).not.toContain('S3_ADMIN_SECRET_ACCESS_KEY');
    }
  });

  it('passes every setting but those that belong to the image', () => {
    const ofTheImage = ['HOST', 'PORT', 'DATA_DIR', 'DEMO', 'FFMPEG_PATH', 'S3_REGION'];
    const passed = Object.keys(services['api']?.environment ?? {});
    expect([...passed, ...ofTheImage].toSorted()).toEqual(Object.keys(SETTINGS_SCHEMA.shape).toSorted());
  });
});
