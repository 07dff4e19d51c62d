import type { Noun } from './command.ts';
import { application } from './nouns/application.ts';
import { client } from './nouns/client.ts';
import { deviceKey } from './nouns/device-key.ts';
import { keys } from './nouns/keys.ts';
import { member } from './nouns/member.ts';
import { organization } from './nouns/organization.ts';
import { passkey } from './nouns/passkey.ts';
import { resource } from './nouns/resource.ts';
import { restore } from './nouns/restore.ts';
import { session } from './nouns/session.ts';
import { tenant } from './nouns/tenant.ts';
import { user } from './nouns/user.ts';
import { webhook } from './nouns/webhook.ts';

export const nouns: readonly Noun[] = [
  tenant,
  application,
  client,
  user,
  session,
  passkey,
  deviceKey,
  resource,
  organization,
  member,
  webhook,
  keys,
  restore,
];
