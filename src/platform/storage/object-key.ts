const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** Whether the text is a valid object key: no path traversal, no hidden files, nothing that needs escaping. */
export const isObjectKey = (text: string): boolean => KEY.test(text);

/** Throws if the key is invalid, which would be a bug. */
export function requireObjectKey(text: string): void {
  if (!isObjectKey(text)) throw new Error(`Not an object key: ${text}`);
}
