import { byId, copy, copyButton, icon, make, openLink } from './elements.mjs';
import { formatTime, showMail, textMessage, unsentNote } from './reader.mjs';
import { ask, callback, environment, requests } from './service.mjs';

// View of the playground with every mail and text message, newest first.

const summarize = (message) => message.subject ?? message.text.replace(/\s+/g, ' ');

let messages = [];
/** ID of the last request before the inbox was emptied. Unsent messages of this and earlier requests are not shown again. */
let emptiedAt = 0;
let open;

/** Returns the messages to a recipient that were sent since a time, newest first. */
export const messagesTo = (to, since) =>
  messages.filter((message) => !message.isUnsent && message.to === to && message.created_at >= since);

export const newMessages = (since) =>
  messages.filter((message) => !message.isUnsent && message.created_at >= since);

/** Creates buttons for the first code and the first link of a message. */
export function createQuickActions(message) {
  const quick = make('div.quick');
  for (const code of message.codes.slice(0, 1)) quick.append(copyButton('chip code', code));
  for (const link of message.links.slice(0, 1)) quick.append(openLink('chip', link));
  return quick;
}

/** Converts an unsent message to a message whose subject says why it was not sent. */
const asMessage = (unsent) => ({
  ...unsent,
  id: `unsent-${unsent.id}`,
  subject: `Not sent: ${unsent.reason}`,
  command: unsent.command && `npm run otl -- --endpoint ${location.origin} ${unsent.command}`,
  isUnsent: true,
  codes: [],
  links: [],
});

function createItem(message) {
  const pick = make(
    'button.pick',
    { type: 'button', onclick: () => read(message) },
    icon(message.channel),
    make('span.to', message.to),
    make('time.when', { dateTime: message.created_at }, formatTime(message)),
    make(message.isUnsent ? 'span.about.bad' : 'span.about', summarize(message)),
  );
  const item = make('li.item.fresh', pick, createQuickActions(message));
  item.dataset.id = message.id;
  return item;
}

function read(message) {
  open = message;
  document.body.classList.add('reading');
  for (const item of byId('list').children) item.classList.toggle('open', item.dataset.id === message.id);
  const shown = message.isUnsent ? unsentNote : message.subject === null ? textMessage : showMail;
  byId('reader').replaceChildren(shown(message));
}

function take(arrived) {
  const known = new Set(messages.map((message) => message.id));
  const fresh = arrived.filter((message) => !known.has(message.id));
  messages = [...fresh, ...messages];
  byId('list').prepend(...fresh.map(createItem));
  byId('count').textContent = `${messages.length} message${messages.length === 1 ? '' : 's'}`;
  byId('empty').hidden = messages.length > 0;
  document.querySelector('.mailbox').hidden = messages.length === 0;
  if (fresh.length > 0 && known.size > 0) byId('announcer').textContent = `New message to ${fresh[0].to}`;
  showInbox();
}

/**
 * Opens the newest message if the window has room for it next to the list. Does nothing before the inbox is visible, because a
 * mail that is rendered while hidden has no height.
 */
export function showInbox() {
  const hasRoom = !byId('view-inbox').hidden && matchMedia('(min-width: 761px)').matches;
  if (open === undefined && messages.length > 0 && hasRoom) read(messages[0]);
}

/** Adds unsent messages to the list of messages, each with the reason. */
export function takeUnsent() {
  const known = new Set(messages.map((message) => message.id));
  const arrived = requests.unsent().filter(({ id }) => id > emptiedAt && !known.has(`unsent-${id}`));
  if (arrived.length > 0) take(arrived.map(asMessage));
}

export async function refreshInbox() {
  const newest = messages.find(({ isUnsent }) => !isUnsent);
  const since = newest ? `?since=${encodeURIComponent(newest.created_at)}` : '';
  take((await ask(`messages${since}`)).messages);
}

/** Loads the inbox again from the beginning, after messages were deleted on the server. */
export async function rereadInbox() {
  messages = [];
  open = undefined;
  document.body.classList.remove('reading');
  byId('list').replaceChildren();
  byId('reader').replaceChildren();
  await refreshInbox();
}

/** Returns shell commands that log a user in at this server. */
function loginCommands({ base_url, client_id, client_secret }) {
  return `BASE=${base_url}
post() {
  curl -s "$BASE$1" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d "$2"; echo
}

# a token for the demo client
TOKEN=$(curl -s $BASE/oidc/token -d grant_type=client_credentials \\
  -d client_id=${client_id} -d client_secret=${client_secret} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# a user who can log in
post /v1/users '{"email": "ada@example.com"}'

# a magic link for them
post /v1/auth/link/email/send '{
  "identifier_type": "email",
  "identifier": "ada@example.com",
  "redirect_uri": "${callback}"
}'
`;
}

export function startInbox() {
  const snippet = loginCommands(environment);
  for (const line of snippet.split(/(?<=\n)/))
    byId('snippet').append(line.startsWith('#') ? make('span.note', line) : line);
  // Comments are removed, because some interactive shells do not accept them.
  byId('copy-snippet').onclick = (event) => copy(snippet.replace(/^#.*\n/gm, ''), event.currentTarget);
  byId('clear-inbox').onclick = async () => {
    emptiedAt = requests.last();
    await ask('messages', { method: 'DELETE' });
    await rereadInbox();
  };
}
