import { type Checks, fail, ok, warn } from './verdict.ts';

const HAS_SPF = /^v=spf1\b.*\binclude:amazonses\.com\b/i;

export const mailChecks: Checks = {
  async 'ses-identity'(facts) {
    const { verified } = await facts.sesIdentity();
    if (verified) return ok(`${facts.mail.identity} is verified`);
    return fail(`${facts.mail.identity} is not verified`, 'Publish the DKIM records that SES shows for it.');
  },
  async 'ses-dkim'(facts) {
    const { dkimSigned } = await facts.sesIdentity();
    if (dkimSigned) return ok('mails are signed');
    return fail('mails are not signed', 'Switch Easy DKIM on for the identity, and publish its records.');
  },
  async 'ses-mail-from'(facts) {
    const { mailFromVerified } = await facts.sesIdentity();
    if (mailFromVerified) return ok(`undelivered mail comes back to ${facts.mail.mailFromDomain}`);
    return warn(
      'there is no verified MAIL FROM domain',
      `Publish the MX and SPF records of ${facts.mail.mailFromDomain}. Without them SPF is not aligned.`,
    );
  },
  async senders(facts) {
    const senders = await facts.senders();
    const broken = senders.filter(({ state }) => state === undefined || state === 'Failed');
    const [first] = broken;
    if (first)
      return fail(
        broken.map(({ what, arn }) => `${arn}, which sends ${what}, does not exist or has failed`).join('; '),
        'Deploy your function first, or deploy without the variables OTL_MAIL_FUNCTION and OTL_SMS_FUNCTION.',
        `aws lambda get-function --function-name ${first.arn}`,
      );
    const usual = { mail: 'SES', SMS: facts.smsPool ?? 'SNS' };
    const all = { ...usual, ...Object.fromEntries(senders.map(({ what, arn }) => [what, arn])) };
    return ok(
      Object.entries(all)
        .map(([what, sender]) => `${sender} sends ${what}`)
        .join('; '),
    );
  },
  async 'ses-tracking'(facts) {
    if (!(await facts.sesTracking())) return ok('links are sent unchanged');
    return fail(
      'opens or clicks are tracked',
      'Switch tracking off. It rewrites login links and opens them.',
    );
  },
};

/** Checks of the SPF, DKIM and DMARC records that mail receivers see (RFC 7489 §3). */
export const dnsChecks: Checks = {
  async 'dns-spf'({ mail, txt }) {
    const records = await txt(mail.mailFromDomain);
    if (records.some((record) => HAS_SPF.test(record))) return ok(`SPF of ${mail.mailFromDomain}`);
    return fail(
      `${mail.mailFromDomain} has no SPF record that names SES`,
      'Publish TXT "v=spf1 include:amazonses.com ~all" there.',
    );
  },
  async 'dns-mx'({ mail, mx }) {
    const hosts = await mx(mail.mailFromDomain);
    if (hosts.some((host) => /^feedback-smtp\..*amazonses\.com\.?$/i.test(host)))
      return ok('bounces reach SES');
    return warn(
      `${mail.mailFromDomain} has no MX of SES`,
      'Publish MX 10 feedback-smtp.<region>.amazonses.com.',
    );
  },
  async 'dns-dkim'({ mail, cname, sesIdentity }) {
    const { dkimTokens } = await sesIdentity();
    const missing: string[] = [];
    for (const token of dkimTokens) {
      const name = `${token}._domainkey.${mail.identity}`;
      const targets = await cname(name).catch(() => []);
      if (!targets.some((target) => target.startsWith(`${token}.dkim.`))) missing.push(name);
    }
    if (dkimTokens.length > 0 && missing.length === 0) return ok(`${dkimTokens.length} DKIM records`);
    return fail(
      'DKIM records are missing',
      `Publish CNAMEs: ${missing.join(', ') || 'SES has given none yet'}.`,
    );
  },
  async 'dns-dmarc'({ mail, txt }) {
    const [record] = (await txt(`_dmarc.${mail.identity}`)).filter((each) => /^v=DMARC1\b/i.test(each));
    if (record === undefined)
      return fail(
        'there is no DMARC record',
        `Publish TXT "v=DMARC1; p=quarantine" at _dmarc.${mail.identity}.`,
      );
    if (!/\bp=none\b/i.test(record)) return ok(record);
    return warn(
      'DMARC only monitors (p=none)',
      'Change it to p=quarantine. Until then anybody can send mail in your name.',
    );
  },
};
