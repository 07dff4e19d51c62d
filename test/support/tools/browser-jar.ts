import { fetchFrom } from './ask-from.ts';

/** Returns the URL to which a page redirects with `<meta http-equiv="refresh">`, or undefined. */
export const readRefresh = (html: string): string | undefined => {
  const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(html) ?? [];
  return address === undefined ? undefined : unescaped(address);
};

/** Simulates a browser over HTTP without scripts: stores cookies, submits forms and follows redirects of its own origin. */
export class BrowserJar {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  /** User agent that the browser sends. The default is that of the runtime. */
  userAgent: string | undefined;
  /** IP address of the browser, in 127.0.0.0/8. Undefined if the operating system may choose the address. */
  readonly #from: string | undefined;

  constructor(origin: string, from?: string) {
    this.#origin = origin;
    this.#from = from;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** Sets a cookie with any name and value, as an attacker could. */
  put(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('accept')) headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    if (this.userAgent !== undefined) headers.set('user-agent', this.userAgent);
    const url = new URL(address, this.#origin);
    const response = await (this.#from === undefined
      ? fetch(url, { ...init, headers, redirect: 'manual' })
      : fetchFrom(this.#from, url, { ...init, headers }));
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /**
   * Opens a URL, following redirects of responses and pages on this origin. Ends at a page, or at the first URL of another
   * origin.
   */
  async open(address: string, init: RequestInit = {}): Promise<BrowserPage> {
    let response = await this.request(address, init);
    for (let hops = 0; hops < 10; hops += 1) {
      const redirect = response.headers.get('location');
      const html = redirect === null ? await response.text() : '';
      const location = redirect ?? readRefresh(html);
      if (location === undefined) return new BrowserPage(this, response, html, undefined);
      const target = new URL(location, this.#origin);
      if (target.origin !== this.#origin || target.pathname.startsWith('/_local/'))
        return new BrowserPage(this, response, '', target);
      response = await this.request(target.href);
    }
    throw new Error('too many redirects');
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const separator = pair.indexOf('=');
    const name = pair.slice(0, separator);
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(separator + 1));
  }
}

const unescaped = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

export class BrowserPage {
  readonly response: Response;
  readonly html: string;
  /** URL of another origin that the browser was redirected to. */
  readonly left: URL | undefined;
  readonly #jar: BrowserJar;

  constructor(jar: BrowserJar, response: Response, html: string, left: URL | undefined) {
    this.#jar = jar;
    this.response = response;
    this.html = html;
    this.left = left;
  }

  get status(): number {
    return this.response.status;
  }

  /** Submits the form that contains the given fields, or the form whose action ends with `actionEnds`. */
  submit(fields: Readonly<Record<string, string>>, actionEnds?: string): Promise<BrowserPage> {
    const forms = [...this.html.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
    const chosen = forms.find(([, action = '', content = '']) =>
      actionEnds === undefined
        ? Object.keys(fields).every((name) => content.includes(`name="${name}"`))
        : unescaped(action).includes(actionEnds),
    );
    if (!chosen) throw new Error(`the page has no such form:\n${this.html}`);
    const [, action = '', content = ''] = chosen;
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of content.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g))
      body.set(name, unescaped(value));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.#jar.open(unescaped(action), { method: 'POST', body });
  }
}
