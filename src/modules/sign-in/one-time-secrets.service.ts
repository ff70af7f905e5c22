import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { MINUTE_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { hashSecret, randomBase62 } from '../../platform/secrets/secrets.js';
import { OneTimeSecret, type SecretPurpose } from './entities/one-time-secret.entity.js';

interface NewSecret {
  readonly purpose: SecretPurpose;
  readonly minutes: number;
  readonly userId?: string;
  readonly details?: object;
  /** Given for one that is not random, such as a challenge. */
  readonly secret?: string;
}

/** Issues secrets that work once, in any process. */
@Injectable()
export class OneTimeSecretsService {
  constructor(
    @InjectRepository(OneTimeSecret) private readonly secrets: Repository<OneTimeSecret>,
    private readonly clock: Clock,
  ) {}

  /** Returns the secret. Deletes those that have expired. */
  async issue(
    { purpose, minutes, userId, details, secret = randomBase62() }: NewSecret,
    manager = this.secrets.manager,
  ): Promise<string> {
    const now = this.clock.now();
    const secrets = manager.getRepository(OneTimeSecret);
    await secrets.delete({ expiresAt: LessThan(now) });
    await secrets.insert({
      hash: hashSecret(secret),
      purpose,
      userId: userId ?? null,
      details: details ?? {},
      expiresAt: new Date(now.getTime() + minutes * MINUTE_MS),
    });
    return secret;
  }

  /** Returns a secret that still works; it keeps working. */
  async find(purpose: SecretPurpose, secret: string): Promise<OneTimeSecret | null> {
    const found = await this.secrets.findOneBy({ hash: hashSecret(secret), purpose });
    return found && found.expiresAt > this.clock.now() ? found : null;
  }

  /** Takes a secret: of two simultaneous requests, only one gets it. Null if it does not work, or no longer. */
  async take(purpose: SecretPurpose, secret: string): Promise<OneTimeSecret | null> {
    const found = await this.find(purpose, secret);
    const { affected } = await this.secrets.delete({ hash: hashSecret(secret), purpose });
    return affected === 1 ? found : null;
  }
}
