import type { AudioEncoder } from './media-tool.js';

/**
 * Filters that mix the sound of several inputs, which begin together. Nobody gets quieter because others are there;
 * where they are too loud together, a limiter acts.
 */
export function mixFilters(inputs: number, encoder: AudioEncoder): string {
  const mix = `amix=inputs=${inputs}:duration=longest:dropout_transition=0:normalize=0`;
  return `${mix},alimiter=level=disabled:latency=1,${encoderFormat(encoder)}`;
}

/** The filter that makes the format that the encoder takes. */
export function encoderFormat({ codec, channels }: AudioEncoder): string {
  return `aformat=sample_fmts=${codec === 'aac' ? 'fltp' : 's16'}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`;
}
