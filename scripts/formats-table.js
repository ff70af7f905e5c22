const MARKS = ['<!-- formats -->', '<!-- /formats -->'];

/** Replaces the table of formats between its marks in a text. */
export function withFormatsTable(text, { containers, taken }) {
  const [before, rest] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (after === undefined) throw new Error(`The text does not contain ${MARKS.join(' ... ')}`);
  const rows = Object.entries(containers).map(([container, extensions]) => {
    const tracks = taken.filter((file) => file.container === container).flatMap(tracksOf);
    const files = extensions.map((extension) => `\`.${extension}\``).join(' ');
    const [copied, converted] = [true, false].map((copy) =>
      codecs(tracks.filter((track) => track.copied === copy)),
    );
    return `| ${container} | ${files} | ${copied} | ${converted} |`;
  });
  const head = ['| Container | Files | Copied | Converted to H.264 or AAC |', '|---|---|---|---|'];
  return `${before}${MARKS[0]}\n${[...head, ...rows].join('\n')}\n${MARKS[1]}${after}`;
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
