import {
  EncodedPacketSink,
  type EncodedAudioPacketSource,
  type EncodedPacket,
  type EncodedVideoPacketSource,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { MAX_JUMP_SECONDS, readable, type Pump, type Timeline } from './pumps.js';

export interface CopyOptions {
  /** The time in the input, in seconds, that becomes 0. */
  readonly start: number;
  readonly timeline: Timeline;
  /** Colour space of the frames, when the input does not specify it. */
  readonly colorSpace?: VideoColorSpaceInit;
}

/** Copies the packets of a video track, starting at its first key frame. */
export async function* copyVideo(
  track: InputVideoTrack,
  target: EncodedVideoPacketSource,
  { start, timeline, colorSpace }: CopyOptions,
): Pump {
  const config = await track.getDecoderConfig();
  const meta = { decoderConfig: config ? { ...config, ...(colorSpace && { colorSpace }) } : undefined };
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstKeyPacket({ verifyKeyPackets: true });
  if (!first) throw new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');
  let highest = -Infinity;
  for await (const packet of readable(sink.packets(first, undefined, { verifyKeyPackets: true }))) {
    const time = Math.max(0, packet.timestamp - start);
    if (time - highest > MAX_JUMP_SECONDS && highest >= 0) break;
    // A key frame may not be presented before earlier packets; an ordinary frame may.
    const type = time < highest ? 'delta' : packet.type;
    highest = Math.max(highest, time);
    await target.add(packet.clone({ timestamp: time, type, sideData: {} }), meta);
    timeline.reach(time + packet.duration);
    yield time;
  }
  target.close();
  timeline.reading--;
}

/** Copies the packets of an audio track; those before 0 are dropped, as HLS has no negative times. */
export async function* copyAudio(
  track: InputAudioTrack,
  target: EncodedAudioPacketSource,
  { start, timeline }: CopyOptions,
): Pump {
  const meta = { decoderConfig: (await track.getDecoderConfig()) ?? undefined };
  let last = 0;
  for await (const packet of readable(new EncodedPacketSink(track).packets())) {
    const time = packet.timestamp - start;
    if (time < last || isBefore(packet, start)) continue;
    if (time - last > MAX_JUMP_SECONDS) break;
    last = time;
    await target.add(packet.clone({ timestamp: time }), meta);
    timeline.reach(time + packet.duration);
    yield time;
  }
  target.close();
  timeline.reading--;
}

function isBefore(packet: EncodedPacket, start: number): boolean {
  return packet.timestamp + packet.duration <= start;
}
