import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';

/** The address that clients reach the service at; every link is built from it. */
@Injectable()
export class PublicUrl {
  private port: number;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    this.port = settings.port;
  }

  /** The port that was really taken, known once the server listens (`PORT=0`). */
  setPort(port: number): void {
    this.port = port;
  }

  get base(): string {
    return this.settings.publicUrl ?? `http://localhost:${this.port}`;
  }

  /** The path that all addresses start with; empty where the service has a host of its own. Pages use it, as they may be opened by another name of the host. */
  get path(): string {
    return new URL(this.base).pathname.replace(/\/$/, '');
  }

  get isSecure(): boolean {
    return this.base.startsWith('https:');
  }

  /** An absolute address for a path that starts with a slash. */
  of(path: string): string {
    return this.base + path;
  }
}
