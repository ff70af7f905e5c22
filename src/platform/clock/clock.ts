import { Injectable } from '@nestjs/common';

/** The service's only source of the current time; tests replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
