import type { Noun } from './command.ts';
import { application } from './nouns/application.ts';
import { client } from './nouns/client.ts';
import { keys } from './nouns/keys.ts';
import { member } from './nouns/member.ts';
import { organization } from './nouns/organization.ts';
import { resource } from './nouns/resource.ts';
import { restore } from './nouns/restore.ts';
import { tenant } from './nouns/tenant.ts';
import { user } from './nouns/user.ts';
import { webhook } from './nouns/webhook.ts';

export const nouns: readonly Noun[] = [
  tenant,
  application,
  client,
  user,
  resource,
  organization,
  member,
  webhook,
  keys,
  restore,
];
