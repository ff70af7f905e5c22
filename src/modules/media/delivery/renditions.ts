/** A group of renditions in a multivariant playlist. */
export interface Renditions {
  /** The attribute with which a stream refers to it. */
  readonly group: string;
  /** Its lines. */
  readonly media: readonly string[];
}

const STREAM = '#EXT-X-STREAM-INF:';

/** A stored multivariant playlist with these groups for each of its streams. */
export function withRenditions(playlist: string, groups: readonly Renditions[]): string {
  const attributes = groups.map(({ group }) => `,${group}`).join('');
  return playlist
    .replace(STREAM, () => [...groups.flatMap(({ media }) => media), STREAM].join('\n'))
    .replaceAll(new RegExp(`^${STREAM}.*`, 'gm'), (stream) => stream + attributes);
}
