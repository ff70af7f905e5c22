/**
 * The version of media, from the key of one of its objects: `recordings/<recording>/<version>/...`. Every import and every
 * packaging attempt has its own.
 */
export const versionOf = (key: string): string => key.split('/')[2] ?? '';
