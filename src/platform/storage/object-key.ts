const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** Whether this can be the key of an object: nothing that leaves a folder, is hidden in it or needs escaping. */
export function isObjectKey(text: string): boolean {
  return KEY.test(text);
}

/** Throws for what is no key; that would be a mistake of ours. */
export function requireObjectKey(text: string): void {
  if (!isObjectKey(text)) throw new Error(`Not an object key: ${text}`);
}
