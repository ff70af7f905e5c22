import {
  AudioSample,
  AudioSampleSink,
  VideoSampleSink,
  type AudioSampleSource,
  type InputAudioTrack,
  type InputVideoTrack,
  type VideoSample,
  type VideoSampleSource,
} from 'mediabunny';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { MAX_AUDIO_DRIFT, MAX_JUMP_SECONDS, readable, type Pump, type Timeline } from './pumps.js';

/** A frame that lasts longer is repeated, so that there are key frames to seek to and segments of even length. */
const REPEAT_SECONDS = 1;
/** Frames beyond 250 per second are dropped; some recorders write the same frame twice. */
const MIN_FRAME_SECONDS = 0.004;
const USUAL_FRAME_SECONDS = 1 / 30;
const WAIT_SECONDS = 0.001;

/** Pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

type Shape = Pick<AudioSample, 'sampleRate' | 'numberOfChannels'>;

export interface EncodeOptions {
  /** The time in the input, in seconds, that becomes 0. */
  readonly start: number;
  readonly timeline: Timeline;
}

/**
 * Decodes and re-encodes a video track. The first frame is shown from 0 on; the last one fills gaps, and the end while
 * other tracks continue.
 */
export async function* encodeVideo(
  track: InputVideoTrack,
  target: VideoSampleSource,
  { start, timeline, width, height }: EncodeOptions & Size,
): Pump {
  let shown: VideoSample | null = null;
  let time = 0;
  let end = 0;
  let frame = USUAL_FRAME_SECONDS;

  async function* showUntil(picture: VideoSample, until: number): Pump {
    timeline.requireAllowed(until);
    while (until - time > REPEAT_SECONDS) {
      time += REPEAT_SECONDS;
      // No further than requested: otherwise the other tracks would have to catch up, and this one with them again.
      const duration = Math.min(REPEAT_SECONDS, until - time);
      await addPicture(target, picture, time, duration);
      end = time + duration;
      timeline.reach(end);
      yield time;
    }
  }

  try {
    for await (const sample of readable(new VideoSampleSink(track).samples())) {
      const at = sample.timestamp - start;
      const tooEarly = shown ? at - time < MIN_FRAME_SECONDS : at + sample.duration <= 0;
      if (tooEarly || at - time > MAX_JUMP_SECONDS) {
        sample.close();
        if (tooEarly) continue;
        break;
      }
      if (shown) {
        frame = Math.min(REPEAT_SECONDS, at - time);
        yield* showUntil(shown, at);
        shown.close();
        time = at;
      }
      // The last frame often has no duration.
      const duration = sample.duration > 0 ? sample.duration : frame;
      shown = await upright(sample, { width, height });
      await addPicture(target, shown, time, duration);
      if (time < at) {
        // The first frame comes late: it is shown from the beginning.
        yield* showUntil(shown, at);
      }
      end = time + duration;
      timeline.reach(end);
      yield time;
    }
    timeline.reading--;
    if (!shown) throw new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');
    for await (const until of otherTracks(timeline, () => time)) {
      yield* showUntil(shown, until);
      yield until + WAIT_SECONDS;
    }
    // The remainder is shorter than one repetition.
    if (timeline.reached - end > MIN_FRAME_SECONDS && timeline.reached - time > MIN_FRAME_SECONDS) {
      await addPicture(target, shown, Math.max(end, time + MIN_FRAME_SECONDS), timeline.reached - end);
    }
  } finally {
    (shown as VideoSample | null)?.close();
    target.close();
  }
}

/**
 * Decodes and re-encodes an audio track as one continuous stretch, because the encoder counts samples and knows no times:
 * gaps, a late start and an early end become silence, and overlaps are cut.
 */
export async function* encodeAudio(
  track: InputAudioTrack,
  target: AudioSampleSource,
  { start, timeline }: EncodeOptions,
): Pump {
  let shape: Shape | null = null;
  let time = 0;

  async function* silenceUntil({ sampleRate, numberOfChannels }: Shape, until: number): Pump {
    timeline.requireAllowed(until);
    while (until - time > MAX_AUDIO_DRIFT) {
      const frames = Math.ceil(Math.min(1, until - time) * sampleRate);
      const data = new Float32Array(frames * numberOfChannels);
      using silence = new AudioSample({ data, format: 'f32', sampleRate, numberOfChannels, timestamp: time });
      await target.add(silence);
      time += frames / sampleRate;
      timeline.reach(time);
      yield time;
    }
  }

  try {
    for await (const sample of readable(new AudioSampleSink(track).samples())) {
      using decoded = sample;
      const at = decoded.timestamp - start;
      if (at - time > MAX_JUMP_SECONDS) break;
      shape ??= { sampleRate: decoded.sampleRate, numberOfChannels: decoded.numberOfChannels };
      // Some files change format midway; the encoder cannot.
      if (decoded.sampleRate !== shape.sampleRate || decoded.numberOfChannels !== shape.numberOfChannels)
        continue;
      yield* silenceUntil(shape, at);
      const surplus = time - at > MAX_AUDIO_DRIFT ? Math.round((time - at) * decoded.sampleRate) : 0;
      if (surplus >= decoded.numberOfFrames) continue;
      using kept = surplus > 0 ? decoded.trim(surplus) : decoded.clone();
      kept.setTimestamp(time);
      await target.add(kept);
      time += kept.duration;
      timeline.reach(time);
      yield time;
    }
    timeline.reading--;
    // Even if nothing could be decoded, the output needs the track.
    shape ??= { sampleRate: 48_000, numberOfChannels: 1 };
    for await (const until of otherTracks(timeline, () => time)) {
      yield* silenceUntil(shape, until);
      yield until + WAIT_SECONDS;
    }
  } finally {
    target.close();
  }
}

/** The times to pad to while other tracks still have input, and the final one once they have ended. */
async function* otherTracks(timeline: Timeline, time: () => number): AsyncGenerator<number, void> {
  while (timeline.reading > 0) yield Math.max(time(), timeline.reached);
  yield Math.max(time(), timeline.reached);
}

/**
 * The frame in its final size, with rotation and mirroring applied. Takes ownership of the sample: it is either returned
 * or closed. (`transform` empties the sample's frame, clones included, and costs as much as encoding.)
 */
async function upright(sample: VideoSample, { width, height }: Size): Promise<VideoSample> {
  const fits = sample.codedWidth === width && sample.codedHeight === height;
  const plain = sample.displayWidth === width && sample.displayHeight === height;
  if (fits && plain && sample.rotation === 0 && !sample.flip) return sample;
  try {
    // `contain`, because a shared window may be resized while it is recorded.
    return await sample.transform({ width, height, fit: 'contain', alpha: 'discard' });
  } finally {
    sample.close();
  }
}

async function addPicture(
  target: VideoSampleSource,
  picture: VideoSample,
  time: number,
  duration: number,
): Promise<void> {
  using copy = picture.clone();
  copy.setTimestamp(time);
  copy.setDuration(duration);
  await target.add(copy);
}
