import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from './onnx.js';

const RATE = 16_000;
/** Frequency of the tone by which the models know the second person, in hertz. */
export const TONE = 7_000;

/** Frames of pyannote's segmentation model: samples of each, and from each to the next. */
const FRAME = { size: 991, shift: 270 } as const;
const WINDOW_SECONDS = 10;
const CLASSES = 7;

/** Mel bands: those of the tone, and all. */
const BANDS = { tone: [77, 78], all: 80 } as const;

/**
 * A segmentation model in the form of pyannote's. Of its classes (nobody, three speakers, and pairs of them) it knows
 * three: nobody when it is quiet, the second speaker where the tone is, otherwise the first.
 */
export function segmentationModel(): Buffer {
  const samples = WINDOW_SECONDS * RATE;
  const frames = Math.floor((samples - FRAME.size) / FRAME.shift) + 1;
  // Sine and cosine of the tone: their energy together is that of the tone in a frame of a few milliseconds.
  const length = 64;
  const wave = (phase: number): number[] =>
    Array.from({ length }, (_, index) => Math.cos((2 * Math.PI * TONE * index) / RATE + phase) / length);
  const pool = { kernel_shape: [FRAME.size], strides: [FRAME.shift] };
  const score = [[0, 0], [1, -600], [0, 600], ...Array.from({ length: CLASSES - 3 }, () => [0, 0])];
  return onnx({
    input: [1, 1, samples],
    output: [1, frames, CLASSES],
    constants: {
      waves: { shape: [2, 1, length], values: [...wave(0), ...wave(-Math.PI / 2)] },
      sum: { shape: [1, 2, 1], values: [1, 1] },
      score: { shape: [CLASSES, 2, 1], values: score.flat() },
      bias: { shape: [CLASSES], values: [2e-5, 0, 0, -1, -1, -1, -1] },
    },
    nodes: [
      { type: 'Mul', inputs: ['x', 'x'], output: 'square' },
      { type: 'AveragePool', inputs: ['square'], output: 'loudness', attributes: pool },
      { type: 'Conv', inputs: ['x', 'waves'], output: 'parts', attributes: { pads: [0, length - 1] } },
      { type: 'Mul', inputs: ['parts', 'parts'], output: 'squares' },
      { type: 'Conv', inputs: ['squares', 'sum'], output: 'energy' },
      { type: 'AveragePool', inputs: ['energy'], output: 'tone', attributes: pool },
      { type: 'Concat', inputs: ['loudness', 'tone'], output: 'both', attributes: { axis: 1 } },
      { type: 'Conv', inputs: ['both', 'score', 'bias'], output: 'scores' },
      { type: 'Transpose', inputs: ['scores'], output: 'y', attributes: { perm: [0, 2, 1] } },
    ],
    metadata: {
      sample_rate: RATE,
      window_size: samples,
      receptive_field_size: FRAME.size,
      receptive_field_shift: FRAME.shift,
      num_speakers: 3,
      powerset_max_classes: 2,
      num_classes: CLASSES,
    },
  });
}

/**
 * A speaker embedding model in the form of 3D-Speaker's. It gives opposite directions with and without the tone, whose
 * bands have an energy above one, so a logarithm above zero, only if it is there.
 */
export function embeddingModel(): Buffer {
  const weights = Array.from({ length: BANDS.all }, (_, band) => {
    const weight = band >= BANDS.tone[0] && band <= BANDS.tone[1] ? 1 / 2 : 0;
    return [weight, -weight];
  });
  return onnx({
    input: [1, 'T', BANDS.all],
    output: [1, 2],
    constants: { weights: { shape: [BANDS.all, 2], values: weights.flat() } },
    nodes: [
      { type: 'ReduceMean', inputs: ['x'], output: 'mean', attributes: { axes: [1], keepdims: 0 } },
      { type: 'Gemm', inputs: ['mean', 'weights'], output: 'y' },
    ],
    metadata: {
      framework: '3d-speaker',
      language: 'English',
      sample_rate: RATE,
      output_dim: 2,
      normalize_samples: 1,
      feature_normalize_type: '',
    },
  });
}

/** A directory with both, for `SPEECH_DIARIZATION_DIR`. */
export async function diarizationDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mrs-diarization-'));
  const folder = join(directory, 'sherpa-onnx-pyannote-segmentation-3-0');
  await mkdir(folder);
  await writeFile(join(folder, 'model.onnx'), segmentationModel());
  await writeFile(
    join(directory, '3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx'),
    embeddingModel(),
  );
  // As root, the process that loads them has another user.
  for (const path of [directory, folder]) await chmod(path, 0o755);
  return directory;
}
