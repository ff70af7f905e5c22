import type { NotificationsService } from '../database/notifications.service.js';
import type { AppLogger } from '../logging/app-logger.js';

/** Some work becomes due without a notification, and notifications may be lost with their connection. */
const ROUND_MS = 1_000;

/** Rounds of work of a process, when it is notified and every second; never two at once. */
export abstract class WorkerLoop {
  private running: Promise<void> | undefined;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private endListening: (() => void) | undefined;
  private readonly flights = new Set<Promise<void>>();
  private stopping = new AbortController();

  protected constructor(
    private readonly channel: string,
    protected readonly notifications: NotificationsService,
    protected readonly logger: AppLogger,
  ) {}

  async start(): Promise<void> {
    this.stopping = new AbortController();
    this.endListening = await this.notifications.listen(this.channel, () => this.wake());
    this.timer = setInterval(() => this.wake(), ROUND_MS);
    this.wake();
  }

  /**
   * Gives up what outlives its round; another process repeats it once its lease has expired. Resolves when nothing runs any
   * more.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    this.timer = undefined;
    this.endListening?.();
    this.again = false;
    await this.running;
    await Promise.all(this.flights);
  }

  /** Aborted by a stop. */
  protected get stopSignal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Lets work, which does not throw, outlive its round; a stop waits for it. */
  protected outlive(work: Promise<void>): void {
    const flight = work.finally(() => this.flights.delete(flight));
    this.flights.add(flight);
  }

  /** If it throws, the next round tries again. */
  protected abstract round(): Promise<void>;

  /** Begins a round, or lets another one follow the one that is running. */
  protected wake(): void {
    if (!this.timer) return;
    this.again = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    while (this.again) {
      this.again = false;
      await this.round().catch((error: unknown) => {
        if (this.logger.outage(error)) return;
        this.logger.warn({ err: error, channel: this.channel }, 'A round of work failed; will retry');
      });
    }
  }
}
