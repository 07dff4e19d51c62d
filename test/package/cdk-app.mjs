import { App, Stack, Stage } from 'aws-cdk-lib';
import { OneTimeLogin } from 'one-time-login/cdk';

// A CDK application that deploys the service in a stack, in a stage and in the application itself.

const app = new App({ builtinCloudFormationValidation: false });
const inStack = new OneTimeLogin(new Stack(app, 'Mine'), 'Login', {
  name: 'eu',
  domainName: 'login.example.org',
  mailDomain: 'example.org',
});
new OneTimeLogin(new Stage(app, 'Tests'), 'Login', {
  name: 'sandbox',
  region: 'eu-west-1',
  domainName: 'login.example.net',
  mailDomain: 'example.net',
  hostedZone: { hostedZoneId: 'Z0123456789ABC', zoneName: 'example.net' },
  alarmMail: 'ops@example.net',
  areas: ['code-based'],
});
new OneTimeLogin(app, 'Login', {
  name: 'us',
  account: '111122223333',
  domainName: 'login.shop.test',
  mailDomain: 'shop.test',
  mail: { sandbox: true },
  protection: true,
});
app.synth();
console.log(JSON.stringify([inStack.baseUrl, inStack.issuer, Object.values(inStack.tableNames)]));
