import { Injectable } from '@nestjs/common';

/** The service's only source of the present moment; tests set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
