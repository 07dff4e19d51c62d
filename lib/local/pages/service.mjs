// Calls from the page to the local server, and the state that the views of the page share.

export async function ask(path, { method = 'GET', body } = {}) {
  const response = await fetch(`/_local/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/** Sends a request as the backend of the demo application. Returns `{status, body}` of the response. */
export const backend = (method, path, body) =>
  ask('backend', { method: 'POST', body: { method, path, body } });

export const environment = await ask('environment');
/** Returns the URL that logs the demo operator in and opens an application in the operator console. */
export const toConsoleUrl = (appId) => `/_local/console/applications/${appId}`;
export const callback = `${location.origin}/_local/callback`;

/** Maximum number of requests that the page stores. */
const KEPT = 200;
const entries = new Map();
const unsent = new Map();
/** Listeners for new requests, each with a function that returns false when the listener is no longer needed. */
const listeners = new Map();
let run;

function notifyListeners() {
  for (const [listener, isThere] of listeners)
    if (isThere()) listener();
    else listeners.delete(listener);
}

export const requests = {
  all: () => [...entries.values()].sort((one, other) => one.arrived - other.arrived),
  /** Returns the `id` of the request whose response was sent last. Later responses have a higher `id`. */
  last: () => Math.max(0, ...entries.keys()),
  /** Returns the messages that the service did not send, each with the reason, oldest first. */
  unsent: () => [...unsent.values()],
  onChange: (listener, isThere) => void listeners.set(listener, isThere),
  clear() {
    entries.clear();
    notifyListeners();
  },
  async refresh() {
    const answer = await ask(`requests?since=${requests.last()}`);
    run ??= answer.run;
    // The server was restarted, perhaps with other code.
    if (run !== answer.run) location.reload();
    for (const entry of answer.requests) entries.set(entry.id, entry);
    for (const each of answer.unsent) unsent.set(each.id, each);
    for (const id of [...entries.keys()].sort((one, other) => one - other).slice(0, -KEPT))
      entries.delete(id);
    if (answer.requests.length > 0) notifyListeners();
  },
};

/** Logins in progress, keyed by `state`. The callback page uses the `state` in its URL to find the login to complete. */
export const journeys = {
  begin(journey) {
    localStorage.setItem(`otl:${journey.state}`, JSON.stringify(journey));
  },
  take: (state) => JSON.parse(localStorage.getItem(`otl:${state}`)),
  end(state) {
    localStorage.removeItem(`otl:${state}`);
  },
};

/** Channel by which the callback page sends tokens to the page that started the login. */
export const arrivals = new BroadcastChannel('otl:login');

/** Tokens of the last login. The registration of a passkey needs its access token. */
export const lastLogin = { tokens: undefined };
