import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { route } from '../router.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { COMMON, FRAME } from '../texts/common.js';
import { OBSTACLES, RECORD } from '../texts/uploads.js';
import { Field, Form } from '../ui/form.js';
import { PlaceFields } from '../ui/place-fields.js';
import { closeCapture, openCapture, record, soundsOf } from './capture.js';
import { destinationOf, placesToCreate } from './destination.js';
import { Preview } from './preview.js';
import { RecordingNow } from './recording-now.js';

/** @import { Capture, Devices, Kind, Session } from './capture.js' */

const KINDS = /** @type {const} */ ([
  ['screen', RECORD.screen, RECORD.screenHint],
  ['camera', RECORD.camera, RECORD.cameraHint],
  ['microphone', RECORD.microphone, RECORD.microphoneHint],
]);

/** What to do about an error of the browser. @param {unknown} error */
const obstacle = (error) => {
  const known = error instanceof DOMException ? OBSTACLES[error.name] : undefined;
  return known ? t(known) : explain(error);
};

/** Records the screen, a camera or a microphone, and sends it while it runs. */
export function View() {
  const [capture, setCapture] = useState(/** @type {Capture | null} */ (null));
  const [session, setSession] = useState(/** @type {Session | null} */ (null));
  const [problem, setProblem] = useState('');
  // Of a recording, the session closes what it records, once it has stopped.
  const unused = useRef(/** @type {Capture | null} */ (null));
  const isGone = useRef(false);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const hold = (/** @type {Capture | null} */ next) => {
    if (unused.current) closeCapture(unused.current, next);
    unused.current = next;
    setCapture(next);
  };
  useEffect(() => {
    // What had the focus is no longer there.
    if (capture) place.current?.focus();
  }, [capture !== null, session]);
  useEffect(
    () => () => {
      isGone.current = true;
      hold(null);
    },
    [],
  );
  const choose = async (/** @type {Kind} */ kind, /** @type {Devices} */ devices) => {
    setProblem('');
    try {
      const opened = await openCapture(kind, devices);
      if (isGone.current) return closeCapture(opened);
      hold(opened);
      if (opened.problem) setProblem(obstacle(opened.problem));
    } catch (error) {
      setProblem(obstacle(error));
    }
  };
  const start = (/** @type {Parameters<typeof record>[1]} */ fields) => {
    setSession(record(/** @type {Capture} */ (capture), fields));
    unused.current = null;
    setProblem('');
  };
  const over = () => {
    hold(null);
    setSession(null);
  };
  const view = session
    ? html`<${RecordingNow} session=${session} capture=${capture} onOver=${over} />`
    : capture
      ? html`<${Setup} capture=${capture} onOther=${over} onStart=${start} onChoose=${choose} />`
      : html`<${Kinds} onChoose=${choose} />`;
  return html`<${PageTitle} title=${t(FRAME.record)} />
    ${problem && html`<p class="mistake" role="alert">${problem}</p>`}
    <div ref=${place} tabindex="-1">${view}</div>`;
}

/** @param {{ onChoose: (kind: Kind) => void }} props */
function Kinds({ onChoose }) {
  return html`<h2 id="kinds">${t(RECORD.what)}</h2>
    <ul class="kinds" aria-labelledby="kinds">
      ${KINDS.map(
        ([kind, label, hint]) =>
          html`<li>
            <button class="kind" onClick=${() => onChoose(kind)}>
              <strong>${t(label)}</strong><span class="hint">${t(hint)}</span>
            </button>
          </li>`,
      )}
    </ul>
    <p class="hint">${t(RECORD.others)}</p>`;
}

/** @param {MediaStreamTrack | undefined} track */
const idOf = (track) => track?.getSettings().deviceId;

/** @param {{ capture: Capture, onChoose: (kind: Kind, devices: Devices) => void, onOther: () => void, onStart: (fields: { title: string }) => void }} props */
function Setup({ capture, onChoose, onOther, onStart }) {
  const [place, setPlace] = useState(() => destinationOf(route.value.query));
  const places = placesToCreate();
  const { data: devices = [] } = useData(() => navigator.mediaDevices.enumerateDevices(), [capture]);
  const { kind, display, user } = capture;
  const used = { camera: idOf(user?.getVideoTracks()[0]), microphone: idOf(user?.getAudioTracks()[0]) };
  const options = (/** @type {MediaDeviceKind} */ of) =>
    devices.filter((one) => one.kind === of && one.deviceId).map(({ deviceId, label }) => [deviceId, label]);
  const pick = (/** @type {keyof typeof used} */ name) => (/** @type {string} */ id) =>
    onChoose(kind, { ...used, [name]: id || null, display });
  const none = kind === 'screen' ? [['', t(RECORD.noMicrophone)]] : [];
  return html`<div class="recorder">
    <${Preview} capture=${capture} />
    <${Form}
      action=${t(RECORD.start)}
      onSubmit=${async (/** @type {Record<string, string>} */ { title }) => onStart({ title, ...place })}
    >
      <${Field}
        label=${t(RECORD.name)}
        name="title"
        maxlength="500"
        dir="auto"
        value=${t(RECORD.nameOf, { time: formatTime(new Date().toISOString()) })}
      />
      ${kind === 'camera' && html`<${Field} label=${t(RECORD.chooseCamera)} options=${options('videoinput')} value=${used.camera} onValue=${pick('camera')} />`}
      <${Field}
        label=${t(RECORD.chooseMicrophone)}
        options=${[...none, ...options('audioinput')]}
        value=${used.microphone ?? ''}
        onValue=${pick('microphone')}
      />
      ${
        places.length > 0 &&
        html`<${PlaceFields}
          place=${place}
          choices=${places}
          without=${t(COMMON.personal)}
          noFolder=${t(COMMON.noFolder)}
          onPlace=${setPlace}
        />`
      }
      ${display?.getAudioTracks().length === 0 && html`<p class="hint">${t(RECORD.noScreenSound)}</p>`}
      ${soundsOf(capture).length === 0 && html`<p class="hint">${t(RECORD.noSound)}</p>`}
      <p><button type="button" class="link" onClick=${onOther}>${t(RECORD.other)}</button></p>
    <//>
  </div>`;
}
