import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { RECORD } from '../texts/uploads.js';

const LEVEL_MS = 100;
/** Quieter is what a microphone has in a silent room. */
const HEARD = 0.03;

/** What is recorded, as it looks; nothing without a picture. @param {{ track: MediaStreamTrack | undefined }} props */
export function Preview({ track }) {
  const video = useRef(/** @type {HTMLVideoElement | null} */ (null));
  useEffect(() => {
    if (video.current && track) video.current.srcObject = new MediaStream([track]);
  }, [track]);
  return track
    ? html`<video
        class="preview"
        ref=${video}
        aria-label=${t(RECORD.preview)}
        muted
        autoplay
        playsinline
      ></video>`
    : null;
}

/** Shows that a microphone hears something. @param {{ stream: MediaStream }} props */
export function Meter({ stream }) {
  const meter = useRef(/** @type {HTMLMeterElement | null} */ (null));
  const [isHeard, setHeard] = useState(false);
  useEffect(() => {
    const audio = new AudioContext();
    const analyser = audio.createAnalyser();
    audio.createMediaStreamSource(stream).connect(analyser);
    const samples = new Uint8Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getByteTimeDomainData(samples);
      const level = samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0) / 128;
      if (meter.current) meter.current.value = Math.sqrt(level);
      if (level > HEARD) setHeard(true);
    }, LEVEL_MS);
    return () => {
      clearInterval(timer);
      void audio.close();
    };
  }, []);
  return html`<div class="level">
    <meter ref=${meter} min="0" max="1" aria-label=${t(RECORD.level)}></meter>
    <p class="hint" role="status">${t(isHeard ? RECORD.heard : RECORD.silent)}</p>
  </div>`;
}
