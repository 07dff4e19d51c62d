// Commands for a person who uses `otl` over HTTP, without AWS credentials.

import { Command } from 'commander';
import type { TargetOptions } from '../target/service.ts';
import { RefusedError } from '../terminal/failure.ts';
import type { Outcome } from '../terminal/outcome.ts';

type Print = (outcome: Outcome, self: Command) => void;

const findBaseUrl = async (self: Command): Promise<string> =>
  (await (await import('../target/service.ts')).findService(self.optsWithGlobals<TargetOptions>())).baseUrl;

const whoAmI = async (baseUrl: string): Promise<Outcome> => ({
  record: await (await import('./tokens.ts')).ownRecord(baseUrl),
});

export const personCommands = (print: Print, say: (text: string) => void): readonly Command[] => [
  new Command('login')
    .description('Logs you in as an operator, with your browser; otl then calls the API as you')
    .addHelpText('after', '\nExamples:\n  $ otl --env eu login')
    .action(async (_options: object, self: Command) => {
      const baseUrl = await findBaseUrl(self);
      await (await import('./log-in.ts')).logIn(baseUrl, say);
      print(await whoAmI(baseUrl), self);
    }),
  new Command('whoami')
    .description('Shows who is logged in, and the tenants that they operate')
    .addHelpText('after', '\nExamples:\n  $ otl --env eu whoami')
    .action(async (_options: object, self: Command) => print(await whoAmI(await findBaseUrl(self)), self)),
  new Command('logout')
    .description('Ends your login here and at the service')
    .addHelpText('after', '\nExamples:\n  $ otl --env eu logout')
    .action(async (_options: object, self: Command) => {
      const baseUrl = await findBaseUrl(self);
      const { findLogin, keepLogin } = await import('./login-file.ts');
      if (!findLogin(baseUrl)) throw new RefusedError('You are not logged in.');
      const { callAsPerson } = await import('./tokens.ts');
      // An error of the service is ignored, because the service may already have ended this login.
      await callAsPerson(baseUrl, { method: 'POST', path: '/v1/auth/logout' }).catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
      });
      keepLogin(baseUrl, undefined);
      print({ done: 'You are logged out.' }, self);
    }),
];
