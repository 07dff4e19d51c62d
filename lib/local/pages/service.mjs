/** What the page asks of the local server. */

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

/** A call of the demo application's backend; answers with `{status, body}`. */
export const backend = (method, path, body) =>
  ask('backend', { method: 'POST', body: { method, path, body } });

export const environment = await ask('environment');
/** Logs the demo operator in and opens an application in the console. */
export const consoleOf = (appId) => `/_local/console/applications/${appId}`;
export const callback = `${location.origin}/_local/callback`;

/** Requests to the service by the order of their arrival; listeners hear of each new one. */
const KEPT = 200;
const entries = new Map();
const unsent = new Map();
/** With what says whether they still listen. */
const listeners = new Map();
let run;

function tellListeners() {
  for (const [listener, isThere] of listeners)
    if (isThere()) listener();
    else listeners.delete(listener);
}

export const requests = {
  all: () => [...entries.values()].sort((one, other) => one.arrived - other.arrived),
  /** The last one that was answered: what comes after it has a higher `id`. */
  last: () => Math.max(0, ...entries.keys()),
  /** What was not sent, with the reason, oldest first. */
  unsent: () => [...unsent.values()],
  onChange: (listener, isThere) => void listeners.set(listener, isThere),
  clear() {
    entries.clear();
    tellListeners();
  },
  async refresh() {
    const answer = await ask(`requests?since=${requests.last()}`);
    run ??= answer.run;
    // The server has started anew, perhaps with other code.
    if (run !== answer.run) location.reload();
    for (const entry of answer.requests) entries.set(entry.id, entry);
    for (const each of answer.unsent) unsent.set(each.id, each);
    for (const id of [...entries.keys()].sort((one, other) => one - other).slice(0, -KEPT))
      entries.delete(id);
    if (answer.requests.length > 0) tellListeners();
  },
};

/** Logins that left for another page, by their `state`: the callback page finds them there. */
export const journeys = {
  begin(journey) {
    localStorage.setItem(`otl:${journey.state}`, JSON.stringify(journey));
  },
  take: (state) => JSON.parse(localStorage.getItem(`otl:${state}`)),
  end(state) {
    localStorage.removeItem(`otl:${state}`);
  },
};

/** Brings the tokens of the callback page to the page that began the login. */
export const arrivals = new BroadcastChannel('otl:login');

/** A passkey is added by a user who is logged in. */
export const lastLogin = { tokens: undefined };
