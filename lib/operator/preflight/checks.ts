import { toQualifier } from '../../stacks/environments/environment.ts';
import { missingDomains } from '../../stacks/environments/operator-settings.ts';
import { type Checks, fail, ok, warn } from '../doctor/verdict.ts';
import type { PreflightFacts } from './facts.ts';

/** Region of the certificates. CloudFront uses only certificates from this region. */
const CERTIFICATE_REGION = 'us-east-1';
/** Oldest version of the bootstrap stack that templates of this CDK version accept. */
const BOOTSTRAP_VERSION_MIN = 6;
/** Names of Amazon's certificate authority in CAA records ("(Optional) Configure a CAA record", AWS Certificate Manager). */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];

const variable = (setting: string, { environment }: PreflightFacts): string =>
  `OTL_${setting}_${environment.name.toUpperCase()}`;

export const firstChecks: Checks<PreflightFacts> = {
  /** Checks the domain settings of the environment without calling AWS. */
  async domain({ environment }) {
    const missing = missingDomains(environment);
    if (missing === undefined) return ok(`${environment.domain}, mail from ${environment.mail.from}`);
    const [why = missing, commands = ''] = missing.split(/: (?=export )/);
    return fail(
      why,
      'Tokens and passkeys name the domain, so it can never change once there is a tenant.',
      commands.replaceAll('; ', '\n'),
    );
  },
  /** Checks the AWS credentials first, because no other check works without them. */
  async credentials({ caller }) {
    try {
      return ok((await caller()).arn);
    } catch (error) {
      return fail(
        `there are no valid AWS credentials (${error instanceof Error ? error.name : typeof error})`,
        'Log in, or name a profile with AWS_PROFILE.',
        'aws sts get-caller-identity',
      );
    }
  },
};

/**
 * Returns the qualifiers that have a bootstrap stack in each of the regions. Returns none if the caller may not list parameters.
 */
async function findQualifiers(
  { bootstrapQualifiers }: PreflightFacts,
  regions: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    regions.map((region) => bootstrapQualifiers(region).catch((): readonly string[] => [])),
  );
  const [first = [], ...others] = found;
  return first.filter((qualifier) => others.every((other) => other.includes(qualifier)));
}

export const preflightChecks: Checks<PreflightFacts> = {
  async account(facts) {
    const { account } = await facts.caller();
    const wanted = facts.environment.account;
    const named = variable('ACCOUNT', facts);
    if (wanted === undefined)
      return warn(
        `${account}, from the AWS credentials`,
        'Name the account, so that other credentials cannot deploy to another one.',
        `export ${named}=${account}`,
      );
    if (wanted === account) return ok(`${account} in ${facts.region}`);
    return fail(
      `the credentials belong to ${account}, but ${named} is ${wanted}`,
      'Use credentials of the account of the environment.',
    );
  },
  async bootstrap(facts) {
    const { caller, bootstrapVersion, region, environment } = facts;
    const { copyRegion = region, qualifier } = environment;
    const { account } = await caller();
    const regions = [...new Set([region, CERTIFICATE_REGION, copyRegion])];
    const versions = await Promise.all(
      regions.map(async (each) => [each, await bootstrapVersion(each)] as const),
    );
    const old = versions.filter(([, version = 0]) => version < BOOTSTRAP_VERSION_MIN);
    const said = ([each, version]: (typeof versions)[number]) =>
      version === undefined ? `${each}: none` : `${each}: version ${version}`;
    if (old.length === 0) return ok(versions.map(said).join(', '));
    const [other, ...more] = versions.some(([, version]) => version !== undefined)
      ? []
      : await findQualifiers(facts, regions);
    if (other !== undefined && more.length === 0)
      return fail(
        `the bootstrap stacks of CDK have the qualifier ${other}, not ${toQualifier(environment)}`,
        `Set ${variable('QUALIFIER', facts)}, or create bootstrap stacks with your qualifier.`,
        `export ${variable('QUALIFIER', facts)}=${other}`,
      );
    const known = other === undefined ? '' : ` Existing qualifiers: ${[other, ...more].join(', ')}.`;
    const hint =
      qualifier === undefined
        ? `If your bootstrap stacks have their own qualifier, set ${variable('QUALIFIER', facts)}.${known}`
        : `${variable('QUALIFIER', facts)} is ${qualifier}.${known}`;
    const named =
      qualifier === undefined ? '' : ` --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier}`;
    return fail(
      `CDK's bootstrap stack is missing or too old: ${old.map(said).join(', ')}`,
      `CDK deploys through it. The certificate is created in ${CERTIFICATE_REGION}. ${hint}`,
      `npx cdk bootstrap ${old.map(([each]) => `aws://${account}/${each}`).join(' ')}${named}`,
    );
  },
  async zone(facts) {
    const { environment, zone, ns } = facts;
    const { hostedZone, domain } = environment;
    if (hostedZone === undefined)
      return warn(
        'no hosted zone is named, so you must create the DNS records yourself',
        `The deployment shows the record of the certificate and waits for it. If the zone is in Route 53, set ${variable('ZONE', facts)}.`,
      );
    const { id, name } = hostedZone;
    const found = await zone(id);
    if (found === undefined)
      return fail(
        `this account has no hosted zone ${id}`,
        `Look up its ID and set ${variable('ZONE', facts)}.`,
        'aws route53 list-hosted-zones',
      );
    if (found.name !== name || found.isPrivate)
      return fail(
        `${id} is the ${found.isPrivate ? 'private ' : ''}zone of ${found.name}, not the public one of ${name}`,
        `Name the public zone of ${name} in ${variable('ZONE', facts)}.`,
        'aws route53 list-hosted-zones',
      );
    if (domain !== name && !domain.endsWith(`.${name}`))
      return fail(`${domain} is not in the zone ${name}`, `Name its own zone in ${variable('ZONE', facts)}.`);
    const servers = await ns(name);
    if (servers.some((server) => found.nameServers.includes(server)))
      return ok(`${name}, delegated to ${servers.join(', ')}`);
    return fail(
      servers.length === 0
        ? `${name} is delegated to no name server`
        : `${name} is delegated to ${servers.join(', ')}, not to this zone`,
      `The certificate would never be issued. Set these name servers at the registrar, or in the parent zone: ${found.nameServers.join(', ')}.`,
    );
  },
  async certificate({ environment, caa }) {
    const labels = environment.domain.split('.');
    // The domain itself or its closest parent with CAA records decides (RFC 8659 §3).
    for (let from = 0; from < labels.length - 1; from += 1) {
      const name = labels.slice(from).join('.');
      const issuers = await caa(name);
      if (!issuers) continue;
      // CAA records without `issue`, such as `iodef`, do not forbid issuing.
      const allowed =
        issuers.length === 0 || issuers.some((issuer) => AMAZON.includes(issuer.split(';')[0]?.trim() ?? ''));
      if (allowed) return ok(`will be created in ${CERTIFICATE_REGION}; CAA of ${name} allows Amazon`);
      return fail(
        `CAA of ${name} allows only ${issuers.join(', ')}`,
        `Publish CAA 0 issue "amazon.com" at ${name}. Without it AWS issues no certificate.`,
      );
    }
    return ok(`will be created in ${CERTIFICATE_REGION}; no CAA record forbids it`);
  },
  async cloudfront({ answers, environment }) {
    if (await answers()) return ok(`${environment.domain} responds`);
    return warn(
      'AWS does not say whether it has verified this account for CloudFront',
      `AWS may reject a new account ("Your account must be verified before you can add new CloudFront resources"). Then open a support case (Account and billing) with that text, and deploy otl-${environment.name}-edge again.`,
    );
  },
  async 'function-urls'(facts) {
    if (facts.environment.functionUrls === 'off') return ok('no function is public');
    const policy = await facts.policyAgainstFunctionUrls();
    if (policy === undefined) return ok('no policy forbids public function URLs');
    return fail(
      `a ${policy} forbids public function URLs`,
      'The deployment would fail. Send the requests of browsers through the HTTP API instead.',
      `export ${variable('FUNCTION_URLS', facts)}=off`,
    );
  },
  async 'sms-log'({ caller, foreignDeliveryLog }) {
    const found = await foreignDeliveryLog((await caller()).account);
    if (found === undefined) return ok('SNS can log the delivery of text messages');
    return fail(
      `the log group ${found} exists, and no environment has created it`,
      'The deployment creates this log group and would fail. Delete it, or use a separate account if something else reads it.',
      `aws logs delete-log-group --log-group-name ${found}`,
    );
  },
};
