import { readFileSync } from 'node:fs';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

// Checks an API document with Redocly's recommended rules and Spectral's ruleset `oas`. Argument: the file of the document.

/** Accepted warnings, each with the reason. */
const KNOWN = {
  'no-ambiguous-paths':
    'API Gateway takes a literal segment before a parameter, so each address has one meaning.',
  'no-server-example.com': 'The server of this run is the local one.',
  'info-contact': 'The operator of a deployment is its contact, and the document is the same for all.',
};

const text = readFileSync(process.argv[2], 'utf8');

async function redocly() {
  const found = await lintDocument({
    document: makeDocumentFromString(text, '/openapi.json'),
    config: await createConfig({ extends: ['recommended'] }),
    externalRefResolver: new BaseResolver(),
  });
  return found.map(({ ruleId, message, location }) => [ruleId, `${location[0]?.pointer}: ${message}`]);
}

async function spectral() {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [rulesets.oas] });
  const found = await linter.run(text);
  return found.map(({ code, message, path }) => [String(code), `${path.join('.')}: ${message}`]);
}

const found = [...(await redocly()), ...(await spectral())];
for (const [rule, where] of found.filter(([rule]) => !(rule in KNOWN))) console.error(`${rule} ${where}`);
const gone = Object.keys(KNOWN).filter((known) => found.every(([rule]) => rule !== known));
for (const rule of gone) console.error(`${rule}: nothing warns of it any more, so it needs no reason`);
for (const [rule, reason] of Object.entries(KNOWN))
  console.log(`${found.filter(([each]) => each === rule).length} × ${rule}: ${reason}`);
process.exitCode = found.some(([rule]) => !(rule in KNOWN)) || gone.length > 0 ? 1 : 0;
