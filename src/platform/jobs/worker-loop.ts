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

  protected constructor(
    private readonly channel: string,
    protected readonly notifications: NotificationsService,
    protected readonly logger: AppLogger,
  ) {}

  async start(): Promise<void> {
    this.endListening = await this.notifications.listen(this.channel, () => this.wake());
    this.timer = setInterval(() => this.wake(), ROUND_MS);
    this.wake();
  }

  /** Resolves when no round is running any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.endListening?.();
    this.again = false;
    await this.running;
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
