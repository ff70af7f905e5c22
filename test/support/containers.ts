import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ComposeFile, ComposeService } from './compose.js';
import { Program, type Ended } from './process.js';
import { containersPath, findPrograms } from './requirements.js';

/** The tag that `.ci/image.sh` gives the image of the tests. */
export const IMAGE = 'localhost/mrs-image-test';

const isPodman = containersPath?.endsWith('podman') === true;

/** With cgroups of both versions, only this runtime works. */
const RUNTIME = isPodman && findPrograms('runc').length > 0 ? ['--runtime=runc'] : [];

export interface RunOptions {
  /** Before the arguments of the command in `docker-compose.yml`, or instead. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** One installation of `docker-compose.yml`: its containers on the network of this machine, and its volumes. */
export class Containers {
  private readonly prefix = `mrs-test-${randomBytes(4).toString('hex')}`;
  private readonly volumes = new Set<string>();
  private readonly names = new Set<string>();

  /** `folder`: where the secrets are; `ports`: instead of those in the file, which may be taken. */
  constructor(
    private readonly compose: ComposeFile,
    private readonly folder: string,
    private readonly ports: Readonly<Record<string, string>>,
  ) {}

  /** Runs a container to its end. */
  async run(service: string, { args, environment }: RunOptions = {}): Promise<Ended> {
    return (await this.launch(service, ['--rm'], { args, environment })).ended;
  }

  /** Starts a container, without waiting for what is in it. */
  async start(service: string, options: RunOptions = {}): Promise<void> {
    const name = `${this.prefix}-${service}`;
    this.names.add(name);
    const { status, stderr } = await (
      await this.launch(service, ['--detach', '--name', name], options)
    ).ended;
    if (status !== 0) throw new Error(`${service} did not start: ${stderr}`);
  }

  /** What the health check says: that of the file, or else of the image. */
  async isHealthy(service: string): Promise<boolean> {
    const [image] = JSON.parse(await done('image', 'inspect', IMAGE));
    // Podman, and Docker.
    const ofImage = image.Healthcheck ?? image.Config.Healthcheck;
    const [, ...command] = this.serviceOf(service).healthcheck?.test ?? (ofImage.Test as string[]);
    return (await this.exec(service, ...command)).status === 0;
  }

  exec(service: string, ...command: string[]): Promise<Ended> {
    return tool('exec', `${this.prefix}-${service}`, ...command).ended;
  }

  log(service: string): Promise<Ended> {
    return tool('logs', `${this.prefix}-${service}`).ended;
  }

  /** SIGTERM, as Compose stops it; returns the exit status. */
  async stop(service: string): Promise<number> {
    const name = `${this.prefix}-${service}`;
    await done('stop', '--time', '15', name);
    const status = Number(await done('inspect', '--format', '{{.State.ExitCode}}', name));
    await this.remove(name);
    return status;
  }

  async cleanUp(): Promise<void> {
    for (const name of this.names) await this.remove(name);
    for (const name of this.volumes) await done('volume', 'rm', name);
  }

  private async remove(name: string): Promise<void> {
    this.names.delete(name);
    await done('rm', '--force', name);
  }

  private serviceOf(name: string): ComposeService {
    let text = JSON.stringify(this.compose.services[name]);
    for (const [port, other] of Object.entries(this.ports)) text = text.replaceAll(port, other);
    return JSON.parse(text) as ComposeService;
  }

  private async launch(name: string, how: readonly string[], options: RunOptions): Promise<Program> {
    const service = this.serviceOf(name);
    const [entrypoint, ...first] = service.entrypoint ?? [];
    const environment = { ...service.environment, PORT: this.ports['3000'], ...options.environment };
    return tool(
      'run',
      ...how,
      '--network=host',
      // It takes systemd in Podman; the tests run the command themselves.
      '--no-healthcheck',
      ...(isPodman ? AS_DOCKER : []),
      ...(service.read_only ? ['--read-only'] : []),
      ...listed('--user', service.user),
      ...listed('--cap-drop', ...(service.cap_drop ?? [])),
      ...listed('--security-opt', ...(service.security_opt ?? [])),
      ...listed('--tmpfs', ...(service.tmpfs ?? [])),
      ...listed('--memory', service.mem_limit),
      ...listed('--pids-limit', service.pids_limit),
      ...listed('--volume', ...this.mounts(service)),
      ...listed(
        '--env',
        ...Object.entries(environment).flatMap(([key, value]) => (value ? `${key}=${value}` : [])),
      ),
      ...listed('--entrypoint', entrypoint),
      IMAGE,
      ...first,
      ...(options.args ?? service.command ?? []),
    );
  }

  private mounts({ volumes = [], secrets = [] }: ComposeService): string[] {
    const files = secrets.map(
      (name) => `${join(this.folder, this.compose.secrets[name]!.file)}:/run/secrets/${name}:ro`,
    );
    const named = volumes.map((volume) => (volume.startsWith('/') ? volume : `${this.prefix}-${volume}`));
    for (const volume of named) if (!volume.startsWith('/')) this.volumes.add(volume.split(':')[0]!);
    return [...files, ...named];
  }
}

/** Only the volumes of a read-only container are writable; the usual limits may exceed those of this machine. */
const AS_DOCKER = ['--read-only-tmpfs=false', '--ulimit=nofile=16384', '--ulimit=nproc=4096'];

const listed = (option: string, ...values: readonly (string | number | undefined)[]): string[] =>
  values.flatMap((value) => (value === undefined ? [] : [option, String(value)]));

const tool = (...args: string[]): Program =>
  new Program(spawn(containersPath!, [...RUNTIME, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));

const done = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(containersPath!, [...RUNTIME, ...args])).stdout.trim();
