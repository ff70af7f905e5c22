import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadAll } from 'js-yaml';

export const CHART = 'deploy/helm/meeting-recording-service';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: ReturnType<typeof JSON.parse>;
}

/** Of `.ci/kubernetes.sh`. */
const folder = (): string => process.env['MRS_TEST_KUBERNETES']!;

export const helm = (...args: string[]): string =>
  execFileSync(join(folder(), 'layer/helm/helm'), args, { encoding: 'utf8', stdio: 'pipe' });

/** The chart with these values, as a release `meetings`. */
export const render = (values: object): Manifest[] => {
  const { status, stdout, stderr } = spawnSync(
    join(folder(), 'layer/helm/helm'),
    ['template', 'meetings', CHART, '--values', '-'],
    { input: JSON.stringify(values), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return manifestsOf(stdout);
};

export const manifestsOf = (yaml: string): Manifest[] =>
  (loadAll(yaml) as (Manifest | null)[]).filter((manifest) => manifest !== null);

/** The packages with the types of these groups; Kubernetes' own have no more of a domain than `.k8s.io`. */
const packageOf = (group: string): string =>
  group === 'keda.sh'
    ? '@kubernetes-models/keda'
    : group === 'monitoring.coreos.com'
      ? '@kubernetes-models/prometheus-operator'
      : 'kubernetes-models';

/** What TypeScript finds wrong: unknown and missing fields, and values of another type. Empty if nothing is. */
export function typeErrors(manifests: readonly Manifest[]): string {
  const lines = manifests.map((manifest, nth) => {
    const { apiVersion, kind } = manifest;
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
    const type = `import('${packageOf(group)}/${apiVersion}/${kind}').I${kind}`;
    return `export const at${nth}: ${type} = ${JSON.stringify(manifest, null, 2)};`;
  });
  const file = join(folder(), `check-${process.pid}.mts`);
  writeFileSync(file, lines.join('\n'));
  try {
    const { stdout } = spawnSync(
      process.execPath,
      [
        resolve('node_modules/typescript-native/bin/tsc'),
        ...'--noEmit --strict --skipLibCheck --module nodenext --target es2023'.split(' '),
        file,
      ],
      { cwd: folder(), encoding: 'utf8' },
    );
    return stdout;
  } finally {
    rmSync(file);
  }
}
