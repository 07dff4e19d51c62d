import type { Language } from '../language.ts';
import { erasureTexts } from './erasure-texts.ts';
import { identityTexts } from './identity-texts.ts';
import type { NoticeTexts } from './notice-kinds.ts';
import { noticeTextsAr } from './notice-texts-ar.ts';
import { recoveryTexts } from './recovery-texts.ts';

export const noticeTexts: Readonly<Record<Language, NoticeTexts>> = {
  en: {
    ...recoveryTexts.en,
    ...erasureTexts.en,
    ...identityTexts.en,
    new_device: (app) => ({
      title: `New sign-in to ${app}`,
      bodyText: 'Somebody signed in to your account from a device that we have not seen before.',
    }),
    email_changed: (app) => ({
      title: `Your email address at ${app} was changed`,
      bodyText: 'This address no longer belongs to your account. You will get no more sign-in emails here.',
    }),
    email_restored: (app) => ({
      title: `Your email address at ${app} was changed back`,
      bodyText:
        'The former address of your account undid the change. You will get no more sign-in emails here.',
    }),
    phone_changed: (app) => ({
      title: `Your phone number at ${app} was changed`,
      bodyText: 'The phone number of your account was changed or removed.',
    }),
    locked: (app) => ({
      title: `Too many wrong codes at ${app}`,
      bodyText:
        'Somebody entered wrong codes for your account several times. Signing in by code is locked there for a while.',
    }),
    passkey_added: (app) => ({
      title: `A passkey was added at ${app}`,
      bodyText: 'A passkey was added to your account. Its holder can sign in with it.',
    }),
    passkey_removed: (app) => ({
      title: `A passkey was removed at ${app}`,
      bodyText: 'A passkey was removed from your account. It signs in no more.',
    }),
    device_key_added: (app) => ({
      title: `A device was added at ${app}`,
      bodyText: 'The key of a device was added to your account. It can approve in your name.',
    }),
    device_key_removed: (app) => ({
      title: `A device was removed at ${app}`,
      bodyText: 'The key of a device was removed from your account. It approves nothing any more.',
    }),
    email_added: (app) => ({
      title: `An email address was added at ${app}`,
      bodyText: 'Your account now has an email address, which it did not have before.',
    }),
    phone_added: (app) => ({
      title: `A phone number was added at ${app}`,
      bodyText: 'Your account now has a phone number, which it did not have before.',
    }),
    sms: {
      account_changed: (app) =>
        `The ways to sign in to your ${app} account were changed. Not you? Contact ${app}.`,
      number_removed: (app) =>
        `This number no longer belongs to your ${app} account. Not you? Contact ${app}.`,
      recovery: (app) =>
        `Someone says they lost the second factor of your ${app} account. Not you? Sign in with it: that stops it.`,
      shut_out: (app) =>
        `This number no longer opens your ${app} account: another address was confirmed. Not you? Contact ${app}.`,
      account_erased: (app) => `Your ${app} account will be deleted in 7 days. Keep it:`,
    },
    time: 'Time',
    device: 'Device',
    undoText: 'This was not me',
    undoFooterText:
      'If this was you, there is nothing to do. If not, use the link within 7 days: your account is as it was before, and all devices are signed out.',
    footerText: (app) =>
      `If this was you, there is nothing to do. If not, contact ${app} in the way you usually do. This email has no links.`,
  },
  es: {
    ...recoveryTexts.es,
    ...erasureTexts.es,
    ...identityTexts.es,
    new_device: (app) => ({
      title: `Nuevo inicio de sesión en ${app}`,
      bodyText: 'Alguien ha iniciado sesión en tu cuenta desde un dispositivo que no conocíamos.',
    }),
    email_changed: (app) => ({
      title: `Tu dirección de correo en ${app} ha cambiado`,
      bodyText:
        'Esta dirección ya no pertenece a tu cuenta. No recibirás aquí más correos para iniciar sesión.',
    }),
    email_restored: (app) => ({
      title: `Se ha deshecho el cambio de tu dirección de correo en ${app}`,
      bodyText:
        'La dirección anterior de tu cuenta ha deshecho el cambio. No recibirás aquí más correos para iniciar sesión.',
    }),
    phone_changed: (app) => ({
      title: `Tu número de teléfono en ${app} ha cambiado`,
      bodyText: 'El número de teléfono de tu cuenta se ha cambiado o eliminado.',
    }),
    locked: (app) => ({
      title: `Demasiados códigos incorrectos en ${app}`,
      bodyText:
        'Alguien ha introducido varias veces códigos incorrectos para tu cuenta. El acceso con código está bloqueado allí durante un tiempo.',
    }),
    passkey_added: (app) => ({
      title: `Se ha añadido una llave de acceso en ${app}`,
      bodyText:
        'Se ha añadido una llave de acceso a tu cuenta. Quien la tenga puede iniciar sesión con ella.',
    }),
    passkey_removed: (app) => ({
      title: `Se ha eliminado una llave de acceso en ${app}`,
      bodyText: 'Se ha eliminado una llave de acceso de tu cuenta. Ya no sirve para iniciar sesión.',
    }),
    device_key_added: (app) => ({
      title: `Se ha añadido un dispositivo en ${app}`,
      bodyText:
        'Se ha añadido la clave de un dispositivo a tu cuenta. Puede aprobar operaciones en tu nombre.',
    }),
    device_key_removed: (app) => ({
      title: `Se ha eliminado un dispositivo en ${app}`,
      bodyText: 'Se ha eliminado la clave de un dispositivo de tu cuenta. Ya no puede aprobar nada.',
    }),
    email_added: (app) => ({
      title: `Se ha añadido una dirección de correo en ${app}`,
      bodyText: 'Tu cuenta tiene ahora una dirección de correo. Antes no tenía ninguna.',
    }),
    phone_added: (app) => ({
      title: `Se ha añadido un número de teléfono en ${app}`,
      bodyText: 'Tu cuenta tiene ahora un número de teléfono. Antes no tenía ninguno.',
    }),
    sms: {
      account_changed: (app) =>
        `Se ha cambiado el acceso a tu cuenta de ${app}. Si no lo has hecho, contacta con ${app}.`,
      number_removed: (app) =>
        `Este teléfono ya no pertenece a tu cuenta de ${app}. Si no lo has hecho, contacta con ${app}.`,
      recovery: (app) =>
        `Alguien dice haber perdido el segundo factor de tu cuenta de ${app}. Si no lo has pedido, accede con ese factor y se detiene.`,
      shut_out: (app) =>
        `Este teléfono ya no abre tu cuenta de ${app}: se ha confirmado otro acceso. Si no lo has hecho, contacta con ${app}.`,
      account_erased: (app) => `Tu cuenta de ${app} se elimina en una semana. Para conservarla:`,
    },
    time: 'Hora',
    device: 'Dispositivo',
    undoText: 'No he sido yo',
    undoFooterText:
      'Si has sido tú, no tienes que hacer nada. Si no, usa el enlace en un plazo de 7 días: tu cuenta vuelve a estar como antes y se cierra la sesión en todos los dispositivos.',
    footerText: (app) =>
      `Si has sido tú, no tienes que hacer nada. Si no, contacta con ${app} como sueles hacerlo. Este correo no contiene enlaces.`,
  },
  fr: {
    ...recoveryTexts.fr,
    ...erasureTexts.fr,
    ...identityTexts.fr,
    new_device: (app) => ({
      title: `Nouvelle connexion à ${app}`,
      bodyText: 'Quelqu’un s’est connecté à votre compte depuis un appareil que nous ne connaissions pas.',
    }),
    email_changed: (app) => ({
      title: `Votre adresse e-mail chez ${app} a été modifiée`,
      bodyText:
        'Cette adresse n’est plus associée à votre compte. Vous n’y recevrez plus d’e-mails de connexion.',
    }),
    email_restored: (app) => ({
      title: `La modification de votre adresse e-mail chez ${app} a été annulée`,
      bodyText:
        'L’ancienne adresse de votre compte a annulé la modification. Vous ne recevrez plus d’e-mails de connexion ici.',
    }),
    phone_changed: (app) => ({
      title: `Votre numéro de téléphone chez ${app} a été modifié`,
      bodyText: 'Le numéro de téléphone de votre compte a été modifié ou supprimé.',
    }),
    locked: (app) => ({
      title: `Trop de codes incorrects chez ${app}`,
      bodyText:
        'Quelqu’un a saisi plusieurs fois un code incorrect pour votre compte. La connexion par code y est bloquée pendant un certain temps.',
    }),
    passkey_added: (app) => ({
      title: `Une clé d’accès a été ajoutée chez ${app}`,
      bodyText:
        'Une clé d’accès a été ajoutée à votre compte. La personne qui la détient peut se connecter avec.',
    }),
    passkey_removed: (app) => ({
      title: `Une clé d’accès a été supprimée chez ${app}`,
      bodyText: 'Une clé d’accès a été supprimée de votre compte. Elle ne permet plus de se connecter.',
    }),
    device_key_added: (app) => ({
      title: `Un appareil a été ajouté chez ${app}`,
      bodyText:
        'La clé d’un appareil a été ajoutée à votre compte. Elle peut approuver des opérations en votre nom.',
    }),
    device_key_removed: (app) => ({
      title: `Un appareil a été supprimé chez ${app}`,
      bodyText: 'La clé d’un appareil a été supprimée de votre compte. Elle n’approuve plus rien.',
    }),
    email_added: (app) => ({
      title: `Une adresse e-mail a été ajoutée chez ${app}`,
      bodyText: 'Votre compte a maintenant une adresse e-mail. Il n’en avait pas auparavant.',
    }),
    phone_added: (app) => ({
      title: `Un numéro de téléphone a été ajouté chez ${app}`,
      bodyText: 'Votre compte a maintenant un numéro de téléphone. Il n’en avait pas auparavant.',
    }),
    sms: {
      account_changed: (app) =>
        `Les moyens de connexion à votre compte ${app} ont changé. Si ce n'est pas vous, contactez ${app}.`,
      number_removed: (app) =>
        `Ce numéro n'est plus associé à votre compte ${app}. Si ce n'est pas vous, contactez ${app}.`,
      recovery: (app) =>
        `Perte du second facteur de votre compte ${app}: si ce n'est pas vous, connectez-vous avec ce facteur et la demande sera annulée.`,
      shut_out: (app) =>
        `Ce numéro n'ouvre plus votre compte ${app}: une autre adresse a été confirmée. Si ce n'est pas vous, contactez ${app}.`,
      account_erased: (app) => `Votre compte ${app} sera supprimé dans 7 jours. Le conserver :`,
    },
    time: 'Heure',
    device: 'Appareil',
    undoText: 'Ce n’était pas moi',
    undoFooterText:
      'Si c’était vous, vous n’avez rien à faire. Sinon, utilisez le lien dans les 7 jours\u00a0: votre compte redevient comme avant et tous les appareils sont déconnectés.',
    footerText: (app) =>
      `Si c’était vous, vous n’avez rien à faire. Sinon, contactez ${app} comme vous en avez l’habitude. Cet e-mail ne contient aucun lien.`,
  },
  de: {
    ...recoveryTexts.de,
    ...erasureTexts.de,
    ...identityTexts.de,
    new_device: (app) => ({
      title: `Neue Anmeldung bei ${app}`,
      bodyText: 'Jemand hat sich mit einem Gerät, das wir noch nicht kennen, bei Ihrem Konto angemeldet.',
    }),
    email_changed: (app) => ({
      title: `Ihre E-Mail-Adresse bei ${app} wurde geändert`,
      bodyText:
        'Diese Adresse gehört nicht mehr zu Ihrem Konto. Sie erhalten hier keine E-Mails zur Anmeldung mehr.',
    }),
    email_restored: (app) => ({
      title: `Die Änderung Ihrer E-Mail-Adresse bei ${app} wurde rückgängig gemacht`,
      bodyText:
        'Die frühere Adresse Ihres Kontos hat die Änderung rückgängig gemacht. Sie erhalten hier keine E-Mails zur Anmeldung mehr.',
    }),
    phone_changed: (app) => ({
      title: `Ihre Telefonnummer bei ${app} wurde geändert`,
      bodyText: 'Die Telefonnummer Ihres Kontos wurde geändert oder entfernt.',
    }),
    locked: (app) => ({
      title: `Zu viele falsche Codes bei ${app}`,
      bodyText:
        'Jemand hat für Ihr Konto mehrmals einen falschen Code eingegeben. Die Anmeldung mit Code ist dort für einige Zeit gesperrt.',
    }),
    passkey_added: (app) => ({
      title: `Ein Passkey wurde bei ${app} hinzugefügt`,
      bodyText: 'Ihrem Konto wurde ein Passkey hinzugefügt. Wer ihn besitzt, kann sich damit anmelden.',
    }),
    passkey_removed: (app) => ({
      title: `Ein Passkey wurde bei ${app} entfernt`,
      bodyText: 'Ein Passkey wurde aus Ihrem Konto entfernt. Eine Anmeldung damit ist nicht mehr möglich.',
    }),
    device_key_added: (app) => ({
      title: `Ein Gerät wurde bei ${app} hinzugefügt`,
      bodyText: 'Ihrem Konto wurde der Schlüssel eines Geräts hinzugefügt. Er kann in Ihrem Namen freigeben.',
    }),
    device_key_removed: (app) => ({
      title: `Ein Gerät wurde bei ${app} entfernt`,
      bodyText: 'Der Schlüssel eines Geräts wurde aus Ihrem Konto entfernt. Er gibt nichts mehr frei.',
    }),
    email_added: (app) => ({
      title: `Eine E-Mail-Adresse wurde bei ${app} hinzugefügt`,
      bodyText: 'Ihr Konto hat jetzt eine E-Mail-Adresse. Bisher hatte es keine.',
    }),
    phone_added: (app) => ({
      title: `Eine Telefonnummer wurde bei ${app} hinzugefügt`,
      bodyText: 'Ihr Konto hat jetzt eine Telefonnummer. Bisher hatte es keine.',
    }),
    sms: {
      account_changed: (app) =>
        `Die Anmeldung bei Ihrem Konto bei ${app} wurde geändert. Waren Sie das nicht? Dann wenden Sie sich an ${app}.`,
      number_removed: (app) =>
        `Diese Nummer gehört nicht mehr zu Ihrem Konto bei ${app}. Waren Sie das nicht? Dann wenden Sie sich an ${app}.`,
      recovery: (app) =>
        `Jemand meldet den zweiten Faktor Ihres Kontos bei ${app} als verloren. Waren Sie das nicht? Melden Sie sich damit an: das stoppt es.`,
      shut_out: (app) =>
        `Diese Nummer öffnet Ihr Konto bei ${app} nicht mehr. Waren Sie das nicht? Dann wenden Sie sich an ${app}.`,
      account_erased: (app) => `Ihr Konto bei ${app} wird in 7 Tagen gelöscht. Behalten:`,
    },
    time: 'Zeit',
    device: 'Gerät',
    undoText: 'Das war ich nicht',
    undoFooterText:
      'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, benutzen Sie den Link innerhalb von 7 Tagen: Ihr Konto ist wieder wie zuvor, und alle Geräte werden abgemeldet.',
    footerText: (app) =>
      `Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, wenden Sie sich auf dem gewohnten Weg an ${app}. Diese E-Mail enthält keine Links.`,
  },
  ja: {
    ...recoveryTexts.ja,
    ...erasureTexts.ja,
    ...identityTexts.ja,
    new_device: (app) => ({
      title: `${app} への新しいログイン`,
      bodyText: 'これまでに使われていない端末から、お客様のアカウントにログインがありました。',
    }),
    email_changed: (app) => ({
      title: `${app} のメールアドレスが変更されました`,
      bodyText:
        'このアドレスはお客様のアカウントから外されました。今後、ログイン用のメールはこちらに届きません。',
    }),
    email_restored: (app) => ({
      title: `${app} のメールアドレスの変更が取り消されました`,
      bodyText:
        'アカウントの以前のアドレスによって変更が取り消されました。今後、ログイン用のメールはこちらに届きません。',
    }),
    phone_changed: (app) => ({
      title: `${app} の電話番号が変更されました`,
      bodyText: 'お客様のアカウントの電話番号が変更または削除されました。',
    }),
    locked: (app) => ({
      title: `${app} で認証コードの誤入力が続きました`,
      bodyText:
        'お客様のアカウントで認証コードの誤入力が続いたため、その接続元からのコードによるログインを一時的に停止しています。',
    }),
    passkey_added: (app) => ({
      title: `${app} にパスキーが追加されました`,
      bodyText: 'お客様のアカウントにパスキーが追加されました。所有者はこのパスキーでログインできます。',
    }),
    passkey_removed: (app) => ({
      title: `${app} のパスキーが削除されました`,
      bodyText: 'お客様のアカウントからパスキーが削除されました。今後、このパスキーではログインできません。',
    }),
    device_key_added: (app) => ({
      title: `${app} に端末が追加されました`,
      bodyText: 'お客様のアカウントに端末の鍵が追加されました。この端末はお客様に代わって承認できます。',
    }),
    device_key_removed: (app) => ({
      title: `${app} の端末が削除されました`,
      bodyText: 'お客様のアカウントから端末の鍵が削除されました。今後、この端末では承認できません。',
    }),
    email_added: (app) => ({
      title: `${app} にメールアドレスが追加されました`,
      bodyText: 'これまで登録のなかったお客様のアカウントに、メールアドレスが追加されました。',
    }),
    phone_added: (app) => ({
      title: `${app} に電話番号が追加されました`,
      bodyText: 'これまで登録のなかったお客様のアカウントに、電話番号が追加されました。',
    }),
    sms: {
      account_changed: (app) =>
        `${app} のログイン方法が変更されました。心当たりがない場合は ${app} にご連絡ください。`,
      number_removed: (app) =>
        `この番号は ${app} のアカウントから外されました。心当たりがない場合は ${app} にご連絡ください。`,
      recovery: (app) =>
        `${app} の二要素目を紛失したとの申請がありました。心当たりがなければ、二要素目でのログインで中止できます。`,
      shut_out: (app) =>
        `この番号では ${app} にログインできなくなりました。心当たりがない場合は ${app} にご連絡ください。`,
      account_erased: (app) => `${app} のアカウントは7日後に削除されます。残す場合：`,
    },
    time: '日時',
    device: '端末',
    undoText: '心当たりがありません',
    undoFooterText:
      'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、7日以内にリンクを開いてください。アカウントが変更前の状態に戻り、すべての端末がログアウトされます。',
    footerText: (app) =>
      `ご本人による操作であれば、対応は不要です。お心当たりがない場合は、通常の方法で ${app} にご連絡ください。このメールにリンクはありません。`,
  },
  ar: noticeTextsAr,
};
