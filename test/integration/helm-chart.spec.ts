import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { SECRET_SETTINGS, SETTING_NAMES } from '../../src/platform/config/settings.schema.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { CHART, helm, manifestsOf, render, typeErrors, type Manifest } from '../support/helm.js';
import { query } from '../support/process.js';
import { KUBERNETES } from '../support/requirements.js';

const PLAIN = 'deploy/kubernetes/manifests.yaml';
/** Those that the chart sets, or that have no meaning with a database of one's own. */
const OWN = [
  'HOST',
  'PORT',
  'DATA_DIR',
  'DEMO',
  'WORKER_HEALTH_PORT',
  'METRICS_PORT',
  'METRICS_HOST',
] as const;
const GIVEN = SETTING_NAMES.filter((name) => !OWN.some((own) => own === name));

const KEYS = ['DATABASE_URL', 'URL_SIGNING_KEY', 'SEALING_KEY'];
const VALID = {
  image: { repository: 'registry.example.com/mrs' },
  existingSecret: 'meetings',
  settings: { S3_BUCKET: 'meetings' },
};
const INGRESS = {
  PUBLIC_URL: 'https://meetings.example.com',
  TRUST_PROXY: 'uniquelocal',
  S3_BUCKET: 'meetings',
};
/** Everything at once. */
const ALL = load(readFileSync('test/data/helm-values.yaml', 'utf8')) as typeof VALID;

const KINDS = (
  'Deployment Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PodDisruptionBudget ' +
  'PodDisruptionBudget ScaledObject Service Service ServiceAccount ServiceMonitor'
).split(' ');

const podOf = ({ spec }: Manifest) => spec.template.spec;
const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name)!;

describe('the Helm chart', () => {
  it('takes every setting, and none that does not exist', () => {
    const { properties } = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8')) as {
      properties: { settings: { properties: object }; secretKeys: { items: { enum: string[] } } };
    };
    expect(properties.secretKeys.items.enum).toEqual(GIVEN);
    expect(Object.keys(properties.settings.properties)).toEqual(
      GIVEN.filter((name) => !SECRET_SETTINGS.includes(name)),
    );
  });

  it('says in its plain form the names of settings that exist', () => {
    const deployments = manifestsOf(readFileSync(PLAIN, 'utf8')).filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['meetings-api', 'meetings-worker']);
    for (const deployment of deployments) {
      const names = podOf(deployment).containers[0].env.map(({ name }: { name: string }) => name);
      expect(names.filter((name: string) => !SETTING_NAMES.some((known) => known === name))).toEqual([]);
    }
  });
});

KUBERNETES.describe('the Helm chart, rendered', () => {
  let manifests: Manifest[];
  let database: TestDatabase;

  beforeAll(async () => {
    manifests = render(ALL);
    database = await createDatabase({ migrated: false });
  });
  afterAll(() => database.drop());

  it('passes the linter, and has the types of the API of Kubernetes', () => {
    expect(helm('lint', '--strict', CHART, '--values', 'deploy/kubernetes/values.yaml')).toContain(
      '0 chart(s) failed',
    );
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(KINDS);
    expect(typeErrors([...manifests, ...render(VALID)])).toBe('');
    const wrong = structuredClone(named(manifests, 'Deployment', 'meetings-api'));
    podOf(wrong).containers[0].readOnlyRootFilesystem = true;
    expect(typeErrors([wrong])).toContain(`'"readOnlyRootFilesystem"' does not exist in type 'IContainer'`);
  });

  it('is what deploy/kubernetes has', () => {
    const plain = readFileSync(PLAIN, 'utf8');
    const command = /^# {3}helm (.*)$/m.exec(plain)![1]!.split(' ');
    expect(plain.split('\n').slice(2).join('\n')).toBe(helm(...command));
  });

  it('gives every pod few rights', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podOf);
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(pod.containers[0].resources).toSorted()).toEqual(['limits', 'requests']);
    }
  });

  it('writes settings as they were given', () => {
    const { env } = podOf(named(manifests, 'Deployment', 'meetings-worker')).containers[0];
    expect(env).toEqual(
      expect.arrayContaining([
        { name: 'MAX_UPLOAD_SIZE', value: '10737418240' },
        { name: 'MCP', value: 'false' },
        { name: 'WORKER_CONCURRENCY', value: '3' },
        { name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'meetings', key: 'SMTP_URL' } } },
        { name: 'NODE_EXTRA_CA_CERTS', value: '/models/ca.crt' },
      ]),
    );
  });

  it('leaves the number of replicas to what scales them', () => {
    const replicasOf = (name: string) => named(manifests, 'Deployment', name).spec.replicas;
    expect([replicasOf('meetings-api'), replicasOf('meetings-worker')]).toEqual([undefined, undefined]);
    expect(
      render(VALID)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec.replicas),
    ).toEqual([2, 1]);
  });

  it('migrates an empty database with the command of its job, and again', async () => {
    const { command } = podOf(named(manifests, 'Job', 'meetings-migrate')).containers[0];
    const migrate = () =>
      execFileSync(command[0], command.slice(1), { env: { ...process.env, DATABASE_URL: database.url } });
    migrate();
    expect(await query(database.url, 'SELECT count(*)::int > 0 AS done FROM migrations')).toEqual([
      { done: true },
    ]);
    migrate();
  });

  const settings = (more: object) => ({ settings: { ...VALID.settings, ...more } });
  it.each<[problem: string, values: object]>([
    ["additional properties 'NO_SUCH' not allowed", settings({ NO_SUCH: 'x' })],
    ["additional properties 'DATABASE_URL' not allowed", settings({ DATABASE_URL: 'postgres://x' })],
    ["additional properties 'replica' not allowed", { api: { replica: 2 } }],
    ["at '/existingSecret': minLength", { existingSecret: '' }],
    ["at '/image/repository': minLength", { image: { repository: '' } }],
    ['secretKeys must contain DATABASE_URL', { secretKeys: ['URL_SIGNING_KEY', 'SEALING_KEY'] }],
    ['secretKeys must contain SEALING_KEY', { secretKeys: ['DATABASE_URL', 'URL_SIGNING_KEY'] }],
    ['S3_BUCKET is both in settings and in secretKeys', { secretKeys: [...KEYS, 'S3_BUCKET'] }],
    ['settings.S3_BUCKET is missing', { settings: {} }],
    ['metrics.enabled requires METRICS_TOKEN', { metrics: { enabled: true } }],
    ['METRICS_TOKEN in secretKeys has no effect', { secretKeys: [...KEYS, 'METRICS_TOKEN'] }],
    ['metrics.serviceMonitor requires metrics.enabled', { metrics: { serviceMonitor: true } }],
    ['ingress.enabled requires settings.PUBLIC_URL', { ingress: { enabled: true } }],
    [
      'ingress.enabled requires settings.TRUST_PROXY',
      { ...settings({ PUBLIC_URL: 'https://example.com' }), ingress: { enabled: true } },
    ],
    [
      'settings.PUBLIC_URL has the path /meetings',
      { settings: { ...INGRESS, PUBLIC_URL: 'https://example.com/meetings' }, ingress: { enabled: true } },
    ],
    [
      'ingress.tlsSecret requires settings.PUBLIC_URL to be https',
      {
        settings: { ...INGRESS, PUBLIC_URL: 'http://example.com' },
        ingress: { enabled: true, tlsSecret: 'tls' },
      },
    ],
    ['api.autoscaling.maxReplicas', { api: { autoscaling: { enabled: true, minReplicas: 9 } } }],
    [
      'api.autoscaling requires api.resources.requests.cpu',
      { api: { autoscaling: { enabled: true }, resources: { requests: { cpu: null } } } },
    ],
    ['worker.autoscaling requires metrics.enabled', { worker: { autoscaling: { enabled: true } } }],
    [
      'worker.autoscaling requires prometheusUrl',
      { ...ALL, worker: { autoscaling: { enabled: true, prometheusUrl: '' } } },
    ],
    ['settings.S3_ENDPOINT leads elsewhere', settings({ S3_ENDPOINT: 'http://minio:9000' })],
    ['settings.CHAT_URL leads elsewhere', settings({ CHAT_URL: 'https://chat.models.svc/v1' })],
    ['SMTP_URL leads elsewhere', { secretKeys: [...KEYS, 'SMTP_URL'] }],
  ])('refuses a contradiction: %s', (problem, values) => {
    expect(() => render({ ...VALID, ...values })).toThrow(problem);
  });

  it('takes a shared folder in place of S3, and public endpoints without more rules', () => {
    const shared = render({ ...VALID, settings: {}, dataClaim: 'data', secretKeys: ['DATABASE_URL'] });
    const api = named(shared, 'Deployment', 'meetings-api');
    expect(podOf(api).volumes[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    expect(() =>
      render({
        ...VALID,
        ...settings({ S3_ENDPOINT: 'https://s3.example.com:443', CHAT_URL: 'https://chat.example.com/v1' }),
      }),
    ).not.toThrow();
  });
});
