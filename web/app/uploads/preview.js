import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { RECORD } from '../texts/uploads.js';
import { pictureOf } from './capture.js';

/** @import { Capture } from './capture.js' */

const LEVEL_MS = 100;
/** Quieter is what a microphone has in a silent room. */
const HEARD = 0.03;

/** What is recorded, as it looks and how loud it is. @param {{ capture: Capture }} props */
export function Preview({ capture }) {
  const video = useRef(/** @type {HTMLVideoElement | null} */ (null));
  const picture = pictureOf(capture);
  useEffect(() => {
    if (video.current && picture) video.current.srcObject = new MediaStream([picture]);
  }, [picture]);
  return html`<div>
    ${picture && html`<video class="preview" ref=${video} aria-label=${t(RECORD.preview)} muted autoplay playsinline></video>`}
    ${capture.user && html`<${Meter} key=${capture.user.id} stream=${capture.user} />`}
  </div>`;
}

/** Shows that a microphone hears something. @param {{ stream: MediaStream }} props */
function Meter({ stream }) {
  const [level, setLevel] = useState(0);
  const [isHeard, setHeard] = useState(false);
  useEffect(() => {
    const audio = new AudioContext();
    const analyser = audio.createAnalyser();
    audio.createMediaStreamSource(stream).connect(analyser);
    const samples = new Uint8Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getByteTimeDomainData(samples);
      const loudest = Math.max(...samples.map((sample) => Math.abs(sample - 128))) / 128;
      setLevel(Math.sqrt(loudest));
      if (loudest > HEARD) setHeard(true);
    }, LEVEL_MS);
    return () => {
      clearInterval(timer);
      void audio.close();
    };
  }, []);
  return html`<div class="level">
    <meter min="0" max="1" value=${level} aria-label=${t(RECORD.level)}></meter>
    <p class="hint" role="status">${t(isHeard ? RECORD.heard : RECORD.silent)}</p>
  </div>`;
}
