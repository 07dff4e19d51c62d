import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { VIEWER_REQUEST } from '../../lib/stacks/edge/viewer-request.ts';
import { challengeMapping } from '../../lib/stacks/functions/challenge.ts';
import { hasFunctionUrl } from '../../lib/stacks/functions/routes.ts';
import { DEFAULT_PATH, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const eu = synthesized('eu');
const sandbox = synthesized('sandbox');
const cloud = new Cloud(eu.templates);
const rows = Object.values<Operation>(operations);

type Fields = Readonly<Record<string, unknown>>;
interface Behavior extends Fields {
  readonly PathPattern: string;
  readonly TargetOriginId: string;
}
interface Origin {
  readonly Id: string;
  readonly DomainName: string;
  readonly OriginPath?: string;
  readonly CustomOriginConfig: Fields;
  readonly OriginCustomHeaders: readonly { readonly HeaderName: string; readonly HeaderValue: string }[];
}
interface DistributionConfig extends Fields {
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly Aliases: readonly string[];
  readonly ViewerCertificate: Fields;
  readonly WebACLId: unknown;
  readonly Origins: readonly Origin[];
  readonly CustomErrorResponses: readonly {
    readonly ErrorCode: number;
    readonly ErrorCachingMinTTL: number;
  }[];
}

const [distribution] = cloud.resources('AWS::CloudFront::Distribution');
const config = distribution?.properties.DistributionConfig as DistributionConfig;
const behaviors = [...config.CacheBehaviors, config.DefaultCacheBehavior];

/**
 * Returns the behavior that CloudFront would apply to a path: the first behavior whose pattern matches. In a pattern, `*`
 * stands for any text and `?` for one character.
 */
function behaviorFor(path: string): Behavior {
  const matches = ({ PathPattern }: Behavior) => {
    const source = PathPattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`, 's').test(path);
  };
  return config.CacheBehaviors.find(matches) ?? config.DefaultCacheBehavior;
}

const VALUES = ['ann%2Fv1%2Fauth%2Fresume', 'open', 'authenticate', 'a+b@example.com', '%20'];
const listSamples = (row: Operation) =>
  listPaths(row)
    .filter((path) => path !== DEFAULT_PATH)
    .flatMap((path) => VALUES.map((value) => path.replace(/\{\w+\}/g, value)))
    .flatMap((path) => [path, `/cis${path}`]);

describe('requests that CloudFront routes to the HTTP API and to function URLs', () => {
  test.each(rows.map((row) => [row.event, row] as const))(
    'CloudFront sends requests for the operation %s to its function URL, or to the HTTP API if it has none',
    (_entry, row) => {
      const target = hasFunctionUrl(operations, row) ? row.event : 'api';
      for (const path of listSamples(row))
        expect([path, behaviorFor(path).TargetOriginId]).toEqual([path, target]);
    },
  );

  test('CloudFront sends requests for unknown paths to the HTTP API', () => {
    for (const path of ['/', '/cis', '/robots.txt', '/cis/v1/auth', '/v1/auth/resume/', '/V1/auth/resume'])
      expect(behaviorFor(path).TargetOriginId).toBe('api');
  });

  test('CloudFront has one origin for each function URL and one for the HTTP API', () => {
    const alone = rows.filter((row) => hasFunctionUrl(operations, row));
    expect(alone.length).toBeGreaterThan(3);
    const origins = config.Origins.map(({ Id, DomainName }) => [Id, DomainName]);
    expect(origins.toSorted()).toEqual(
      [
        ['api', expect.stringMatching(/^Api\w+\.execute-api\.eu-central-1\.amazonaws\.com$/)],
        ...alone.map(({ event }) => [event, expect.stringMatching(/^\w+Url\w+\.FunctionUrl$/)]),
      ].toSorted(([one], [other]) => String(one).localeCompare(String(other))),
    );
  });
});

describe('behaviors and origins of the CloudFront distribution', () => {
  test.each(behaviors.map((behavior) => [behavior.PathPattern ?? 'default', behavior] as const))(
    'the CloudFront behavior for %s has the expected cache, request and header policies',
    (_pattern, behavior) => {
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'https-only',
        // IDs of the managed policies CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ResponseHeadersPolicyId: expect.stringContaining('SecurityHeaders'),
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: expect.stringContaining('ViewerRequest') },
        ],
        Compress: false,
      });
      expect([...(behavior.AllowedMethods as string[])].toSorted()).toEqual(
        ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].toSorted(),
      );
    },
  );

  test.each(config.Origins.map((origin) => [origin.Id, origin] as const))(
    'CloudFront reaches the origin %s only over TLS and with the CloudFront secret',
    (_id, origin) => {
      expect(origin.CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
      });
      expect(Number(origin.CustomOriginConfig.OriginReadTimeout)).toBeGreaterThan(15);
      expect(origin.OriginCustomHeaders).toEqual([
        {
          HeaderName: 'otl-edge',
          HeaderValue: expect.stringMatching(
            /^\{\{resolve:secretsmanager:EdgeSecret1\w+:SecretString:::\}\}$/,
          ),
        },
      ]);
    },
  );

  test('CloudFront does not cache errors', () => {
    expect(config.CustomErrorResponses.length).toBeGreaterThan(10);
    for (const { ErrorCachingMinTTL } of config.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });
});

describe('CloudFront distribution of the service', () => {
  test('the CloudFront distribution serves the issuer’s host with its certificate, TLS 1.2 or later and the web ACL', () => {
    expect(config).toMatchObject({
      Aliases: ['login.eu.example.com'],
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      ViewerCertificate: {
        AcmCertificateArn: expect.stringMatching(/^Certificate/),
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
      WebACLId: 'AWS::WAFv2::WebACL:WebAcl',
    });
    const [certificate] = cloud.resources('AWS::CertificateManager::Certificate');
    expect([certificate?.stack, certificate?.properties.DomainName]).toEqual([
      'otl-eu-global',
      'login.eu.example.com',
    ]);
  });

  test('the CloudFront distribution of the sandbox environment has no web ACL', () => {
    const [other] = new Cloud(sandbox.templates).resources('AWS::CloudFront::Distribution');
    expect(other?.properties.DistributionConfig).not.toHaveProperty('WebACLId');
    expect(new Cloud(sandbox.templates).resources('AWS::WAFv2::WebACL')).toEqual([]);
  });

  test('N029 CloudFront adds an HSTS header to every response, including its own error responses', () => {
    const [policy] = cloud.resources('AWS::CloudFront::ResponseHeadersPolicy');
    expect(policy?.properties.ResponseHeadersPolicyConfig).toMatchObject({
      SecurityHeadersConfig: {
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 31536000,
          IncludeSubdomains: true,
          Override: true,
        },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: 'DENY', Override: false },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: false },
      },
    });
  });

  test('the web ACL stores no samples of requests', () => {
    const [acl] = cloud.resources('AWS::WAFv2::WebACL');
    expect(JSON.stringify(acl?.properties)).not.toContain('"SampledRequestsEnabled":true');
    expect(acl?.properties.Scope).toBe('CLOUDFRONT');
  });

  const withZone = synthesized('eu with a zone, and copies in another region under a compliance lock');

  test('DNS records for the domain are created if the environment has a hosted zone', () => {
    const records = new Cloud(withZone.templates).resources('AWS::Route53::RecordSet');
    const own = records.filter(({ stack }) => stack === 'otl-eu-edge').map(({ properties }) => properties);
    expect(own.map(({ Type, Name }) => [Type, Name])).toEqual([
      ['A', 'login.eu.example.com.'],
      ['AAAA', 'login.eu.example.com.'],
    ]);
    const mail = records
      .filter(({ stack }) => stack === 'otl-eu-mail')
      .map(({ properties }) => properties.Type);
    expect(mail.toSorted()).toEqual(['CNAME', 'CNAME', 'CNAME', 'MX', 'TXT']);
    expect(cloud.resources('AWS::Route53::RecordSet')).toEqual([]);
  });

  test('deleting a stack keeps its DNS records, except for those of the console', () => {
    const policies = Object.entries(withZone.templates).flatMap(([stack, { Resources }]) =>
      Object.values(Resources)
        .filter(({ Type }) => Type === 'AWS::Route53::RecordSet')
        .map(({ DeletionPolicy }) => [stack, DeletionPolicy]),
    );
    expect(Object.fromEntries(policies)).toEqual({
      'otl-eu-mail': 'RetainExceptOnCreate',
      'otl-eu-edge': 'RetainExceptOnCreate',
      'otl-eu-console-edge': 'Delete',
    });
  });
});

test('CloudFront replaces the header otl-viewer-address of a request', () => {
  const headers = {
    'otl-viewer-address': {
      value: '198.51.100.9',
      multiValue: [{ value: '198.51.100.9' }, { value: '198.51.100.8' }],
    },
    accept: { value: '*/*' },
  };
  const event = { viewer: { ip: '2001:db8::9' }, request: { method: 'GET', uri: '/', headers } };
  const request = runInNewContext(`${VIEWER_REQUEST}; handler(event)`, { event });
  expect(request.headers).toEqual({
    'otl-viewer-address': { value: '2001:db8::9' },
    accept: { value: '*/*' },
  });
  const [deployed] = cloud.resources('AWS::CloudFront::Function');
  expect(deployed?.properties).toMatchObject({ FunctionCode: VIEWER_REQUEST, AutoPublish: true });
});

test('for every operation, the HTTP API restores the response header WWW-Authenticate, which API Gateway renames', () => {
  const integrations = cloud.resources('AWS::ApiGatewayV2::Integration');
  expect(integrations).toHaveLength(rows.length);
  for (const { properties } of integrations) expect(properties.ResponseParameters).toEqual(challengeMapping);
  expect(Object.keys(challengeMapping)).toEqual(['401', '403']);
});

describe('CloudFront secret in CloudFormation templates', () => {
  const listHashes = (of: Cloud) =>
    new Set(of.functions().flatMap(({ variables }) => variables.EDGE_SECRET_HASHES ?? []));

  test('functions receive only the hash of the CloudFront secret, and CloudFront receives the secret itself', () => {
    expect([...listHashes(cloud)]).toEqual(['EdgeSecret1Hash.Hash']);
    const withText = Object.entries(eu.templates).filter(([, template]) =>
      JSON.stringify(template).includes('{{resolve:'),
    );
    expect(withText.map(([name]) => name)).toEqual(['otl-eu-edge', 'otl-eu-console-edge']);
    // CloudFormation resolves at most 60 dynamic references in a template.
    expect(JSON.stringify(withText).split('{{resolve:').length).toBeLessThan(60);
  });

  test('the CloudFront secret is a random password', () => {
    const secrets = cloud.resources('AWS::SecretsManager::Secret').map(({ properties }) => properties);
    expect(secrets).toMatchObject([
      { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
    ]);
  });

  test('functions accept a new CloudFront secret in addition to the old secret before CloudFront sends it', () => {
    const changed = synthesized('eu with another secret of the edge');
    const next = new Cloud(changed.templates);
    expect([...listHashes(next)]).toEqual(['EdgeSecret2Hash.Hash,EdgeSecret1Hash.Hash']);
    expect(JSON.stringify(changed.templates['otl-eu-edge'])).toMatch(/EdgeSecret2/);
    expect(JSON.stringify(changed.templates['otl-eu-edge'])).not.toMatch(/EdgeSecret1/);
    const { after } = changed.stacks['otl-eu-edge'] ?? { after: [] };
    for (const stack of ['otl-eu-api-meta', 'otl-eu-api-one-time']) expect(after).toContain(stack);
  });
});

describe('contents and storage of the CloudFront log', () => {
  test('the CloudFront log is encrypted, expires and is stored in the environment’s region', () => {
    const [bucket] = cloud.resources('AWS::S3::Bucket');
    expect(bucket?.stack).toBe('otl-eu-edge');
    expect(bucket?.properties).toMatchObject({
      BucketEncryption: expect.anything(),
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
    });
    const [destination] = cloud.resources('AWS::Logs::DeliveryDestination');
    expect(destination?.properties.DestinationResourceArn).toBe(`AWS::S3::Bucket:${bucket?.id}`);
    const [source] = cloud.resources('AWS::Logs::DeliverySource');
    expect(source?.properties).toMatchObject({
      LogType: 'ACCESS_LOGS',
      ResourceArn: `arn:aws:cloudfront::111122223333:distribution/${distribution?.id}`,
    });
  });

  test('the CloudFront log contains no query strings, cookies, referrers, paths or headers', () => {
    const [delivery] = cloud.resources('AWS::Logs::Delivery');
    const fields = delivery?.properties.RecordFields as string[];
    expect(fields).toContain('sc-status');
    expect(
      fields.filter((field) => /uri|query|cookie|refer|cs\(|header|host|user|forwarded/i.test(field)),
    ).toEqual([]);
  });
});

test('resource names that must be unique in an AWS account contain the region', () => {
  const names = [
    ...cloud.resources('AWS::CloudFront::Function').map(({ properties }) => properties.Name),
    ...cloud
      .resources('AWS::CloudFront::ResponseHeadersPolicy')
      .map(({ properties }) => (properties.ResponseHeadersPolicyConfig as { readonly Name: string }).Name),
  ];
  expect(names).toEqual([
    'otl-eu-eu-central-1-viewer-request',
    'otl-eu-console-eu-central-1-viewer-request',
    'otl-eu-eu-central-1',
    'otl-eu-console-eu-central-1',
  ]);
});

describe('CloudFront distribution of the console host', () => {
  const [, second] = cloud.resources('AWS::CloudFront::Distribution');
  const own = second?.properties.DistributionConfig as DistributionConfig;
  const listHosts = ({ Origins }: DistributionConfig) =>
    Origins.map(({ DomainName }) => JSON.stringify(DomainName));

  test('the operator console has its own host, which uses the certificate and the web ACL of the service', () => {
    expect(own.Aliases).toEqual(['console.login.eu.example.com']);
    expect(own.ViewerCertificate).toEqual(config.ViewerCertificate);
    expect(own.WebACLId).toEqual(config.WebACLId);
    const [certificate] = cloud.resources('AWS::CertificateManager::Certificate');
    expect(certificate?.properties.SubjectAlternativeNames).toEqual(own.Aliases);
  });

  test('on the console host, CloudFront adds the CloudFront secret and sends paths below /console to console functions', () => {
    expect(
      own.CacheBehaviors.map(({ PathPattern, TargetOriginId }) => [PathPattern, TargetOriginId]),
    ).toEqual([
      ['/login', 'console/login'],
      ['/callback', 'console/login'],
      ['/session/binding', 'console/binding'],
    ]);
    expect(own.DefaultCacheBehavior.TargetOriginId).toBe('console/screen');
    for (const { OriginPath, OriginCustomHeaders } of own.Origins)
      expect([OriginPath, OriginCustomHeaders.map(({ HeaderName }) => HeaderName)]).toEqual([
        '/console',
        ['otl-edge'],
      ]);
  });

  test('no function serves both the console host and the host of the service', () => {
    const service = listHosts(config);
    expect(listHosts(own)).toHaveLength(3);
    expect(listHosts(own).filter((host) => service.includes(host))).toEqual([]);
    const routes = cloud
      .resources('AWS::ApiGatewayV2::Route')
      .map(({ properties }) => String(properties.RouteKey));
    expect(routes.filter((key) => key.includes('/console'))).toEqual([]);
  });
});
