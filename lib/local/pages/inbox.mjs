const POLL_MS = 1000;
const byId = (id) => document.getElementById(id);

/** An element with properties and children; texts go in as text, so a message can never become markup. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name.includes('-') || name === 'role') element.setAttribute(name, value);
    else element[name] = value;
  element.append(...children);
  return element;
}

const shapes = {
  email: 'M3 6h18v12H3z M3 7l9 7 9-7',
  sms: 'M4 5h16v11H10l-5 4v-4H4z',
};
function icon(channel) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  for (const [name, value] of Object.entries({
    d: shapes[channel],
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'stroke-linejoin': 'round',
  }))
    path.setAttribute(name, value);
  svg.append(path);
  return make('span', { className: `icon ${channel}`, 'aria-hidden': 'true' }, svg);
}

async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.classList.add('done');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.classList.remove('done');
    button.textContent = before;
  }, 1100);
}

const copyButton = (className, text, label) =>
  make('button', {
    type: 'button',
    className,
    textContent: label ?? text,
    title: 'Copy',
    onclick: (event) => copy(text, event.currentTarget),
  });
const openLink = (className, href) =>
  make('a', {
    className,
    href,
    target: '_blank',
    rel: 'noreferrer',
    textContent: 'Open link ↗',
    title: href,
  });

const timeOf = (message) => new Date(message.created_at).toLocaleTimeString();
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

function actionsOf(message) {
  const actions = make('div', { className: 'actions' });
  for (const code of message.codes.slice(0, 3)) actions.append(copyButton('bigcode', code));
  for (const link of message.links.slice(0, 3))
    actions.append(openLink('button main', link), copyButton('button', link, 'Copy link'));
  return actions;
}

const back = () =>
  make('button', {
    type: 'button',
    className: 'button back',
    textContent: '← All messages',
    onclick: () => document.body.classList.remove('reading'),
  });

function factsOf(facts) {
  const list = make('dl', { className: 'facts' });
  for (const [name, value] of facts)
    list.append(make('dt', { textContent: name }), make('dd', { textContent: value }));
  return list;
}

function letter(message) {
  const address = `/_local/messages/${message.id}`;
  const body = make('div', { className: 'card mail' });
  const views = {
    Mail: () => {
      const frame = make('iframe', { title: 'The mail', src: `${address}/html` });
      frame.setAttribute('sandbox', 'allow-same-origin allow-popups allow-popups-to-escape-sandbox');
      frame.onload = () => {
        frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`;
      };
      return frame;
    },
    Text: () => make('pre', { textContent: message.text }),
    Source: () => {
      const source = make('pre', { textContent: '…' });
      const fill = async () => {
        source.textContent = await (await fetch(`${address}/raw`)).text();
      };
      fill().catch(() => source.replaceChildren('The server does not answer.'));
      return source;
    },
  };
  const tabs = make('div', { className: 'tabs', role: 'tablist' });
  const show = (name) => {
    for (const tab of tabs.children) tab.setAttribute('aria-selected', String(tab.textContent === name));
    body.replaceChildren(views[name]());
  };
  for (const name of Object.keys(views))
    tabs.append(
      make('button', { type: 'button', role: 'tab', textContent: name, onclick: () => show(name) }),
    );
  show(message.html === null ? 'Text' : 'Mail');
  return make(
    'article',
    { className: 'letter' },
    back(),
    make('h1', { textContent: message.subject || '(no subject)' }),
    factsOf([
      ['From', message.from ?? ''],
      ['To', message.to],
      ['Sent', new Date(message.created_at).toLocaleString()],
    ]),
    actionsOf(message),
    tabs,
    body,
  );
}

function textMessage(message) {
  const bubble = make('div', { className: 'bubble' });
  for (const part of message.text.split(/(https?:\/\/\S+)/))
    bubble.append(
      /^https?:/.test(part)
        ? make('a', { href: part, target: '_blank', rel: 'noreferrer', textContent: part })
        : part,
    );
  return make(
    'article',
    { className: 'letter' },
    back(),
    make('h1', { textContent: `SMS to ${message.to}` }),
    actionsOf(message),
    make(
      'div',
      { className: 'card phone' },
      make('div', {
        className: 'sender',
        textContent: `${message.from ?? 'SMS'} · ${timeOf(message)}`,
      }),
      bubble,
    ),
  );
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

/** The command lines that log somebody in, for this server. */
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
