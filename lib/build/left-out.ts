import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { phoneMetadata as metadata } from '../../shared/domain/identifiers/phone-metadata.ts';

// Modules of libraries that no function of the service reaches, 5 KB of a bundle or more each. A replacement is empty or throws,
// and test/stacks/left-out.test.ts compares what bundles answer with the whole libraries.

/**
 * Replaces what nodemailer has for mails of others: its table of file names and media types, a twelfth of the bundles that send
 * mail, its parser of headers with addresses, and its way to load attachments from the web. Mails of the service bring their
 * one attachment, name its type, and give each address apart from its name.
 */
const ownMails: Plugin = {
  name: 'own-mails',
  setup({ onLoad }) {
    onLoad({ filter: /nodemailer\/.*\/fetch\/index\.js$/ }, () => ({
      contents: `export default () => { throw new Error('A mail loads nothing.'); }`,
    }));
    onLoad({ filter: /nodemailer\/.*\/addressparser\/index\.js$/ }, () => ({
      contents: `export default () => { throw new Error('Addresses are given with their names apart.'); }`,
    }));
    onLoad({ filter: /nodemailer\/.*\/mime-types\.js$/ }, () => ({
      contents: `const refuse = () => { throw new Error('An attachment names its type.'); };
        export { refuse as detectMimeType, refuse as detectExtension };`,
    }));
  },
};

/**
 * Leaves out certificates and statements of attestation, a fifth of the bundles that verify passkeys: passkey.ts drops the
 * statement unread, so this code is never reached. One file reads ASN.1 beside them; see signature-pair.ts.
 */
const withoutAttestation: Plugin = {
  name: 'without-attestation',
  setup({ onResolve, onLoad }) {
    const unused = /^(@peculiar\/.+|reflect-metadata|.*\/(verifications|defaultRootCerts)\/.+)$/;
    onResolve({ filter: unused }, ({ path, importer }) =>
      importer.endsWith('/unwrapEC2Signature.js')
        ? { path: join(import.meta.dirname, 'signature-pair.ts') }
        : importer.includes('/@simplewebauthn/server/')
          ? { path, namespace: 'unused' }
          : undefined,
    );
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Where a country's list of formats is: https://gitlab.com/catamphetamine/libphonenumber-js/blob/master/METADATA.md */
const FORMATS = 4;

type Countries = Record<string, unknown[]>;

/**
 * Makes the custom metadata that libphonenumber-js/core takes: without the formats of printed numbers, more than half of it,
 * because the service writes E.164 only. JSON in a string is parsed at the first number and not when the bundle loads.
 */
const phoneMetadata: Plugin = {
  name: 'phone-metadata',
  setup({ onLoad }) {
    onLoad({ filter: /identifiers\/phone-metadata\.ts$/ }, () => {
      const all: { countries: Countries; nonGeographic: Countries } = structuredClone(metadata as never);
      for (const country of [...Object.values(all.countries), ...Object.values(all.nonGeographic)])
        country[FORMATS] = 0;
      const parts = Object.keys(all).map((part) => `get ${part}() { return parsed().${part}; }`);
      return {
        contents: `let all;
          const parsed = () => (all ??= JSON.parse(${JSON.stringify(JSON.stringify(all))}));
          export const phoneMetadata = { ${parts.join(', ')} };`,
      };
    });
  },
};

/**
 * No operation of the service streams events. The SDK loads this part when a stream comes, and esbuild keeps whole what is
 * loaded so, with all that it imports: most of the SDK.
 */
const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/ }, () => ({
      contents: `throw new Error('No operation streams events.');`,
    }));
  },
};

/** The SDK's clients read their version out of the whole of their package's file. */
const versionsAlone: Plugin = {
  name: 'versions-alone',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { readonly version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** Leaves out DynamoDB's discovery of endpoints: a function calls the one of its region. */
const withoutEndpointDiscovery: Plugin = {
  name: 'without-endpoint-discovery',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/middleware-endpoint-discovery\/dist-es\/index\.js$/ }, () => ({
      contents: `export const resolveEndpointDiscoveryConfig = (config) => config;
        export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};`,
    }));
  },
};

/** Leaves out the SDK's signer; see sdk-signer.ts. */
const ownSigner: Plugin = {
  name: 'own-signer',
  setup({ onResolve }) {
    onResolve({ filter: /^@smithy\/signature-v4$/ }, ({ importer }) =>
      importer.endsWith('/resolveAwsSdkSigV4Config.js')
        ? { path: join(import.meta.dirname, 'sdk-signer.ts') }
        : undefined,
    );
  },
};

export const leftOut: readonly Plugin[] = [
  ownMails,
  withoutAttestation,
  phoneMetadata,
  withoutEventStreams,
  versionsAlone,
  withoutEndpointDiscovery,
  ownSigner,
];
