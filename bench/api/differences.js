const BEFORE = '{"data":';
const MAX_SHOWN = 5;
/** Characters of a value that are shown, and how many of them precede the difference. */
const SHOWN = 80;
const SHOWN_BEFORE = 30;

/**
 * How the yardstick's reply differs from the service's; empty when `data` matches byte for byte. The service must return
 * the yardstick's pagination fields and may return more. `passing`: URLs signed a second later would differ in the same way.
 */
export function differencesOf(serviceReply, yardstickReply) {
  const [service, yardstick] = [serviceReply, yardstickReply].map(partsOf);
  if (service.text !== yardstick.text) {
    const found = [...differences('data', service.data, yardstick.data)];
    return found.length > 0 ? found : [otherBytes(service.text, yardstick.text)];
  }
  const said = Object.keys(yardstick.pagination ?? {});
  const known = Object.fromEntries(said.map((name) => [name, service.pagination?.[name]]));
  return [...differences('pagination', known, yardstick.pagination ?? {})];
}

/** The first few as one line. */
export function inWords(found) {
  const shown = found.slice(0, MAX_SHOWN).map(({ at, what }) => `${at} ${what}`);
  if (found.length > MAX_SHOWN) shown.push(`and ${found.length - MAX_SHOWN} more`);
  return shown.join('; ');
}

/** `text`: the raw JSON of `data`. */
function partsOf(reply) {
  const { data, pagination } = JSON.parse(reply);
  const end = pagination === undefined ? -1 : reply.lastIndexOf(',"pagination":');
  return { data, pagination, text: reply.startsWith(BEFORE) ? reply.slice(BEFORE.length, end) : reply };
}

function* differences(at, service, yardstick) {
  if (isObject(service) && isObject(yardstick)) yield* ofFields(at, service, yardstick);
  else if (Array.isArray(service) && Array.isArray(yardstick)) yield* ofItems(at, service, yardstick);
  else if (!Object.is(service, yardstick)) yield otherValue(at, service, yardstick);
}

function* ofFields(at, service, yardstick) {
  for (const name of Object.keys(service)) {
    if (!(name in yardstick)) yield { at: `${at}.${name}`, what: 'is missing', passing: false };
    else yield* differences(`${at}.${name}`, service[name], yardstick[name]);
  }
  for (const name of Object.keys(yardstick)) {
    if (!(name in service))
      yield { at: `${at}.${name}`, what: 'is not in the reply of the service', passing: false };
  }
}

function* ofItems(at, service, yardstick) {
  if (service.length !== yardstick.length) {
    yield { at, what: `has length ${yardstick.length} instead of ${service.length}`, passing: false };
  }
  for (const [index, value] of service.slice(0, yardstick.length).entries()) {
    yield* differences(`${at}[${index}]`, value, yardstick[index]);
  }
}

function otherValue(at, service, yardstick) {
  const texts = [service, yardstick].map((value) => JSON.stringify(value) ?? 'nothing');
  return { at, what: excerpts(...texts), passing: true };
}

/** Equal values with other bytes: fields in another order, or numbers in another notation. */
function otherBytes(service, yardstick) {
  const what = `has the same values but different bytes: it ${excerpts(service, yardstick)}`;
  return { at: 'data', what, passing: false };
}

function excerpts(service, yardstick) {
  let place = 0;
  while (place < service.length && service[place] === yardstick[place]) place += 1;
  const from = service.length > SHOWN || yardstick.length > SHOWN ? Math.max(0, place - SHOWN_BEFORE) : 0;
  return `is ${excerpt(yardstick, from)} instead of ${excerpt(service, from)}`;
}

function excerpt(text, from) {
  const end = from + SHOWN;
  return `${from > 0 ? '...' : ''}${text.slice(from, end)}${end < text.length ? '...' : ''}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
