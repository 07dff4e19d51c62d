/**
 * Messages of the service's one shape, a text with an HTML alternative and perhaps its logo: RFC 5322, RFC 2045 to 2047, RFC
 * 2387. Texts of headers have no line break.
 */
export interface Mime {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly date: Date;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly logo:
    | { readonly contentType: string; readonly contentId: string; readonly bytes: Uint8Array }
    | undefined;
  /** In no text: it separates the parts. */
  readonly boundary: string;
}

const CRLF = '\r\n';
/** RFC 2045 §6.7 and §6.8. */
const LINE_MAX = 76;

/** RFC 2047 §2 allows 75 characters in a word; with the name of its field it fits into a line. */
const WORD_OCTETS = 39;
/** Longer ones are encoded, which folds them. */
const PLAIN_MAX = 60;
/** RFC 5322 §3.2.3, with the single spaces between atoms. */
const PHRASE = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

const isPlain = (text: string): boolean => text.length <= PLAIN_MAX && PRINTABLE.test(text);

/** RFC 2047 §4.1, each word of whole characters (§5). */
function encodedWords(text: string): string {
  const words = [''];
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) > WORD_OCTETS) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(`${CRLF} `);
}

const unstructured = (text: string): string => (isPlain(text) ? text : encodedWords(text));

function displayName(name: string): string {
  if (!isPlain(name)) return encodedWords(name);
  return PHRASE.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

const escaped = (octet: string): string =>
  `=${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Ends lines softly, between escapes (RFC 2045 §6.7). */
function folded(line: string): string {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > LINE_MAX) {
    const escapeAt = rest.indexOf('=', LINE_MAX - 3);
    const end = escapeAt >= 0 && escapeAt < LINE_MAX - 1 ? escapeAt : LINE_MAX - 1;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest].join(`=${CRLF}`);
}

const quotedPrintable = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .split(/\r\n|\r|\n/)
    .map((line) => folded(line.replace(/[^\t\x20-\x3c\x3e-\x7e]|[\t ]$/g, escaped)))
    .join(CRLF);

const part = (headers: readonly string[], body: string): string => [...headers, '', body].join(CRLF);

const textPart = (kind: 'html' | 'plain', text: string): string =>
  part(
    [`Content-Type: text/${kind}; charset=utf-8`, 'Content-Transfer-Encoding: quoted-printable'],
    quotedPrintable(text),
  );

const multipart = (kind: string, boundary: string, parts: readonly string[]): string =>
  part(
    [`Content-Type: multipart/${kind}; boundary="${boundary}"`],
    [...parts.map((each) => `--${boundary}${CRLF}${each}`), `--${boundary}--`, ''].join(CRLF),
  );

function logoPart({ contentType, contentId, bytes }: NonNullable<Mime['logo']>): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return part(
    [
      `Content-Type: ${contentType}`,
      `Content-ID: <${contentId}>`,
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: inline',
    ],
    lines.join(CRLF),
  );
}

/** The octets of a message, with CRLF line ends. */
export function mimeMessage(mime: Mime): Uint8Array {
  const { from, to, subject, date, messageId, headers, text, html, logo, boundary } = mime;
  const page = textPart('html', html);
  const related = logo
    ? multipart('related; type="text/html"', `=_${boundary}_2`, [page, logoPart(logo)])
    : page;
  const fields = {
    ...headers,
    From: `${displayName(from.name)} <${from.address}>`,
    To: to,
    Subject: unstructured(subject),
    'Message-ID': `<${messageId}>`,
    Date: date.toUTCString().replace('GMT', '+0000'),
    'MIME-Version': '1.0',
  };
  return Buffer.from(
    [
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
      multipart('alternative', `=_${boundary}_1`, [textPart('plain', text), related]),
    ].join(CRLF),
  );
}
