import type { ExtractedAudio } from '../media-engine/media-engine.js';
import type { DiarizationModel } from './diarization-model.js';
import { SpeechChild } from './speech-child.js';
import type { HearingOptions } from './speech.js';
import type { Turn } from './speech-messages.js';

/**
 * Diarization: takes a mix of voices and the models of `diarization-model.ts`, and tells who speaks when. It works in a
 * confined child process with sherpa-onnx, which is all that ever knows what is characteristic of a voice.
 */
export class Diarization {
  private readonly child = new SpeechChild();

  constructor(
    private readonly model: DiarizationModel,
    private readonly threads: number,
  ) {}

  /** Ends the process if there is one. */
  stop(): Promise<void> {
    return this.child.stop();
  }

  /** Returns the turns in order; throws if the models cannot be loaded, or the process dies. */
  async turnsIn(
    { path }: ExtractedAudio,
    { folder, signal }: Pick<HearingOptions, 'folder' | 'signal'>,
  ): Promise<readonly Turn[]> {
    let turns: readonly Turn[] = [];
    const { model, threads } = this;
    await this.child.run(
      { task: 'diarize', folder, model, threads, voices: [{ path, from: 0 }] },
      {
        signal,
        mayFinishPassage: () => false,
        onResult: (result) => {
          if (result.kind === 'turns') turns = result.turns;
        },
      },
    );
    return turns;
  }
}
