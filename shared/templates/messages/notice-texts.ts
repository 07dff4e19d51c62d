import type { Language } from '../language.ts';

export type NoticeKind = 'new_device' | 'email_changed' | 'phone_changed' | 'locked';

interface NoticeText {
  /** Subject and heading. */
  readonly title: string;
  readonly bodyText: string;
}

type NoticeTexts = Readonly<Record<NoticeKind, (app: string) => NoticeText>> & {
  readonly time: string;
  readonly device: string;
  readonly footerText: (app: string) => string;
};

export const noticeTexts: Readonly<Record<Language, NoticeTexts>> = {
  en: {
    new_device: (app) => ({
      title: `New sign-in to ${app}`,
      bodyText: 'Somebody signed in to your account from a device that we have not seen before.',
    }),
    email_changed: (app) => ({
      title: `Your email address at ${app} was changed`,
      bodyText: 'This address no longer belongs to your account. You will get no more sign-in emails here.',
    }),
    phone_changed: (app) => ({
      title: `Your phone number at ${app} was changed`,
      bodyText: 'The phone number of your account was changed or removed.',
    }),
    locked: (app) => ({
      title: `Too many wrong codes at ${app}`,
      bodyText:
        'Somebody entered wrong codes for your account several times. Signing in by code is locked for a while.',
    }),
    time: 'Time',
    device: 'Device',
    footerText: (app) =>
      `If this was you, there is nothing to do. If not, contact ${app} in the way you usually do. This email has no links.`,
  },
  es: {
    new_device: (app) => ({
      title: `Nuevo inicio de sesión en ${app}`,
      bodyText: 'Alguien ha iniciado sesión en tu cuenta desde un dispositivo que no conocíamos.',
    }),
    email_changed: (app) => ({
      title: `Tu dirección de correo en ${app} ha cambiado`,
      bodyText:
        'Esta dirección ya no pertenece a tu cuenta. No recibirás aquí más correos para iniciar sesión.',
    }),
    phone_changed: (app) => ({
      title: `Tu número de teléfono en ${app} ha cambiado`,
      bodyText: 'El número de teléfono de tu cuenta se ha cambiado o eliminado.',
    }),
    locked: (app) => ({
      title: `Demasiados códigos incorrectos en ${app}`,
      bodyText:
        'Alguien ha introducido varias veces códigos incorrectos para tu cuenta. El acceso con código está bloqueado durante un tiempo.',
    }),
    time: 'Hora',
    device: 'Dispositivo',
    footerText: (app) =>
      `Si has sido tú, no tienes que hacer nada. Si no, contacta con ${app} como sueles hacerlo. Este correo no contiene enlaces.`,
  },
  fr: {
    new_device: (app) => ({
      title: `Nouvelle connexion à ${app}`,
      bodyText: 'Quelqu’un s’est connecté à votre compte depuis un appareil que nous ne connaissions pas.',
    }),
    email_changed: (app) => ({
      title: `Votre adresse e-mail chez ${app} a été modifiée`,
      bodyText:
        'Cette adresse n’est plus associée à votre compte. Vous n’y recevrez plus d’e-mails de connexion.',
    }),
    phone_changed: (app) => ({
      title: `Votre numéro de téléphone chez ${app} a été modifié`,
      bodyText: 'Le numéro de téléphone de votre compte a été modifié ou supprimé.',
    }),
    locked: (app) => ({
      title: `Trop de codes incorrects chez ${app}`,
      bodyText:
        'Quelqu’un a saisi plusieurs fois un code incorrect pour votre compte. La connexion par code est bloquée pendant un certain temps.',
    }),
    time: 'Heure',
    device: 'Appareil',
    footerText: (app) =>
      `Si c’était vous, vous n’avez rien à faire. Sinon, contactez ${app} comme vous en avez l’habitude. Cet e-mail ne contient aucun lien.`,
  },
  de: {
    new_device: (app) => ({
      title: `Neue Anmeldung bei ${app}`,
      bodyText: 'Jemand hat sich mit einem Gerät, das wir noch nicht kennen, bei Ihrem Konto angemeldet.',
    }),
    email_changed: (app) => ({
      title: `Ihre E-Mail-Adresse bei ${app} wurde geändert`,
      bodyText:
        'Diese Adresse gehört nicht mehr zu Ihrem Konto. Sie erhalten hier keine E-Mails zur Anmeldung mehr.',
    }),
    phone_changed: (app) => ({
      title: `Ihre Telefonnummer bei ${app} wurde geändert`,
      bodyText: 'Die Telefonnummer Ihres Kontos wurde geändert oder entfernt.',
    }),
    locked: (app) => ({
      title: `Zu viele falsche Codes bei ${app}`,
      bodyText:
        'Jemand hat für Ihr Konto mehrmals einen falschen Code eingegeben. Die Anmeldung mit Code ist für einige Zeit gesperrt.',
    }),
    time: 'Zeit',
    device: 'Gerät',
    footerText: (app) =>
      `Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, wenden Sie sich auf dem gewohnten Weg an ${app}. Diese E-Mail enthält keine Links.`,
  },
  ja: {
    new_device: (app) => ({
      title: `${app} への新しいログイン`,
      bodyText: 'これまでに使われていない端末から、お客様のアカウントにログインがありました。',
    }),
    email_changed: (app) => ({
      title: `${app} のメールアドレスが変更されました`,
      bodyText:
        'このアドレスはお客様のアカウントから外されました。今後、ログイン用のメールはこちらに届きません。',
    }),
    phone_changed: (app) => ({
      title: `${app} の電話番号が変更されました`,
      bodyText: 'お客様のアカウントの電話番号が変更または削除されました。',
    }),
    locked: (app) => ({
      title: `${app} で認証コードの誤入力が続きました`,
      bodyText:
        'お客様のアカウントで認証コードの誤入力が続いたため、コードによるログインを一時的に停止しています。',
    }),
    time: '日時',
    device: '端末',
    footerText: (app) =>
      `ご本人による操作であれば、対応は不要です。お心当たりがない場合は、通常の方法で ${app} にご連絡ください。このメールにリンクはありません。`,
  },
};
