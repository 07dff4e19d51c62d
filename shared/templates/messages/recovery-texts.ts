import type { Language } from '../language.ts';

export interface NoticeText {
  /** Subject and heading. */
  readonly title: string;
  readonly bodyText: string;
}

export interface RecoveryTexts {
  /** Of what is lost or at risk. */
  readonly recovery_requested: (app: string) => NoticeText;
  readonly recovery_granted: (app: string) => NoticeText;
  readonly recovery_cancelled: (app: string) => NoticeText;
  readonly takesEffect: string;
  /** The footer of a notice with a link that stops the recovery. */
  readonly stopRecovery: string;
  readonly undo_requested: (app: string) => NoticeText;
  /** To an address that no longer opens the account, and the link that lets it in again. */
  readonly reclaimed: (app: string) => NoticeText;
  readonly letInText: string;
  readonly letInFooterText: string;
}

/** Notices of losses, and of ways back. */
export const recoveryTexts: Readonly<Record<Language, RecoveryTexts>> = {
  en: {
    recovery_requested: (app) => ({
      title: `Recovery of your account at ${app}`,
      bodyText:
        'Someone says that ways to sign in to your account are lost, or they were reported to be at risk. From the time below on they are no longer asked for.',
    }),
    recovery_granted: (app) => ({
      title: `Recovery of your account at ${app} was granted`,
      bodyText: 'From now on, one factor is enough to add another one to your account, for 3 days.',
    }),
    recovery_cancelled: (app) => ({
      title: `Recovery of your account at ${app} was stopped`,
      bodyText: 'The ways to sign in that were said to be lost are asked for as before.',
    }),
    takesEffect: 'Takes effect',
    stopRecovery: 'If this was you, there is nothing to do. If not, stop it with the link.',
    undo_requested: (app) => ({
      title: `An undo of a change at ${app} was asked for`,
      bodyText:
        'Someone with the link of an earlier email asks to undo a change of your account, and says that they cannot confirm it in another way. From the time below on that link is enough.',
    }),
    reclaimed: (app) => ({
      title: `This address no longer opens your account at ${app}`,
      bodyText:
        'Another address or number was added to your account and confirmed. Since then this address no longer opens it.',
    }),
    letInText: 'Let it in again',
    letInFooterText:
      'If the account is yours, use the link within 7 days and confirm both addresses. If you no longer want this address there, there is nothing to do.',
  },
  es: {
    recovery_requested: (app) => ({
      title: `Recuperación de tu cuenta en ${app}`,
      bodyText:
        'Alguien dice que se han perdido formas de iniciar sesión en tu cuenta, o se ha avisado de que corren riesgo. A partir de la hora indicada ya no se piden.',
    }),
    recovery_granted: (app) => ({
      title: `Se ha concedido la recuperación de tu cuenta en ${app}`,
      bodyText: 'Desde ahora y durante 3 días, un factor basta para añadir otro a tu cuenta.',
    }),
    recovery_cancelled: (app) => ({
      title: `Se ha detenido la recuperación de tu cuenta en ${app}`,
      bodyText: 'Las formas de iniciar sesión que se dieron por perdidas se piden como antes.',
    }),
    takesEffect: 'A partir de',
    stopRecovery: 'Si has sido tú, no tienes que hacer nada. Si no, detenla con el enlace.',
    undo_requested: (app) => ({
      title: `Se ha pedido deshacer un cambio en ${app}`,
      bodyText:
        'Alguien que tiene el enlace de un correo anterior pide deshacer un cambio de tu cuenta y dice que no puede confirmarlo de otra manera. A partir de la hora indicada bastará ese enlace.',
    }),
    reclaimed: (app) => ({
      title: `Esta dirección ya no abre tu cuenta en ${app}`,
      bodyText:
        'Se ha añadido otra dirección u otro número a tu cuenta y se ha confirmado. Desde entonces esta dirección ya no la abre.',
    }),
    letInText: 'Volver a admitirla',
    letInFooterText:
      'Si la cuenta es tuya, usa el enlace en un plazo de 7 días y confirma las dos direcciones. Si ya no quieres esta dirección allí, no tienes que hacer nada.',
  },
  fr: {
    recovery_requested: (app) => ({
      title: `Récupération de votre compte chez ${app}`,
      bodyText:
        'Quelqu’un signale que des moyens de connexion à votre compte sont perdus, ou ils ont été signalés comme menacés. À partir de l’heure ci-dessous, ils ne seront plus demandés.',
    }),
    recovery_granted: (app) => ({
      title: `La récupération de votre compte chez ${app} a été accordée`,
      bodyText:
        'Dès maintenant et pendant 3 jours, un seul facteur suffit pour en ajouter un autre à votre compte.',
    }),
    recovery_cancelled: (app) => ({
      title: `La récupération de votre compte chez ${app} a été arrêtée`,
      bodyText: 'Les moyens de connexion signalés comme perdus sont demandés comme avant.',
    }),
    takesEffect: 'À partir de',
    stopRecovery: 'Si c’était vous, vous n’avez rien à faire. Sinon, arrêtez-la avec le lien.',
    undo_requested: (app) => ({
      title: `L’annulation d’une modification chez ${app} a été demandée`,
      bodyText:
        'Quelqu’un qui a le lien d’un e-mail précédent demande d’annuler une modification de votre compte et dit ne pas pouvoir la confirmer autrement. À partir de l’heure ci-dessous, ce lien suffira.',
    }),
    reclaimed: (app) => ({
      title: `Cette adresse n’ouvre plus votre compte chez ${app}`,
      bodyText:
        'Une autre adresse ou un autre numéro a été ajouté à votre compte et confirmé. Depuis, cette adresse ne l’ouvre plus.',
    }),
    letInText: 'La réadmettre',
    letInFooterText:
      'Si le compte est à vous, utilisez le lien dans les 7 jours et confirmez les deux adresses. Si vous n’y voulez plus cette adresse, vous n’avez rien à faire.',
  },
  de: {
    recovery_requested: (app) => ({
      title: `Wiederherstellung Ihres Kontos bei ${app}`,
      bodyText:
        'Jemand gibt an, dass Anmeldewege Ihres Kontos verloren sind, oder sie wurden als gefährdet gemeldet. Ab der unten genannten Zeit wird nicht mehr danach gefragt.',
    }),
    recovery_granted: (app) => ({
      title: `Die Wiederherstellung Ihres Kontos bei ${app} wurde gewährt`,
      bodyText: 'Ab jetzt genügt 3 Tage lang ein Faktor, um Ihrem Konto einen weiteren hinzuzufügen.',
    }),
    recovery_cancelled: (app) => ({
      title: `Die Wiederherstellung Ihres Kontos bei ${app} wurde gestoppt`,
      bodyText: 'Nach den als verloren gemeldeten Anmeldewegen wird wieder gefragt wie zuvor.',
    }),
    takesEffect: 'Gilt ab',
    stopRecovery: 'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, stoppen Sie sie mit dem Link.',
    undo_requested: (app) => ({
      title: `Eine Änderung bei ${app} soll rückgängig gemacht werden`,
      bodyText:
        'Jemand mit dem Link einer früheren E-Mail möchte eine Änderung Ihres Kontos rückgängig machen und gibt an, es auf keinem anderen Weg bestätigen zu können. Ab der unten genannten Zeit genügt dieser Link.',
    }),
    reclaimed: (app) => ({
      title: `Diese Adresse öffnet Ihr Konto bei ${app} nicht mehr`,
      bodyText:
        'Ihrem Konto wurde eine andere Adresse oder Nummer hinzugefügt und bestätigt. Seitdem öffnet diese Adresse es nicht mehr.',
    }),
    letInText: 'Wieder zulassen',
    letInFooterText:
      'Wenn das Konto Ihnen gehört, benutzen Sie den Link innerhalb von 7 Tagen und bestätigen Sie beide Adressen. Wenn Sie diese Adresse dort nicht mehr wollen, brauchen Sie nichts zu tun.',
  },
  ja: {
    recovery_requested: (app) => ({
      title: `${app} のアカウント復旧の申請`,
      bodyText:
        'お客様のアカウントのログイン方法を紛失した、または危険があるとの申請がありました。下記の日時以降は、その方法での確認を求めません。',
    }),
    recovery_granted: (app) => ({
      title: `${app} のアカウント復旧が承認されました`,
      bodyText: '今から3日間、一つの要素だけでアカウントに別の要素を追加できます。',
    }),
    recovery_cancelled: (app) => ({
      title: `${app} のアカウント復旧が中止されました`,
      bodyText: '紛失したとされたログイン方法での確認を、これまでどおり求めます。',
    }),
    takesEffect: '有効になる日時',
    stopRecovery:
      'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、リンクを開いて中止してください。',
    undo_requested: (app) => ({
      title: `${app} での変更の取り消しが申請されました`,
      bodyText:
        '以前のメールのリンクを持つ方が、お客様のアカウントの変更の取り消しを申請し、ほかの方法では確認できないとしています。下記の日時以降は、そのリンクだけで取り消せるようになります。',
    }),
    reclaimed: (app) => ({
      title: `このアドレスでは ${app} にログインできなくなりました`,
      bodyText:
        'お客様のアカウントに別のアドレスまたは電話番号が追加され、確認されました。それ以降、このアドレスではログインできません。',
    }),
    letInText: '再び使えるようにする',
    letInFooterText:
      'ご本人のアカウントであれば、7日以内にリンクを開き、両方のアドレスを確認してください。このアドレスが不要であれば、対応は不要です。',
  },
  ar: {
    recovery_requested: (app) => ({
      title: `استرداد حسابك لدى ${app}`,
      bodyText:
        'يقول شخص ما إن طرقًا لتسجيل الدخول إلى حسابك فُقدت، أو أُبلغ أنها في خطر. ابتداءً من الوقت أدناه لن تُطلب بعد الآن.',
    }),
    recovery_granted: (app) => ({
      title: `مُنح استرداد حسابك لدى ${app}`,
      bodyText: 'من الآن ولمدة 3 أيام، يكفي عامل واحد لإضافة عامل آخر إلى حسابك.',
    }),
    recovery_cancelled: (app) => ({
      title: `أُوقف استرداد حسابك لدى ${app}`,
      bodyText: 'تُطلب طرق تسجيل الدخول التي قيل إنها فُقدت كما في السابق.',
    }),
    takesEffect: 'يسري من',
    stopRecovery: 'إذا كنت أنت، فلا يلزمك فعل شيء. وإلا فأوقفه بالرابط.',
    undo_requested: (app) => ({
      title: `طُلب التراجع عن تغيير لدى ${app}`,
      bodyText:
        'يطلب شخص لديه رابط رسالة سابقة التراجع عن تغيير في حسابك، ويقول إنه لا يستطيع التأكيد بطريقة أخرى. ابتداءً من الوقت أدناه يكفي ذلك الرابط.',
    }),
    reclaimed: (app) => ({
      title: `لم يعد هذا العنوان يفتح حسابك لدى ${app}`,
      bodyText: 'أُضيف عنوان أو رقم آخر إلى حسابك وتم تأكيده. ومنذ ذلك الحين لم يعد هذا العنوان يفتحه.',
    }),
    letInText: 'السماح به من جديد',
    letInFooterText:
      'إذا كان الحساب لك، فاستخدم الرابط خلال 7 أيام وأكّد العنوانين. وإذا لم تعد تريد هذا العنوان هناك، فلا يلزمك فعل شيء.',
  },
};
