// Replaces the ASN.1 parser of @simplewebauthn/server, which makes up a fifth of the bundles that verify passkeys. The library
// parses only signatures with it: a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3). test/stacks/left-out.test.ts proves that
// both parsers accept and reject the same signatures.

const INTEGER = 0x02;
const SEQUENCE = 0x30;
/** Lowest first byte of a length in the long form (X.690 §8.1.3.5). Signatures on P-256 are short enough for the short form. */
const LONG_FORM = 0x80;

/** Reads one DER element with the expected tag. Returns its content and the bytes after it. */
function readElement(der: Uint8Array, tag: number): readonly [content: Uint8Array, rest: Uint8Array] {
  const [found, length = LONG_FORM] = der;
  if (found !== tag || length >= LONG_FORM || length > der.length - 2) throw new Error('not a signature');
  return [der.subarray(2, 2 + length), der.subarray(2 + length)];
}

const AsnParser = {
  parse(signature: Uint8Array): { readonly r: Uint8Array; readonly s: Uint8Array } {
    const [pair, after] = readElement(signature, SEQUENCE);
    const [r, others] = readElement(pair, INTEGER);
    const [s, more] = readElement(others, INTEGER);
    if (after.length + more.length > 0 || r.length === 0 || s.length === 0)
      throw new Error('not a signature');
    return { r, s };
  },
};

/** Stand-in for the schema that the library passes to its own parser. Our parser ignores it. */
const ECDSASigValue = undefined;

// The library imports the parser by these names.
export { AsnParser, ECDSASigValue };
