const SEGMENTS_PER_CHUNK = 20;

/** What is stored of segments: `speakers`, `duration`, `chunks` as a JSON list, and the `texts` that search reads. */
export function storedForm(segments) {
  const numbered = segments.map(({ start, end, text, speaker }, id) => ({
    id,
    start,
    end,
    text,
    speaker,
    confidence: 1,
  }));
  const chunks = Array.from({ length: Math.ceil(numbered.length / SEGMENTS_PER_CHUNK) }, (_, n) =>
    numbered.slice(n * SEGMENTS_PER_CHUNK, (n + 1) * SEGMENTS_PER_CHUNK),
  );
  return {
    speakers: [...new Set(segments.map(({ speaker }) => speaker))],
    duration: Math.max(...segments.map(({ end }) => end)),
    chunks: JSON.stringify(chunks),
    texts: chunks.map(textOf),
  };
}

/** A phrase may begin in one segment and end in the next; the names of speakers follow. */
function textOf(chunk) {
  const speakers = [...new Set(chunk.map(({ speaker }) => speaker))].toSorted();
  return [...chunk.map(({ text }) => text), ...speakers].join('\n');
}
