// Replaces the ASN.1 parser of @simplewebauthn/server, a fifth of the bundles that verify passkeys. The library parses only
// signatures with it: a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3). test/stacks/left-out.test.ts proves that both accept
// and refuse the same signatures.

const INTEGER = 0x02;
const SEQUENCE = 0x30;
/** From here on, a length takes bytes of its own: signatures on P-256 are shorter (X.690 §8.1.3). */
const LONG_FORM = 0x80;

/** Reads what is under the tag; the rest follows it. */
function taken(der: Uint8Array, tag: number): readonly [content: Uint8Array, rest: Uint8Array] {
  const [found, length = LONG_FORM] = der;
  if (found !== tag || length >= LONG_FORM || length > der.length - 2) throw new Error('not a signature');
  return [der.subarray(2, 2 + length), der.subarray(2 + length)];
}

const AsnParser = {
  parse(signature: Uint8Array): { readonly r: Uint8Array; readonly s: Uint8Array } {
    const [pair, after] = taken(signature, SEQUENCE);
    const [r, others] = taken(pair, INTEGER);
    const [s, more] = taken(others, INTEGER);
    if (after.length + more.length > 0 || r.length === 0 || s.length === 0)
      throw new Error('not a signature');
    return { r, s };
  },
};

/** Names to that parser what it reads. */
const ECDSASigValue = undefined;

/** The names that the library imports. */
export { AsnParser, ECDSASigValue };
