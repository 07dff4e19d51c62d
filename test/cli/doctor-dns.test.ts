import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awsFacts } from '../../lib/operator/doctor/aws-facts.ts';
import type { Facts } from '../../lib/operator/doctor/facts.ts';

/** Numbers of the DNS record types that the test DNS server returns (RFC 1035 §3.2.2). */
const TYPES = { CNAME: 5, MX: 15, TXT: 16 } as const;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;
const SECOND = 1;
const FAILS = 'fails.example.com';
const records: Readonly<Record<string, readonly (readonly [keyof typeof TYPES, Buffer])[]>> = {
  'mail.example.com': [
    ['TXT', Buffer.concat([text('v=spf1 include:'), text('amazonses.com ~all')])],
    ['TXT', text('other')],
    ['MX', Buffer.concat([Buffer.of(0, 10), encoded('feedback-smtp.eu-central-1.amazonses.com')])],
  ],
  't1._domainkey.mail.example.com': [['CNAME', encoded('t1.dkim.amazonses.com')]],
};

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
}
function encoded(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(text), Buffer.of(0)]);
}

function nameAt(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function answerTo(query: Buffer): Buffer {
  const { name, end } = nameAt(query, 12);
  const type = query.readUInt16BE(end);
  const known = records[name];
  const found = (known ?? []).filter(([each]) => TYPES[each] === type);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  const code = name === FAILS ? SERVER_FAILURE : known ? NO_ERROR : NAME_ERROR;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const answers = found.map(([, data]) => {
    const fields = Buffer.alloc(12);
    // A record begins with a pointer to the name in the question. Type, class IN, time to live and length follow.
    [0xc00c, type, 1].forEach((value, index) => {
      fields.writeUInt16BE(value, index * 2);
    });
    fields.writeUInt32BE(SECOND, 6);
    fields.writeUInt16BE(data.length, 10);
    return Buffer.concat([fields, data]);
  });
  return Buffer.concat([header, query.subarray(12, end + 4), ...answers]);
}

const factsFrom = (nameServer: string): Facts =>
  awsFacts(
    {
      region: 'eu-central-1',
      mail: { identity: 'mail.example.com', mailFromDomain: 'bounce.mail.example.com' },
      ...{ configurationSet: 'otl-eu', production: true, smsLimitUsd: 100, signingModes: ['kms'], keys: {} },
      es256: false,
      testIdentities: false,
      deviceBinding: 'offered',
      queueConcurrency: 2,
      queuePrefixes: [],
      ignoreAlarms: false,
      unprotected: async () => [],
      leftOverStacks: async () => [],
      ...{ alarms: false, alarmTopics: async () => [], newestCopies: async () => [] },
      ...{ baseUrl: 'http://127.0.0.1:9/cis', clock: 'http://127.0.0.1:9/ping' },
      nameServers: [nameServer],
      tables: { directory: 'directory', people: 'people', flows: 'flows' },
    },
    {
      signingKeys: async () => [],
      async *applications() {},
      async *clients() {},
      async *resourceUris() {},
    },
  );

describe('N135 DNS lookups of otl doctor', () => {
  let socket: Socket;
  let facts: Facts;
  beforeAll(async () => {
    socket = createSocket('udp4');
    socket.on('message', (query, from) => socket.send(answerTo(query), from.port, from.address));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    facts = factsFrom(`127.0.0.1:${socket.address().port}`);
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  });

  test('otl doctor joins the parts of a TXT record into one value', async () => {
    expect((await facts.txt('mail.example.com')).toSorted()).toEqual([
      'other',
      'v=spf1 include:amazonses.com ~all',
    ]);
  });

  test('otl doctor reads MX and CNAME records', async () => {
    expect(await facts.mx('mail.example.com')).toEqual(['feedback-smtp.eu-central-1.amazonses.com']);
    expect(await facts.cname('t1._domainkey.mail.example.com')).toEqual(['t1.dkim.amazonses.com']);
  });

  test('otl doctor treats an unknown domain name as a domain name without records', async () => {
    expect(await facts.txt('_dmarc.mail.example.com')).toEqual([]);
    expect(await facts.mx('nowhere.example.com')).toEqual([]);
    expect(await facts.cname('mail.example.com')).toEqual([]);
  });

  test('otl doctor reports a failing name server as an error and not as a missing record', async () => {
    await expect(facts.txt(FAILS)).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });
});
