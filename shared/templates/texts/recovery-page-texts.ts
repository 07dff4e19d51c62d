import type { Language } from '../language.ts';

interface RecoveryPageTexts {
  readonly heading: string;
  readonly body: (duration: string) => string;
  readonly button: string;
  readonly tip: string;
  readonly startedHeading: string;
  readonly startedBody: (duration: string) => string;
  /** In place of the bodies, for who undoes a change. */
  readonly undoBody: (duration: string) => string;
  readonly undoStartedBody: (duration: string) => string;
  readonly impossibleHeading: string;
  readonly impossibleBody: (app: string) => string;
  /** In place of that body, where the application offers too few kinds. */
  readonly elsewhereBody: (app: string, place: string) => string;
  readonly anotherApp: string;
}

/** Pages for users who cannot give their second factor. */
export const recoveryPageTexts: Readonly<Record<Language, RecoveryPageTexts>> = {
  en: {
    heading: 'Lost your second factor?',
    body: (duration) =>
      `You can ask to add a new one. We tell every confirmed address and number of your account, and any of them can stop it. It works in ${duration}.`,
    button: 'Ask for it',
    tip: 'Found it? Just go back.',
    startedHeading: 'We told all your addresses',
    startedBody: (duration) =>
      `Come back in ${duration} and sign in: you can add a new second factor then, for 3 days. Signing in with the lost one stops this.`,
    undoBody: (duration) =>
      `We can undo the change without it. We tell every confirmed address and number of your account, and any of them can stop it. It works in ${duration}.`,
    undoStartedBody: (duration) =>
      `Come back in ${duration} and open the link of the email again: it is enough then, for 3 days. Signing in another way stops this.`,
    impossibleHeading: 'This isn’t possible here',
    impossibleBody: (app) => `No address of your account is confirmed. Please contact ${app}.`,
    elsewhereBody: (app, place) =>
      `This can’t be done at ${app}, which offers too few of the ways that you sign in by. Do it on your account page at ${place}.`,
    anotherApp: 'another application',
  },
  es: {
    heading: '¿Has perdido tu segundo factor?',
    body: (duration) =>
      `Puedes pedir añadir uno nuevo. Avisamos a todas las direcciones y números confirmados de tu cuenta, y cualquiera de ellos puede detenerlo. Funciona dentro de ${duration}.`,
    button: 'Pedirlo',
    tip: '¿Lo has encontrado? Vuelve atrás.',
    startedHeading: 'Hemos avisado a todas tus direcciones',
    startedBody: (duration) =>
      `Vuelve dentro de ${duration} e inicia sesión: entonces podrás añadir un nuevo segundo factor durante 3 días. Si inicias sesión con el perdido, esto se detiene.`,
    undoBody: (duration) =>
      `Podemos deshacer el cambio sin él. Avisamos a todas las direcciones y números confirmados de tu cuenta, y cualquiera de ellos puede detenerlo. Funciona dentro de ${duration}.`,
    undoStartedBody: (duration) =>
      `Vuelve dentro de ${duration} y abre otra vez el enlace del correo: entonces bastará, durante 3 días. Si se inicia sesión de otra manera, esto se detiene.`,
    impossibleHeading: 'Aquí no es posible',
    impossibleBody: (app) => `Ninguna dirección de tu cuenta está confirmada. Contacta con ${app}.`,
    elsewhereBody: (app, place) =>
      `Esto no se puede hacer en ${app}, que ofrece muy pocas de tus formas de iniciar sesión. Hazlo en la página de tu cuenta en ${place}.`,
    anotherApp: 'otra aplicación',
  },
  fr: {
    heading: 'Vous avez perdu votre second facteur\u00a0?',
    body: (duration) =>
      `Vous pouvez demander à en ajouter un nouveau. Nous prévenons toutes les adresses et tous les numéros confirmés de votre compte, et chacun peut l’arrêter. Cela fonctionne dans ${duration}.`,
    button: 'Le demander',
    tip: 'Vous l’avez retrouvé\u00a0? Revenez simplement en arrière.',
    startedHeading: 'Nous avons prévenu toutes vos adresses',
    startedBody: (duration) =>
      `Revenez dans ${duration} et connectez-vous\u00a0: vous pourrez alors ajouter un nouveau second facteur pendant 3 jours. Une connexion avec le facteur perdu arrête la demande.`,
    undoBody: (duration) =>
      `Nous pouvons annuler la modification sans lui. Nous prévenons toutes les adresses et tous les numéros confirmés de votre compte, et chacun peut l’arrêter. Cela fonctionne dans ${duration}.`,
    undoStartedBody: (duration) =>
      `Revenez dans ${duration} et ouvrez de nouveau le lien de l’e-mail\u00a0: il suffira alors, pendant 3 jours. Une connexion par un autre moyen arrête la demande.`,
    impossibleHeading: 'Ce n’est pas possible ici',
    impossibleBody: (app) => `Aucune adresse de votre compte n’est confirmée. Contactez ${app}.`,
    elsewhereBody: (app, place) =>
      `Ce n’est pas possible chez ${app}, qui propose trop peu de vos moyens de connexion. Faites-le sur la page de votre compte chez ${place}.`,
    anotherApp: 'une autre application',
  },
  de: {
    heading: 'Zweiten Faktor verloren?',
    body: (duration) =>
      `Sie können darum bitten, einen neuen hinzuzufügen. Wir benachrichtigen alle bestätigten Adressen und Nummern Ihres Kontos, und jede kann es stoppen. Es gilt in ${duration}.`,
    button: 'Darum bitten',
    tip: 'Doch gefunden? Gehen Sie einfach zurück.',
    startedHeading: 'Wir haben alle Ihre Adressen benachrichtigt',
    startedBody: (duration) =>
      `Melden Sie sich in ${duration} wieder an: Dann können Sie 3 Tage lang einen neuen zweiten Faktor hinzufügen. Eine Anmeldung mit dem verlorenen stoppt das.`,
    undoBody: (duration) =>
      `Wir können die Änderung ohne ihn rückgängig machen. Wir benachrichtigen alle bestätigten Adressen und Nummern Ihres Kontos, und jede kann es stoppen. Es gilt in ${duration}.`,
    undoStartedBody: (duration) =>
      `Öffnen Sie in ${duration} den Link der E-Mail noch einmal: Dann genügt er, 3 Tage lang. Eine Anmeldung auf einem anderen Weg stoppt das.`,
    impossibleHeading: 'Das ist hier nicht möglich',
    impossibleBody: (app) => `Keine Adresse Ihres Kontos ist bestätigt. Bitte wenden Sie sich an ${app}.`,
    elsewhereBody: (app, place) =>
      `Das geht bei ${app} nicht, denn es bietet zu wenige Ihrer Anmeldewege. Machen Sie es auf Ihrer Kontoseite bei ${place}.`,
    anotherApp: 'einer anderen Anwendung',
  },
  ja: {
    heading: '二要素目を紛失しましたか？',
    body: (duration) =>
      `新しい要素の追加を申請できます。アカウントの確認済みのアドレスと電話番号すべてに通知し、どこからでも中止できます。${duration}後に有効になります。`,
    button: '申請する',
    tip: '見つかった場合は、前のページに戻ってください。',
    startedHeading: 'すべてのアドレスに通知しました',
    startedBody: (duration) =>
      `${duration}後から3日間は、もう一度ログインすると新しい二要素目を追加できます。紛失した要素でログインすると中止されます。`,
    undoBody: (duration) =>
      `二要素目なしで変更を取り消せます。アカウントの確認済みのアドレスと電話番号すべてに通知し、どこからでも中止できます。${duration}後に有効になります。`,
    undoStartedBody: (duration) =>
      `${duration}後から3日間は、メールのリンクをもう一度開くだけで取り消せます。ほかの方法でログインすると中止されます。`,
    impossibleHeading: 'ここでは行えません',
    impossibleBody: (app) => `アカウントに確認済みのアドレスがありません。${app} にご連絡ください。`,
    elsewhereBody: (app, place) =>
      `${app} では、お使いのログイン方法の一部しか利用できないため、この操作はできません。${place}のアカウントページで行ってください。`,
    anotherApp: 'ほかのアプリ',
  },
  ar: {
    heading: 'هل فقدت العامل الثاني؟',
    body: (duration) =>
      `يمكنك طلب إضافة عامل جديد. نُخبر كل عنوان ورقم مؤكَّد في حسابك، ويمكن لأي منها إيقاف ذلك. يسري الطلب بعد ${duration}.`,
    button: 'طلبه',
    tip: 'هل وجدته؟ ارجع إذًا.',
    startedHeading: 'أخبرنا جميع عناوينك',
    startedBody: (duration) =>
      `عُد بعد ${duration} وسجّل الدخول: يمكنك عندها إضافة عامل ثانٍ جديد خلال 3 أيام. تسجيل الدخول بالعامل المفقود يوقف ذلك.`,
    undoBody: (duration) =>
      `يمكننا التراجع عن التغيير من دونه. نُخبر كل عنوان ورقم مؤكَّد في حسابك، ويمكن لأي منها إيقاف ذلك. يسري الطلب بعد ${duration}.`,
    undoStartedBody: (duration) =>
      `عُد بعد ${duration} وافتح رابط الرسالة مرة أخرى: يكفي عندها خلال 3 أيام. تسجيل الدخول بطريقة أخرى يوقف ذلك.`,
    impossibleHeading: 'هذا غير ممكن هنا',
    impossibleBody: (app) => `لا يوجد عنوان مؤكَّد في حسابك. يرجى التواصل مع ${app}.`,
    elsewhereBody: (app, place) =>
      `لا يمكن ذلك لدى ${app}، فهو لا يتيح ما يكفي من طرق تسجيل دخولك. افعل ذلك في صفحة حسابك لدى ${place}.`,
    anotherApp: 'تطبيق آخر',
  },
};
