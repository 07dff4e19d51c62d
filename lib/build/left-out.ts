import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { phoneMetadata as metadata } from '../../shared/domain/identifiers/phone-metadata.ts';

// Esbuild plugins that remove library modules of 5 KB or more which the service never executes. A replacement is empty or
// throws. test/stacks/left-out.test.ts compares the results of the bundles with those of the complete libraries.

/**
 * Removes features of nodemailer that our mails do not need: its parser of address headers, the download of attachments, and
 * its table of media types, which makes up a twelfth of the bundles that send mail. Our mails embed their only attachment
 * together with its media type, and pass names and addresses separately.
 */
const ownMails: Plugin = {
  name: 'own-mails',
  setup({ onLoad }) {
    onLoad({ filter: /nodemailer\/.*\/fetch\/index\.js$/ }, () => ({
      contents: `export default () => { throw new Error('Mails must not load attachments.'); }`,
    }));
    onLoad({ filter: /nodemailer\/.*\/addressparser\/index\.js$/ }, () => ({
      contents: `export default () => { throw new Error('Addresses and names must be passed separately.'); }`,
    }));
    onLoad({ filter: /nodemailer\/.*\/mime-types\.js$/ }, () => ({
      contents: `const refuse = () => { throw new Error('An attachment must name its media type.'); };
        export { refuse as detectMimeType, refuse as detectExtension };`,
    }));
  },
};

/**
 * Removes the verification of attestation statements and certificates, which makes up a fifth of the bundles that verify
 * passkeys. passkey.ts does not read the statement, so this code never runs. signature-pair.ts replaces the other ASN.1 parser.
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

/**
 * Index of the number formats in the metadata of a country:
 * https://gitlab.com/catamphetamine/libphonenumber-js/blob/master/METADATA.md
 */
const FORMATS = 4;

type Countries = Record<string, unknown[]>;

/**
 * Creates custom metadata for libphonenumber-js/core without the national number formats, which are more than half of it. The
 * service formats numbers only as E.164. The JSON is in a string, so that it is parsed when the first number is read.
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
 * Removes the AWS SDK's support for event streams, which no operation of the service uses. The SDK imports this module
 * dynamically, so esbuild would include the whole module and most of the SDK modules that it imports.
 */
const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/ }, () => ({
      contents: `throw new Error('Event streams are not supported.');`,
    }));
  },
};

/** Reduces the package.json of each AWS SDK client to its version, because the client reads nothing else from the file. */
const versionsAlone: Plugin = {
  name: 'versions-alone',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { readonly version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** Removes DynamoDB endpoint discovery, because a function calls only the endpoint of its region. */
const withoutEndpointDiscovery: Plugin = {
  name: 'without-endpoint-discovery',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/middleware-endpoint-discovery\/dist-es\/index\.js$/ }, () => ({
      contents: `export const resolveEndpointDiscoveryConfig = (config) => config;
        export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};`,
    }));
  },
};

/** Removes the AWS SDK's SHA-256 in JavaScript, which is for builds of Node.js without cryptography. */
const nativeSha256: Plugin = {
  name: 'native-sha256',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/core\/.*\/sha256\/Sha256Js\.js$/ }, () => ({
      contents: 'export const Sha256Js = undefined;',
    }));
  },
};

/** Replaces the request signer of the AWS SDK with the signer in sdk-signer.ts. */
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
  nativeSha256,
  ownSigner,
];
