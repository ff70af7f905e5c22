import type { Logger } from 'pino';

/** Milliseconds between two checks while it is away, and between two warnings. */
const PACE = { check: 1_000, warn: 60_000 };
/** Checks in a row that succeed before it is back: it may refuse only some connections. */
const STEADY = 3;

/**
 * Something that the service needs and that may be away, such as the database. However much work fails meanwhile, the log
 * of a process has an error when it goes and one when it is back, and a warning a minute in between.
 */
export class Dependency {
  private isStopped = false;
  private wake: (() => void) | undefined;
  private watching: Promise<void> | undefined;
  private refused = 0;
  private warnedAt = -Infinity;

  constructor(
    private readonly name: string,
    /** `causes`: whether an error means that it is away. `check` throws while it is. */
    private readonly options: {
      readonly causes: (error: unknown) => boolean;
      readonly check: () => Promise<unknown>;
    },
    private readonly log: Logger,
    private readonly pace = PACE,
  ) {}

  /** Whether the error means that it is away, which then is logged. `refused`: requests that failed with it. */
  explains(error: unknown, refused: number): boolean {
    if (!this.options.causes(error)) return false;
    this.refused += refused;
    if (!this.isStopped) this.watching ??= this.watch(error);
    return true;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake?.();
    await this.watching;
  }

  /** Checks it until it answers. An error of one connection, or of one statement, is a warning. */
  private async watch(first: unknown): Promise<void> {
    const { name, log } = this;
    const begun = performance.now();
    const seconds = () => Math.round((performance.now() - begun) / 1_000);
    const facts = () => ({ dependency: name, seconds: seconds(), refused: this.refused });
    let isAway = false;
    for (let answers = 0; answers < (isAway ? STEADY : 1) && !this.isStopped;) {
      const failure = await this.options.check().then(() => null, asError);
      answers = failure ? 0 : answers + 1;
      if (failure && !isAway) {
        isAway = true;
        this.warnedAt = performance.now();
        log.error({ dependency: name, err: failure }, `${name} unavailable: ${reasonOf(failure)}`);
      } else if (failure && this.mayWarn()) {
        log.warn(facts(), `${name} still unavailable: ${reasonOf(failure)}`);
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, this.pace.check).unref();
      });
    }
    if (isAway && !this.isStopped) log.error(facts(), `${name} available again`);
    else if (!isAway && this.mayWarn())
      log.warn({ ...facts(), err: first }, `${name} failed, but is available`);
    this.refused = 0;
    this.watching = undefined;
  }

  private mayWarn(): boolean {
    if (performance.now() - this.warnedAt < this.pace.warn) return false;
    this.warnedAt = performance.now();
    return true;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** A host name with several addresses causes an AggregateError without a message. */
export function reasonOf(error: unknown): string {
  const { message, code, errors = [] } = error as Error & { code?: string; errors?: readonly unknown[] };
  return message || (errors.length > 0 ? reasonOf(errors[0]) : String(code ?? error));
}
