import { byId, copy, copyButton, factsOf, icon, make, openLink } from './elements.mjs';
import { letter, textMessage, timeOf } from './reader.mjs';

const POLL_MS = 1000;

const summaryOf = (message) => message.subject ?? message.text.replace(/\s+/g, ' ');

let messages = [];
let open;

function itemOf(message) {
  const pick = make(
    'button',
    { type: 'button', className: 'pick', onclick: () => read(message) },
    icon(message.channel),
    make('span', { className: 'to', textContent: message.to }),
    make('time', { className: 'when', dateTime: message.created_at, textContent: timeOf(message) }),
    make('span', { className: 'about', textContent: summaryOf(message) }),
  );
  const quick = make('div', { className: 'quick' });
  for (const code of message.codes.slice(0, 1)) quick.append(copyButton('chip code', code));
  for (const link of message.links.slice(0, 1)) quick.append(openLink('chip', link));
  const item = make('li', { className: 'item fresh' }, pick, quick);
  item.dataset.id = message.id;
  return item;
}

function read(message) {
  open = message;
  document.body.classList.add('reading');
  for (const item of byId('list').children) item.classList.toggle('open', item.dataset.id === message.id);
  byId('reader').replaceChildren(message.channel === 'sms' ? textMessage(message) : letter(message));
}

function take(arrived) {
  const known = new Set(messages.map((message) => message.id));
  const fresh = arrived.filter((message) => !known.has(message.id));
  messages = [...fresh, ...messages];
  byId('list').prepend(...fresh.map(itemOf));
  byId('empty').hidden = messages.length > 0;
  document.querySelector('main').hidden = messages.length === 0;
  if (fresh.length > 0 && known.size > 0) byId('announcer').textContent = `New message to ${fresh[0].to}`;
  if (fresh.length > 0 && open === undefined && matchMedia('(min-width: 761px)').matches) read(messages[0]);
}

async function poll() {
  if (document.hidden) return;
  const live = byId('live');
  try {
    const since = messages.length > 0 ? `?since=${encodeURIComponent(messages[0].created_at)}` : '';
    const [sent, clock] = await Promise.all(
      [`/_local/messages${since}`, '/_local/clock'].map(async (path) => (await fetch(path)).json()),
    );
    take(sent.messages);
    byId('clock').hidden = clock.offset_seconds === 0;
    byId('clock').textContent = `Clock +${clock.offset_seconds} s`;
    live.classList.remove('lost');
    live.lastChild.textContent = 'Live';
  } catch {
    live.classList.add('lost');
    live.lastChild.textContent = 'Server is down';
  }
}

/** The command lines that log a user in, for this server. */
function snippetOf({ base_url, client_id, client_secret, redirect_uris }) {
  const callback = redirect_uris.find((uri) => uri.endsWith('/_local/callback'));
  return `BASE=${base_url}
post() {
  curl -s "$BASE$1" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d "$2"; echo
}

# a token for the demo client
TOKEN=$(curl -s $BASE/oidc/token -d grant_type=client_credentials \\
  -d client_id=${client_id} -d client_secret=${client_secret} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# somebody who can log in
post /v1/users '{"email": "ada@example.com"}'

# a magic link for them
post /v1/auth/link/email/send '{
  "identifier_type": "email",
  "identifier": "ada@example.com",
  "redirect_uri": "${callback}"
}'
`;
}

async function showEnvironment() {
  const environment = await (await fetch('/_local/environment')).json();
  const { base_url, issuer, tenant_id, app_id, client_id, client_secret, management } = environment;
  const snippet = snippetOf(environment);
  for (const line of snippet.split(/(?<=\n)/))
    byId('snippet').append(
      line.startsWith('#') ? make('span', { className: 'note', textContent: line }) : line,
    );
  // Not every interactive shell takes comments.
  byId('copy-snippet').onclick = (event) => copy(snippet.replace(/^#.*\n/gm, ''), event.currentTarget);
  const facts = { base_url, issuer, tenant_id, app_id, client_id, client_secret };
  facts['management client_id'] = management.client_id;
  facts['management client_secret'] = management.client_secret;
  byId('environment').append(...factsOf(Object.entries(facts)).children);
}

await Promise.all([showEnvironment(), poll()]);
setInterval(poll, POLL_MS);
document.addEventListener('visibilitychange', poll);
