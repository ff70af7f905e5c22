import type { SecretSetting } from '../config/settings.js';
import { createKeyFile, readKeyFile } from './key-file.js';

export interface Key {
  readonly secret: string;
  /** When it begins to be the current key, in milliseconds since 1970; 0: from the beginning. */
  readonly from: number;
  /** When it ends; `Infinity` until it is rotated. */
  readonly until: number;
}

const RELOAD_EVERY_MS = 1_000;

/** The current key of one secret, and the others that are still accepted. */
export class KeyRing {
  private timer: NodeJS.Timeout | undefined;

  constructor(private keys: readonly Key[]) {}

  /** Of keys that never end; the first is the current one. */
  static of(...secrets: readonly string[]): KeyRing {
    return new KeyRing(keysOf(secrets));
  }

  /** The keys in the settings, or else in the file, which is created if `create` is set. Null if there are none. */
  static async open(setting: SecretSetting, options: { readonly create: true }): Promise<KeyRing>;
  static async open(setting: SecretSetting, options: { readonly create: boolean }): Promise<KeyRing | null>;
  static async open(
    setting: SecretSetting,
    { create }: { readonly create: boolean },
  ): Promise<KeyRing | null> {
    const keys = await load(setting);
    if (keys !== null) return new KeyRing(keys);
    if (!create) return null;
    return new KeyRing([...(await createKeyFile(setting.file)), ...keysOf(setting.previous)]);
  }

  /** Newest first. */
  get all(): readonly Key[] {
    return this.keys;
  }

  get current(): Key {
    const now = Date.now();
    const current = this.keys.find(({ from, until }) => from <= now && now < until) ?? this.keys[0];
    if (current === undefined) throw new Error('A key ring needs at least one key');
    return current;
  }

  /** Picks up changes to the key file within a second, until `close`. If that fails, the previous keys stay in use. */
  follow(setting: SecretSetting, onError: (error: unknown) => void): this {
    if (setting.current !== undefined) return this;
    let failed = false;
    const reload = async (): Promise<void> => {
      try {
        const keys = await load(setting);
        if (keys === null)
          throw new Error(`${setting.file} is gone; its keys stay in use until the process ends`);
        this.keys = keys;
        failed = false;
      } catch (error) {
        // Once, not every second.
        if (!failed) onError(error);
        failed = true;
      }
    };
    this.timer = setInterval(() => void reload(), RELOAD_EVERY_MS).unref();
    return this;
  }

  close(): void {
    clearInterval(this.timer);
  }
}

async function load({ current, previous, file }: SecretSetting): Promise<readonly Key[] | null> {
  const keys = current === undefined ? await readKeyFile(file) : keysOf([current]);
  return keys && [...keys, ...keysOf(previous)];
}

function keysOf(secrets: readonly string[]): Key[] {
  return secrets.map((secret) => ({ secret, from: 0, until: Infinity }));
}
