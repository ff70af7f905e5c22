// The account page: leaves once the session has ended anywhere.

/** Pages may be below a path: their files are three levels down. @param {string} path */
const at = (path) => new URL(`../../../${path}`, import.meta.url).href;

const events = new EventSource(at('api/v1/events/stream'));
events.addEventListener('end', () => {
  events.close();
  location.assign(at('sign-in?to=/account'));
});
// Otherwise the page would be kept with an open stream, one of the few that a user may have.
addEventListener('pagehide', () => events.close());
