// Emulated responses of AWS services about one account, in the formats that AWS SDK clients read.

export const identity =
  '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
  '<Arn>arn:aws:iam::111122223333:user/ann</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>';
export const zone =
  '<GetHostedZoneResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><HostedZone>' +
  '<Name>shop.test.</Name><Config><PrivateZone>true</PrivateZone></Config></HostedZone></GetHostedZoneResponse>';

/** Builds the response that describes a CloudFormation stack, in the query protocol of AWS. */
export const describeStack = (name: string, isProtected: boolean) =>
  '<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>' +
  `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>` +
  `<EnableTerminationProtection>${isProtected}</EnableTerminationProtection>` +
  '</member></Stacks></DescribeStacksResult></DescribeStacksResponse>';

/** Builds the response that lists the resources of a CloudFormation stack, with the alarm topic as the only resource. */
export const describeTopic = (arn: string) =>
  '<DescribeStackResourcesResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStackResourcesResult>' +
  `<StackResources><member><LogicalResourceId>Alarms</LogicalResourceId><PhysicalResourceId>${arn}</PhysicalResourceId>` +
  '<ResourceType>AWS::SNS::Topic</ResourceType></member></StackResources>' +
  '</DescribeStackResourcesResult></DescribeStackResourcesResponse>';

/** Builds the error response about a CloudFormation stack that does not exist. Its status is 400. */
export const missingStack = (name: string) =>
  '<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>' +
  `<Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

/** Builds the response that lists the resources of a CloudFormation stack. Only one stack exists. */
export const listStackResources = (stack: string) =>
  stack === 'otl-eu-api-meta'
    ? {
        status: 200,
        body:
          '<ListStackResourcesResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><ListStackResourcesResult>' +
          '<StackResourceSummaries><member><LogicalResourceId>Health</LogicalResourceId>' +
          '<PhysicalResourceId>otl-eu-meta-health</PhysicalResourceId></member></StackResourceSummaries>' +
          '</ListStackResourcesResult></ListStackResourcesResponse>',
      }
    : { status: 400, body: missingStack(stack) };

/** Builds the responses of Lambda in an account whose organisation forbids public function URLs. */
export const lambda = (path: string) =>
  path.endsWith('/url')
    ? {
        status: 403,
        body: JSON.stringify({
          __type: 'AccessDeniedException',
          Message:
            'User: arn:aws:iam::111122223333:user/ann is not authorized to perform: lambda:CreateFunctionUrlConfig on resource: arn:aws:lambda:eu-central-1:111122223333:function:otl-eu-preflight with an explicit deny in a service control policy',
        }),
      }
    : {
        status: 200,
        body: JSON.stringify({
          Functions: ['otl-eu-meta-health', 'otl-eu-users-list-users', 'another'].map((FunctionName) => ({
            FunctionName,
          })),
        }),
      };
export const distributions =
  '<DistributionList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><IsTruncated>false</IsTruncated><Items>' +
  '<DistributionSummary><Id>E1</Id><Aliases><Quantity>1</Quantity><Items><CNAME>login.shop.invalid</CNAME></Items></Aliases>' +
  '</DistributionSummary></Items></DistributionList>';
export const records =
  '<ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ResourceRecordSets>' +
  '<ResourceRecordSet><Name>login.shop.invalid.</Name><Type>A</Type></ResourceRecordSet></ResourceRecordSets>' +
  '<IsTruncated>false</IsTruncated><MaxItems>300</MaxItems></ListResourceRecordSetsResponse>';

export const xml = (call: string, result: string) =>
  `<${call}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${call}Result>${result}</${call}Result></${call}Response>`;

export const ses: Readonly<Record<string, object>> = {
  '/v2/email/account': {
    ...{ ProductionAccessEnabled: true, SendingEnabled: true },
    SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000 },
  },
  '/v2/email/identities/mail.shop.test': {
    VerifiedForSendingStatus: true,
    DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS', Tokens: [] },
    MailFromAttributes: { MailFromDomain: 'bounce.mail.shop.test', MailFromDomainStatus: 'SUCCESS' },
  },
  '/v2/email/configuration-sets/otl-eu/event-destinations': { EventDestinations: [] },
};
