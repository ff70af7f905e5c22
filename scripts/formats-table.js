/** Replaces the table of media formats between its marks in a text. */
export function withFormatsTable(text, { containers, taken }) {
  const rows = Object.entries(containers).map(([container, extensions]) => {
    const tracks = taken.filter((file) => file.container === container).flatMap(tracksOf);
    const files = extensions.map((extension) => `\`.${extension}\``).join(' ');
    const [copied, converted] = [true, false].map((copy) =>
      codecs(tracks.filter((track) => track.copied === copy)),
    );
    return [container, files, copied, converted];
  });
  return withTable(text, 'formats', ['Container', 'Files', 'Copied', 'Converted to H.264 or AAC'], rows);
}

/** Replaces a table between its marks in a text. */
export function withTable(text, name, head, rows) {
  return withPart(text, name, tableOf(head, rows));
}

export function tableOf(head, rows) {
  const [first, ...others] = [head, ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [first, `|${'---|'.repeat(head.length)}`, ...others].join('\n');
}

/** Replaces what is between the marks of this name in a text. */
export function withPart(text, name, part) {
  const marks = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = text.split(marks[0]);
  const after = rest?.split(marks[1])[1];
  if (after === undefined) throw new Error(`The text does not contain ${marks.join(' ... ')}`);
  return `${before}${marks[0]}\n${part}\n${marks[1]}${after}`;
}

/** Video first. */
function tracksOf(file) {
  return ['video', 'audio']
    .filter((track) => file[track] !== null)
    .map((track) => ({
      order: track === 'video' ? 0 : 1,
      codec: file[track],
      copied: file.copied.includes(track),
    }));
}

function codecs(tracks) {
  const ordered = tracks.toSorted((first, second) => first.order - second.order);
  return [...new Set(ordered.map(({ codec }) => codec))].join(', ');
}
