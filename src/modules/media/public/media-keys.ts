/** The prefix of the keys of all objects of a recording. */
export const objectsOf = (recordingId: string): string => `recordings/${recordingId}/`;

/** The key of the thumbnail in a package, by the prefix of its keys. */
export const thumbnailOf = (packageKey: string): string => `${packageKey}/thumbnail.jpg`;

/**
 * The version of media, from the key of one of its objects: `recordings/<recording>/<version>/...`. Every import and
 * every packaging attempt has its own.
 */
export const versionOf = (key: string): string => key.split('/')[2] ?? '';
