/** A group of renditions in a multivariant playlist. */
export interface Renditions {
  /** The attribute with which a stream refers to it. */
  readonly group: string;
  /** Only where the streams have what this matches in their playlist. */
  readonly beside?: RegExp;
  /** Its lines. */
  readonly media: readonly string[];
}

const STREAM = '#EXT-X-STREAM-INF:';

/** A stored multivariant playlist with these groups for each of its streams. */
export function withRenditions(playlist: string, all: readonly Renditions[]): string {
  const groups = all.filter(({ beside }) => beside === undefined || beside.test(playlist));
  const attributes = groups.map(({ group }) => `,${group}`).join('');
  return playlist
    .replace(STREAM, () => [...groups.flatMap(({ media }) => media), STREAM].join('\n'))
    .replaceAll(new RegExp(`^${STREAM}.*`, 'gm'), (stream) => stream + attributes);
}
