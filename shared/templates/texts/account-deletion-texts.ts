import type { Language } from '../language.ts';

interface AccountDeletionTexts {
  readonly section: string;
  readonly sectionBody: string;
  readonly open: string;
  readonly heading: string;
  readonly scope: (tenant: string) => string;
  readonly now: string;
  readonly later: (time: string) => string;
  readonly toldByMail: (to: string) => string;
  readonly toldByText: (to: string) => string;
  readonly untold: (app: string) => string;
  readonly dataFirst: string;
  readonly keep: string;
  readonly doneHeading: string;
  readonly doneBody: (time: string) => string;
  readonly doneLink: string;
}

/** Deleting one's own account: its part of the account page, the page that asks, and what comes of it. */
export const accountDeletionTexts: Readonly<Record<Language, AccountDeletionTexts>> = {
  en: {
    section: 'Delete your account',
    sectionBody: 'You can undo it for 7 days.',
    open: 'Delete my account',
    heading: 'Delete your account?',
    scope: (tenant) => `It is deleted at every application of ${tenant}.`,
    now: 'You are signed out everywhere at once, and nobody can sign in to your account any more.',
    later: (time) => `On ${time} it is deleted for good, with everything in it.`,
    toldByMail: (to) => `Until then you can undo it: we send a link to ${to}.`,
    toldByText: (to) => `Until then you can undo it: we send a link by text to ${to}.`,
    untold: (app) =>
      `You have no confirmed address that we can send a link to. Until then only ${app} can undo it.`,
    dataFirst: 'Do you want your data? Download it first.',
    keep: 'Keep my account',
    doneHeading: 'Your account will be deleted',
    doneBody: (time) => `You are signed out everywhere. On ${time} your account is deleted for good.`,
    doneLink: 'Have you changed your mind? Use the link that we have sent you.',
  },
  es: {
    section: 'Eliminar tu cuenta',
    sectionBody: 'Puedes deshacerlo durante 7 días.',
    open: 'Eliminar mi cuenta',
    heading: '¿Eliminar tu cuenta?',
    scope: (tenant) => `Se elimina en todas las aplicaciones de ${tenant}.`,
    now: 'Se cierra tu sesión en todas partes de inmediato y nadie puede volver a iniciar sesión en tu cuenta.',
    later: (time) => `El ${time} se elimina para siempre, con todo lo que contiene.`,
    toldByMail: (to) => `Hasta entonces puedes deshacerlo: enviamos un enlace a ${to}.`,
    toldByText: (to) => `Hasta entonces puedes deshacerlo: enviamos un enlace por SMS a ${to}.`,
    untold: (app) =>
      `No tienes ninguna dirección confirmada a la que podamos enviar un enlace. Hasta entonces solo ${app} puede deshacerlo.`,
    dataFirst: '¿Quieres tus datos? Descárgalos primero.',
    keep: 'Conservar mi cuenta',
    doneHeading: 'Tu cuenta se va a eliminar',
    doneBody: (time) =>
      `Se ha cerrado tu sesión en todas partes. El ${time} tu cuenta se elimina para siempre.`,
    doneLink: '¿Has cambiado de idea? Usa el enlace que te hemos enviado.',
  },
  fr: {
    section: 'Supprimer votre compte',
    sectionBody: 'Vous pouvez annuler pendant 7 jours.',
    open: 'Supprimer mon compte',
    heading: 'Supprimer votre compte\u00a0?',
    scope: (tenant) => `Il est supprimé dans toutes les applications de ${tenant}.`,
    now: 'Vous êtes déconnecté partout immédiatement, et plus personne ne peut se connecter à votre compte.',
    later: (time) => `Le ${time}, il est supprimé définitivement, avec tout ce qu’il contient.`,
    toldByMail: (to) => `Jusque-là, vous pouvez annuler\u00a0: nous envoyons un lien à ${to}.`,
    toldByText: (to) => `Jusque-là, vous pouvez annuler\u00a0: nous envoyons un lien par SMS au ${to}.`,
    untold: (app) =>
      `Vous n’avez pas d’adresse confirmée à laquelle envoyer un lien. Jusque-là, seul ${app} peut annuler.`,
    dataFirst: 'Vous voulez vos données\u00a0? Téléchargez-les d’abord.',
    keep: 'Conserver mon compte',
    doneHeading: 'Votre compte va être supprimé',
    doneBody: (time) => `Vous êtes déconnecté partout. Le ${time}, votre compte est supprimé définitivement.`,
    doneLink: 'Vous avez changé d’avis\u00a0? Utilisez le lien que nous vous avons envoyé.',
  },
  de: {
    section: 'Konto löschen',
    sectionBody: 'Sie können es 7 Tage lang rückgängig machen.',
    open: 'Mein Konto löschen',
    heading: 'Ihr Konto löschen?',
    scope: (tenant) => `Es wird bei allen Anwendungen von ${tenant} gelöscht.`,
    now: 'Sie werden sofort überall abgemeldet, und niemand kann sich mehr bei Ihrem Konto anmelden.',
    later: (time) => `Am ${time} wird es endgültig gelöscht, mit allem, was dazu gehört.`,
    toldByMail: (to) => `Bis dahin können Sie es rückgängig machen: Wir senden einen Link an ${to}.`,
    toldByText: (to) => `Bis dahin können Sie es rückgängig machen: Wir senden einen Link per SMS an ${to}.`,
    untold: (app) =>
      `Sie haben keine bestätigte Adresse, an die wir einen Link senden können. Bis dahin kann es nur ${app} rückgängig machen.`,
    dataFirst: 'Möchten Sie Ihre Daten? Laden Sie sie vorher herunter.',
    keep: 'Konto behalten',
    doneHeading: 'Ihr Konto wird gelöscht',
    doneBody: (time) => `Sie sind überall abgemeldet. Am ${time} wird Ihr Konto endgültig gelöscht.`,
    doneLink: 'Haben Sie es sich anders überlegt? Nutzen Sie den Link, den wir Ihnen gesendet haben.',
  },
  ja: {
    section: 'アカウントの削除',
    sectionBody: '7日間は取り消せます。',
    open: 'アカウントを削除する',
    heading: 'アカウントを削除しますか？',
    scope: (tenant) => `${tenant} のすべてのアプリケーションで削除されます。`,
    now: 'ただちにすべての端末からログアウトされ、どなたもこのアカウントにログインできなくなります。',
    later: (time) => `${time} に、すべての情報とともに完全に削除されます。`,
    toldByMail: (to) => `それまでは取り消せます。${to} にリンクをお送りします。`,
    toldByText: (to) => `それまでは取り消せます。${to} に SMS でリンクをお送りします。`,
    untold: (app) =>
      `リンクをお送りできる確認済みの連絡先がありません。それまでに取り消せるのは ${app} だけです。`,
    dataFirst: 'データが必要な場合は、先にダウンロードしてください。',
    keep: 'アカウントを残す',
    doneHeading: 'アカウントは削除されます',
    doneBody: (time) => `すべての端末からログアウトされました。${time} にアカウントは完全に削除されます。`,
    doneLink: '取り消す場合は、お送りしたリンクをご利用ください。',
  },
  ar: {
    section: 'حذف حسابك',
    sectionBody: 'يمكنك التراجع عن ذلك خلال 7 أيام.',
    open: 'حذف حسابي',
    heading: 'هل تريد حذف حسابك؟',
    scope: (tenant) => `يُحذف لدى جميع تطبيقات ${tenant}.`,
    now: 'يُسجَّل خروجك فورًا من جميع الأجهزة، ولا يستطيع أحد بعدها تسجيل الدخول إلى حسابك.',
    later: (time) => `في ${time} يُحذف نهائيًا مع كل ما فيه.`,
    toldByMail: (to) => `حتى ذلك الحين يمكنك التراجع: نرسل رابطًا إلى ${to}.`,
    toldByText: (to) => `حتى ذلك الحين يمكنك التراجع: نرسل رابطًا برسالة نصية إلى ${to}.`,
    untold: (app) =>
      `ليس لديك عنوان مؤكد يمكننا إرسال رابط إليه. حتى ذلك الحين لا يستطيع التراجع إلا ${app}.`,
    dataFirst: 'هل تريد بياناتك؟ نزّلها أولًا.',
    keep: 'الاحتفاظ بحسابي',
    doneHeading: 'سيُحذف حسابك',
    doneBody: (time) => `سُجّل خروجك من جميع الأجهزة. في ${time} يُحذف حسابك نهائيًا.`,
    doneLink: 'هل غيّرت رأيك؟ استخدم الرابط الذي أرسلناه إليك.',
  },
};
