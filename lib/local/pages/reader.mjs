import { copyButton, factsOf, make, openLink } from './elements.mjs';

/** How one message is shown in full. */

export const timeOf = (message) => new Date(message.created_at).toLocaleTimeString();

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

export function letter(message) {
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

export function textMessage(message) {
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
