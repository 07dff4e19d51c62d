// Help page for support staff, as Markdown. The console shows it as a screen, and `npm run pages` writes SUPPORT.md from it.

export const HELP_TEXT = `This page is for support staff. For each user problem, the page says where to look in the [console](README.md),
what to do, and what to tell the user. You need the role \`support\`, which may [change all users except privileged
users](../operators/README.md#roles).

First ask which email address or phone number the user typed, and search for the address under **People**. If no user
has the address, look under **Deliveries**, which lists messages to addresses without a user for 30 days.

## Help by symptom

| The user says | Look at | Do | Tell the user |
|---|---|---|---|
| "No code came." | Look at the newest row under Deliveries. | Follow the steps in [No code came](#no-code-came). | "Look in your spam folder. Search your mailbox for our name." |
| "The code is wrong." | Look for *Login failed* in the user's timeline. | If the user's codes are locked, unlock the codes. If the codes are not locked, do nothing. | "Use the code in the newest message. A code works only once, in the browser window that requested the code." |
| "It says locked." | The box above the user's timeline shows what is locked, and when the lock ends. | Ask the user to wait, or unlock the user's codes. | "You can use codes again when the lock ends. You can log in with a passkey now." |
| "I have a new phone." | Look at the list of the user's factors. | Follow the steps in [New phone or number](#new-phone-or-number). | "Log in with your email and passkey. Then add the new phone number on the account page." |
| "I lost my second factor." | Look at the box at the top of the user's page. | Follow the steps in [Lost second factor](#lost-second-factor). | "Choose *I can't use any of these*. After a day you can log in with one factor." |
| "This account is not mine." | Look for the first login and for changed addresses in the user's timeline. | Follow the steps in [This account is not mine](#this-account-is-not-mine). | "We have ended all sessions of the account." |
| "I did not do this." | Look at the timeline around the time that the user names. | End all sessions of the user. | "If an address was changed, open the link in our message. For 7 days the link undoes the change." |
| "Another factor is required." | Check whether the user's credential is superseded. | Follow [the steps for another factor](#another-factor-is-required). | "First log in with your other factor, in the same browser window." |
| "I see a request ID." | Enter the request ID in the search field. | Look at the user's timeline. If no user is found, ask a developer to run \`otl logs --request <id>\`. | "We are looking into the problem." |

## No code came

Look at the newest row for the address under **Deliveries**, and find the text of this row in the following table. If a
message was not sent, the row under Deliveries gives the reason.

| The newest row says | Why | What to do |
|---|---|---|
| nothing for this address | The user typed another address, or requested no message. | Ask which address the user typed, and let the user request a code again. |
| sent, but not delivered | The message is still being delivered, or is in the spam folder. | Wait two minutes, then ask the user to request a new code. |
| delivered | The user's mail server or mobile network accepted the message. | Ask the user to check the spam folder, blocked senders and the phone number. |
| too many messages | The recipient or the user's network has reached a message limit. | Ask the user to wait until the time that the row under Deliveries shows. |
| mail came back | An earlier message to the address bounced. | Correct the user's address, or save the same address again to allow new messages. |
| called spam | The user reported an earlier message as spam. | Ask the user to withdraw the spam report, then save the user's address again. |
| number at risk | A SIM swap of this number was reported. | Make sure that you are talking to the number's owner. Then clear the risk of the number. |
| locked | Too many wrong codes were entered. | Ask the user to wait until the lock ends, or unlock the user's codes. |
| no user | No account has this address, and sign-up is off. | Ask the user which address the account has. |
| provider refused | The mail or SMS service of AWS rejected the message. | Tell an operator. The steps for the operator are in [the page on incidents](../../lib/INCIDENTS.md#messages-do-not-arrive). |

## New phone or number

The user's password manager usually copies passkeys of the old phone to the new phone. If the phone number stays the
same, do nothing. To set a new number, the user logs in with another factor and changes the number on the account page.

If the user has no other factor, make sure that you are talking to the account's owner before you set the phone number.
After you set a number, the user can log in with only this number [after a
delay](../operators/README.md#addresses-that-support-sets). The user's page shows the end of the delay as *Can log in
alone from*. Every address of the user receives a notice with a link that stops the change of the number.

## Lost second factor

The user starts a recovery on the page that asks for the lost factor. The recovery takes effect [after a
day](../account/README.md#recovery), or after the delay that the tenant has set. If the user cannot wait, verify the
user's identity as your company requires, then grant the recovery. Every address of the user receives a notice of the
recovery. For users with roles, only an administrator of your tenant can grant a recovery.

## This account is not mine

A user sees another person's account if a number or mailbox has a new owner, or if a wrong address was entered. Do not
change the account's address immediately, because the account's owner may have no other way to log in.

1. Look at the user's timeline. Logins and devices from before the address changed owners belong to the earlier owner.
2. If both the account's owner and the person who contacted you may be logged in, end all sessions of the account.
3. If the number has a new owner, report the number as at risk. The service sends no codes to a number at risk.
4. The person who contacted you can [sign up](../hosted-login/README.md) with another address. Only an
   administrator can delete accounts.

## Another factor is required

The user's credential is [not enough to log in](../TRUST.md#403-additional_factor_required). The user logs in with
another factor, and then uses the credential again in the same browser window. If support set an address, the user's
page shows as *Can log in alone from* when the address is enough.
`;
