import { copyButton, createFactList, make, openLink } from './elements.mjs';

// Full views of one message: mail, text message or unsent message.

export const formatTime = (message) => new Date(message.created_at).toLocaleTimeString();

function messageActions(message) {
  const actions = make('div.actions');
  for (const code of message.codes.slice(0, 3)) actions.append(copyButton('bigcode', code));
  for (const link of message.links.slice(0, 3))
    actions.append(openLink('button main', link), copyButton('button', link, 'Copy link'));
  return actions;
}

const back = () =>
  make(
    'button.button.back',
    { type: 'button', onclick: () => document.body.classList.remove('reading') },
    '← All messages',
  );

export function showMail(message) {
  const address = `/_local/messages/${message.id}`;
  const body = make('div.card.mail');
  const views = {
    Mail: () => {
      const frame = make('iframe', { title: 'The mail', src: `${address}/html` });
      frame.setAttribute('sandbox', 'allow-same-origin allow-popups allow-popups-to-escape-sandbox');
      frame.onload = () => {
        frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`;
      };
      return frame;
    },
    Text: () => make('pre', message.text),
    Source: () => {
      const source = make('pre', '…');
      const fill = async () => {
        source.textContent = await (await fetch(`${address}/raw`)).text();
      };
      fill().catch(() => source.replaceChildren('The server does not answer.'));
      return source;
    },
  };
  const tabs = make('div.tabs', { role: 'tablist' });
  const show = (name) => {
    for (const tab of tabs.children) tab.setAttribute('aria-selected', String(tab.textContent === name));
    body.replaceChildren(views[name]());
  };
  for (const name of Object.keys(views))
    tabs.append(make('button', { type: 'button', role: 'tab', onclick: () => show(name) }, name));
  show(message.html === null ? 'Text' : 'Mail');
  return make(
    'article.letter',
    back(),
    make('h1', message.subject || '(no subject)'),
    createFactList([
      ['From', message.from ?? ''],
      ['To', message.to],
      ['Sent', new Date(message.created_at).toLocaleString()],
    ]),
    messageActions(message),
    tabs,
    body,
  );
}

export function textMessage(message) {
  const bubble = make('div.bubble');
  for (const part of message.text.split(/(https?:\/\/\S+)/))
    bubble.append(
      /^https?:/.test(part) ? make('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : part,
    );
  return make(
    'article.letter',
    back(),
    make('h1', `SMS to ${message.to}`),
    messageActions(message),
    make('div.card.phone', make('div.sender', `${message.from ?? 'SMS'} · ${formatTime(message)}`), bubble),
  );
}

/** Shows an unsent message with the reason and, if there is one, the command that fixes the cause. */
export function unsentNote({ to, app_id, reason, command }) {
  const facts = [
    ['To', to],
    ['Application', app_id],
    ['Why', reason],
  ];
  const remedy = [make('p.soft', 'To change that:'), make('pre.snippet', { tabIndex: 0 }, command)];
  return make(
    'article.letter',
    back(),
    make('h1', 'Not sent'),
    createFactList(facts),
    ...(command ? remedy : []),
  );
}
