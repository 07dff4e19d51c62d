import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';

/** Variants whose templates are checked. Their resources and policies differ from those that `npm run synth` checks. */
const VARIANTS = [
  'eu in a named account and the SES sandbox',
  'eu with only the core, and with another qualifier',
  'eu with restored tables, without function URLs and gradual releases',
];

/** Findings of the AWS Solutions pack and the CloudFormation schemas, by template. Null means no findings. */
let found: Readonly<Record<string, string | null>>;

beforeAll(() => {
  // Runs the validator in a separate process, because it takes minutes in jest's process, whose heap is already large.
  const program = join(import.meta.dirname, 'support/check-templates.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...VARIANTS], {
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) throw new Error(stderr);
  found = JSON.parse(stdout) as typeof found;
}, 120_000);

test.each(VARIANTS)(
  'the templates of %s pass the AWS Solutions checks and comply with the CloudFormation schemas',
  (name) => {
    expect(found[name]).toBeNull();
  },
);

describe('errors that the checks of CloudFormation templates detect', () => {
  test('the template checks report an unknown property', () => {
    expect(found['a property that does not exist']).toContain("'Retention' was unexpected");
  });

  test('the template checks report circular dependencies between resources', () => {
    expect(found['resources that wait for each other']).toContain('Circular dependency');
  });

  test('the template checks report a policy with a wildcard permission', () => {
    expect(found['a policy for everything']).toContain('wildcard permissions');
  });

  test('the template checks accept a valid resource', () => {
    expect(found['a resource that is right']).toBeNull();
  });
});
