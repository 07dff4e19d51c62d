import type { SendRefusal } from '../../../shared/ports/audit.ts';

/** Why a message was not sent, for a person who has no table of reasons at hand. */
export const REFUSALS: Readonly<Record<SendRefusal, string>> = {
  recipient_limit: 'too many messages to this recipient; wait and try again',
  network_limit: 'too many requests from this network; wait and try again',
  sms_range: 'too many texts to this range of numbers',
  sms_budget: 'the SMS budget of the tenant is used up',
  mail_bounced: 'mail to this address came back; the address must be changed or given again',
  mail_complaint: 'its owner has called our mail spam; the address must be given again',
  number_at_risk: 'the number is reported at risk; clear it or use another way',
  country: 'texts do not go to the country of this number',
  provider_refused: 'the provider has refused it',
  provider_unreachable: 'the provider did not answer',
  wrong_codes: 'codes are locked after wrong ones',
  user_disabled: 'the user is disabled, or has deleted their account',
  no_user: 'no user has this address, and sign-up is off or was not asked for',
  test_user: 'a test user gets no messages',
  failed: 'an error of ours; see otl logs with the request',
};
