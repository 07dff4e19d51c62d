import type { Language } from '../language.ts';
import type { NoticeText } from './recovery-texts.ts';

type IdentityTexts = Readonly<Record<'identity_added' | 'identity_removed', (app: string) => NoticeText>>;

/** Notices of accounts at providers. */
export const identityTexts: Readonly<Record<Language, IdentityTexts>> = {
  en: {
    identity_added: (app) => ({
      title: `Another way to sign in to ${app}`,
      bodyText:
        'An account at another provider was connected to your account. Its holder can sign in with it.',
    }),
    identity_removed: (app) => ({
      title: `An account was disconnected at ${app}`,
      bodyText: 'An account at another provider was disconnected from your account. It signs in no more.',
    }),
  },
  es: {
    identity_added: (app) => ({
      title: `Otra forma de iniciar sesión en ${app}`,
      bodyText:
        'Se ha vinculado a tu cuenta una cuenta de otro proveedor. Quien la tenga puede iniciar sesión con ella.',
    }),
    identity_removed: (app) => ({
      title: `Una cuenta se ha desvinculado en ${app}`,
      bodyText:
        'Una cuenta de otro proveedor se ha desvinculado de tu cuenta. Ya no sirve para iniciar sesión.',
    }),
  },
  fr: {
    identity_added: (app) => ({
      title: `Un autre moyen de connexion à ${app}`,
      bodyText:
        'Un compte d’un autre fournisseur a été associé à votre compte. La personne qui le détient peut se connecter avec.',
    }),
    identity_removed: (app) => ({
      title: `Un compte a été dissocié sur ${app}`,
      bodyText:
        'Un compte d’un autre fournisseur a été dissocié de votre compte. Il ne permet plus de se connecter.',
    }),
  },
  de: {
    identity_added: (app) => ({
      title: `Ein weiterer Weg zur Anmeldung bei ${app}`,
      bodyText:
        'Ihr Konto wurde mit einem Konto bei einem anderen Anbieter verbunden. Wer es besitzt, kann sich damit anmelden.',
    }),
    identity_removed: (app) => ({
      title: `Ein Konto wurde bei ${app} getrennt`,
      bodyText:
        'Ein Konto bei einem anderen Anbieter wurde von Ihrem Konto getrennt. Es meldet nicht mehr an.',
    }),
  },
  ja: {
    identity_added: (app) => ({
      title: `${app} への新しいログイン方法`,
      bodyText:
        'お客様のアカウントに他社のアカウントが連携されました。所有者はそのアカウントでログインできます。',
    }),
    identity_removed: (app) => ({
      title: `${app} でのアカウント連携の解除`,
      bodyText: '他社のアカウントとの連携が解除されました。そのアカウントではログインできなくなりました。',
    }),
  },
  ar: {
    identity_added: (app) => ({
      title: `طريقة أخرى لتسجيل الدخول إلى ${app}`,
      bodyText: 'رُبط حساب لدى موفّر آخر بحسابك. ويمكن لحامله تسجيل الدخول به.',
    }),
    identity_removed: (app) => ({
      title: `أُلغي ربط حساب لدى ${app}`,
      bodyText: 'أُلغي ربط حساب لدى موفّر آخر بحسابك. ولم يعد يسجّل الدخول.',
    }),
  },
};
