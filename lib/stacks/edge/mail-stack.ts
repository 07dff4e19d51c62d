import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CnameRecord, MxRecord, TxtRecord } from 'aws-cdk-lib/aws-route53';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  MailFromBehaviorOnMxFailure,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { type Environment, toNamePrefix, toStackArguments } from '../environments/environment.ts';
import { findZone } from '../environments/zone.ts';

/** SES events that are published to the default EventBridge bus. Opens and clicks are not tracked. */
const EVENTS = [
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.DELIVERY_DELAY,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.RENDERING_FAILURE,
];

/** Stack with the SES identity that sends and signs mail. Production retains the identity, because it was verified. */
export class MailStack extends Stack {
  constructor(scope: Construct, environment: Environment) {
    const prefix = toNamePrefix(environment);
    const { protection: terminationProtection } = environment;
    const content = 'the SES identity that sends mail';
    super(scope, ...toStackArguments(environment, 'mail', content, { terminationProtection }));
    const { identity: domain, mailFromDomain } = environment.mail;
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      configurationSetName: prefix,
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: EVENTS,
    });
    const identity = new EmailIdentity(this, 'Identity', {
      identity: Identity.domain(domain),
      configurationSet,
      // Bounces arrive as events, so SES does not have to mail them to the sender as well.
      feedbackForwarding: false,
      mailFromDomain,
      mailFromBehaviorOnMxFailure: MailFromBehaviorOnMxFailure.USE_DEFAULT_VALUE,
    });
    identity.applyRemovalPolicy(environment.removalPolicy);
    this.addRecords(identity, environment);
  }

  /**
   * Creates the DKIM records, and the MX and SPF records of the MAIL FROM domain (RFC 6376, RFC 7208). If the zone is not ours,
   * shows the records as stack outputs instead.
   */
  private addRecords({ dkimRecords }: EmailIdentity, environment: Environment): void {
    const { identity: domain, mailFromDomain } = environment.mail;
    const returns = `feedback-smtp.${environment.region}.amazonses.com`;
    const spf = 'v=spf1 include:amazonses.com -all';
    const { hostedZone } = environment;
    const isOurs = hostedZone !== undefined && `.${domain}`.endsWith(`.${hostedZone.name}`);
    const zone = isOurs ? findZone(this, environment) : undefined;
    for (const [index, { name, value }] of dkimRecords.entries())
      if (zone) new CnameRecord(this, `Dkim${index}`, { zone, recordName: `${name}.`, domainName: value });
      else new CfnOutput(this, `Dkim${index}`, { value: `${name} CNAME ${value}` });
    if (zone) {
      const recordName = `${mailFromDomain}.`;
      new MxRecord(this, 'Returns', { zone, recordName, values: [{ priority: 10, hostName: returns }] });
      new TxtRecord(this, 'Spf', { zone, recordName, values: [spf] });
    } else {
      new CfnOutput(this, 'Returns', { value: `${mailFromDomain} MX 10 ${returns}` });
      new CfnOutput(this, 'Spf', { value: `${mailFromDomain} TXT "${spf}"` });
    }
    // A domain can have only one DMARC record. It may exist already, so the record is shown instead of created.
    new CfnOutput(this, 'Dmarc', { value: `_dmarc.${domain} TXT "v=DMARC1; p=quarantine"` });
  }
}
