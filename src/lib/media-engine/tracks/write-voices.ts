import { stat } from 'node:fs/promises';
import { hearVoices, labelledTracks, streamsOf } from '../audio/choose-sound.js';
import { nameFrom, relationOf } from '../audio/who-speaks.js';
import type { MediaTool } from '../engine/media-tool.js';
import { readSource } from '../engine/source-media.js';
import {
  MAX_VOICES,
  type MediaRequest,
  type SplitVoices,
  type WorkOptions,
} from '../process/packager-messages.js';
import { inspectSource } from '../source-file.js';
import { encodedFile } from './write-mix.js';

/** Creates a file for each voice of a container; throws as `splitTracks` does. */
export async function writeVoices(
  { source }: MediaRequest,
  tool: MediaTool,
  { onProgress }: WorkOptions,
): Promise<SplitVoices> {
  const { size: bytes } = await stat(source);
  const file = await inspectSource(source);
  const media = await readSource(tool, source, bytes, file.sessions);
  const tracks = labelledTracks(media);
  if (tracks.length < 2 || relationOf(tracks, MAX_VOICES) !== 'voices') return [];
  const { voices } = await hearVoices(tool, media, bytes);
  if (voices.length < 2) return [];
  const outputs = voices.map((voice, place) => {
    const track = { video: null, audio: media.trackOf(streamsOf([voice])) };
    // A copy of a late track would begin late, which players ignore in a file of its own.
    return { ...encodedFile(file, media, track), name: `voice-${place + 1}.m4a` };
  });
  const onTime = (seconds: number) => onProgress(media.doneAt(seconds));
  await tool.convert({ inputs: media.inputs, outputs, until: media.stopAt(bytes), onTime });
  return voices.map(({ title, language }, place) => ({
    path: `voice-${place + 1}.m4a`,
    title: nameFrom(title) || null,
    language: language?.slice(0, 100) ?? null,
  }));
}
