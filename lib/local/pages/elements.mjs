export const byId = (id) => document.getElementById(id);

/**
 * Creates an element with classes, optional properties and children. Strings become text nodes, never markup, so that the
 * content of a message cannot inject HTML.
 * @example
 * make('p.soft', { id: 'now' }, 'Text', make('b', 'bold'));
 */
export function make(selector, ...given) {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(' ');
  const hasProperties = given[0]?.constructor === Object;
  const [properties, children] = hasProperties ? [given[0], given.slice(1)] : [{}, given];
  for (const [name, value] of Object.entries(properties))
    if (name.includes('-') || name === 'role') element.setAttribute(name, value);
    else element[name] = value;
  element.append(...children.flatMap((child) => child ?? []));
  return element;
}

const shapes = {
  email: 'M3 6h18v12H3z M3 7l9 7 9-7',
  sms: 'M4 5h16v11H10l-5 4v-4H4z',
};
export function icon(channel) {
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

export async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.classList.add('done');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.classList.remove('done');
    button.textContent = before;
  }, 1100);
}

export const copyButton = (className, text, label) =>
  make(
    'button',
    { type: 'button', className, title: 'Copy', onclick: (event) => copy(text, event.currentTarget) },
    label ?? text,
  );
export const openLink = (className, href) =>
  make('a', { className, href, target: '_blank', rel: 'noreferrer', title: href }, 'Open link ↗');

/** Creates a description list of names and values. */
export function createFactList(facts) {
  const list = make('dl.facts');
  for (const [name, value] of facts) list.append(make('dt', name), make('dd', value));
  return list;
}

/** Splits a text into nodes: parts between backticks become `code` elements. */
export const withCode = (text) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? make('code', part) : part));

export const prettyJson = (value) => make('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));

export const button = (text, onclick, className = 'button') =>
  make('button', { type: 'button', className, onclick }, text);

/** Creates a field: a label with its input element. */
export const createField = (text, control) => make('label.field', make('span', text), control);

/** Creates a form that calls `work` on submission instead of loading another page. */
export const createForm = (selector, work, ...children) =>
  make(
    selector,
    {
      onsubmit: (event) => {
        event.preventDefault();
        void work();
      },
    },
    ...children,
  );

/** Disables a button while the work is running, so that the user cannot press the button again. */
export async function runDisabled(pressed, work) {
  pressed.disabled = true;
  try {
    return await work();
  } finally {
    pressed.disabled = false;
  }
}
