import { boundedFetch } from './bounded-fetch.js';
import type { ModelServer } from './model-client.js';

const ASK_EVERY_MS = 30_000;
const ask = boundedFetch({ milliseconds: 5_000, bytes: 1024 * 1024, retries: 0, firstWaitMs: 0 });

/** Whether a model server answers, as it did when it was last asked: nobody waits for it. */
export class ModelCheck {
  private askedAt = -Infinity;
  private problem: string | null = null;

  constructor(
    private readonly title: string,
    private readonly server: ModelServer,
  ) {}

  /** A sentence, without URL and key; null if the server answers, or has not been asked yet. */
  look(): string | null {
    if (performance.now() - this.askedAt >= ASK_EVERY_MS) {
      this.askedAt = performance.now();
      void this.find().then((problem) => (this.problem = problem && `The ${this.title} ${problem}.`));
    }
    return this.problem;
  }

  /** Lists its models, which costs nothing; not every server can do that, but each answers. */
  private async find(): Promise<string | null> {
    const { url, apiKey } = this.server;
    const headers: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {};
    try {
      const { status } = await ask(`${url.replace(/\/+$/, '')}/models`, { headers });
      if (status === 401 || status === 403) return 'rejects the API key';
      return status >= 500 ? `answers with an error (${status})` : null;
    } catch {
      return 'does not answer';
    }
  }
}
