import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { Client } from 'pg';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { PROMETHEUS, promtoolPath, SYSTEMD, systemdAnalyzePath } from '../support/requirements.js';

const RULES = 'deploy/prometheus/alerts.yml';
const DASHBOARDS = readdirSync('deploy/grafana').map((file) => join('deploy/grafana', file));

interface Rule {
  readonly alert: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What our own processes export, without the suffixes of the series of a histogram. */
const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\bmrs_[a-z_]+/g)].map(([name]) =>
      name.replace(/(?<=_seconds|_ratio)_(bucket|sum|count)$/, ''),
    ),
  ),
];

describe('deploy/', () => {
  it('asks only for metrics that the service exports', () => {
    const documented = metricsIn(readFileSync('docs/operations/watch.md', 'utf8'));
    const asked = metricsIn([RULES, ...DASHBOARDS].map((file) => readFileSync(file, 'utf8')).join('\n'));
    expect(asked.length).toBeGreaterThan(25);
    expect(asked.filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('says of every alert what it means and what to do, and tests it', () => {
    const { groups } = load(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
    const tests = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'action']);
      expect(tests).toContain(`alertname="${alert}"`);
    }
  });

  PROMETHEUS.it('has rules that promtool accepts, and that fire when they should', () => {
    const promtool = (...args: string[]): string =>
      execFileSync(promtoolPath!, args, { cwd: 'deploy/prometheus', encoding: 'utf8' });
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    return Promise.resolve();
  });

  it('has configurations of Traefik that are YAML', () => {
    for (const file of ['traefik.yml', 'meetings.yml'])
      expect(load(readFileSync(join('deploy/traefik', file), 'utf8'))).toEqual(expect.any(Object));
  });

  SYSTEMD.it('has units that systemd understands, and that leave little to an attacker', async () => {
    const root = await mkdtemp(join(tmpdir(), 'mrs-units-'));
    const analyze = (...args: string[]): void => {
      const said = spawnSync(systemdAnalyzePath!, [`--root=${root}`, ...args], { encoding: 'utf8' });
      expect([said.status, said.stderr]).toEqual([0, '']);
    };
    try {
      for (const [from, to] of [
        ['/usr/lib/systemd/system', 'usr/lib/systemd/system'],
        ['deploy/systemd', 'etc/systemd/system'],
        ['/bin/true', 'usr/bin/node'],
      ] as const)
        await cp(from, join(root, to), { recursive: true, verbatimSymlinks: true });
      const units = readdirSync('deploy/systemd').filter((name) => !name.endsWith('.d'));
      expect(units).toHaveLength(5);
      analyze('verify', '--man=no', ...units);
      // In tenths of systemd's level of exposure.
      for (const unit of units.filter((name) => name.startsWith('meeting-recording-')))
        analyze('security', '--offline=true', '--threshold=26', unit);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  describe('its dashboard of tenants', () => {
    let database: TestDatabase;
    let client: Client;

    beforeAll(async () => {
      database = await createDatabase();
      client = new Client({ connectionString: database.url });
      await client.connect();
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    it('asks PostgreSQL for what there is', async () => {
      const { panels } = JSON.parse(readFileSync('deploy/grafana/tenants.json', 'utf8')) as {
        panels: { targets?: { rawSql: string }[] }[];
      };
      const statements = panels.flatMap(({ targets = [] }) => targets.map(({ rawSql }) => rawSql));
      expect(statements).toHaveLength(8);
      for (const statement of statements) await client.query(statement);
    });
  });
});
