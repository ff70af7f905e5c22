import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { decideAccess, type AccessFacts, type RecordingAccess } from './recording-access.js';

/** The rules of this folder at the present moment. */
@Injectable()
export class Policy {
  constructor(private readonly clock: Clock) {}

  access(viewerId: string, facts: AccessFacts): RecordingAccess {
    return decideAccess(viewerId, facts, this.clock.now());
  }
}
