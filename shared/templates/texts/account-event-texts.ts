import type { Language } from '../language.ts';

/** The events of their account that people are told of. */
export type ToldEvent =
  | 'login.succeeded'
  | 'login.failed'
  | 'login.locked'
  | 'login.new_device'
  | 'session.ended'
  | 'user.email_added'
  | 'user.email_changed'
  | 'user.email_restored'
  | 'user.phone_added'
  | 'user.phone_changed'
  | 'user.undo_requested'
  | 'user.recovery_requested'
  | 'user.recovery_granted'
  | 'user.recovery_cancelled'
  | 'user.erasure_requested'
  | 'user.erasure_cancelled'
  | 'passkey.added'
  | 'passkey.removed'
  | 'device_key.added'
  | 'device_key.removed'
  | 'identity.removed'
  | 'identity.added';

export const accountEventTexts: Readonly<Record<Language, Readonly<Record<ToldEvent, string>>>> = {
  en: {
    'login.succeeded': 'Sign-in',
    'login.failed': 'Sign-in that failed',
    'login.locked': 'Too many wrong codes',
    'login.new_device': 'Sign-in from a new device',
    'session.ended': 'Sign-out',
    'user.email_added': 'Email address added',
    'user.email_changed': 'Email address changed',
    'user.email_restored': 'Email address changed back',
    'user.phone_added': 'Phone number added',
    'user.phone_changed': 'Phone number changed',
    'user.undo_requested': 'Undo of a change asked for',
    'user.recovery_requested': 'Lost second factor reported',
    'user.recovery_granted': 'New second factor allowed',
    'user.recovery_cancelled': 'Recovery stopped',
    'user.erasure_requested': 'Account deleted',
    'user.erasure_cancelled': 'Deletion of the account undone',
    'passkey.added': 'Passkey added',
    'passkey.removed': 'Passkey removed',
    'device_key.added': 'Device added',
    'device_key.removed': 'Device removed',
    'identity.removed': 'Account disconnected',
    'identity.added': 'Account connected',
  },
  es: {
    'login.succeeded': 'Inicio de sesión',
    'login.failed': 'Inicio de sesión fallido',
    'login.locked': 'Demasiados códigos incorrectos',
    'login.new_device': 'Inicio de sesión desde un dispositivo nuevo',
    'session.ended': 'Cierre de sesión',
    'user.email_added': 'Dirección de correo añadida',
    'user.email_changed': 'Dirección de correo cambiada',
    'user.email_restored': 'Cambio de correo deshecho',
    'user.phone_added': 'Número de teléfono añadido',
    'user.phone_changed': 'Número de teléfono cambiado',
    'user.undo_requested': 'Se ha pedido deshacer un cambio',
    'user.recovery_requested': 'Pérdida del segundo factor comunicada',
    'user.recovery_granted': 'Nuevo segundo factor permitido',
    'user.recovery_cancelled': 'Recuperación detenida',
    'user.erasure_requested': 'Cuenta eliminada',
    'user.erasure_cancelled': 'Eliminación de la cuenta deshecha',
    'passkey.added': 'Llave de acceso añadida',
    'passkey.removed': 'Llave de acceso eliminada',
    'device_key.added': 'Dispositivo añadido',
    'device_key.removed': 'Dispositivo eliminado',
    'identity.removed': 'Cuenta desvinculada',
    'identity.added': 'Cuenta conectada',
  },
  fr: {
    'login.succeeded': 'Connexion',
    'login.failed': 'Connexion échouée',
    'login.locked': 'Trop de codes incorrects',
    'login.new_device': 'Connexion depuis un nouvel appareil',
    'session.ended': 'Déconnexion',
    'user.email_added': 'Adresse e-mail ajoutée',
    'user.email_changed': 'Adresse e-mail modifiée',
    'user.email_restored': 'Adresse e-mail rétablie',
    'user.phone_added': 'Numéro de téléphone ajouté',
    'user.phone_changed': 'Numéro de téléphone modifié',
    'user.undo_requested': 'Annulation d’une modification demandée',
    'user.recovery_requested': 'Perte du second facteur signalée',
    'user.recovery_granted': 'Nouveau second facteur autorisé',
    'user.recovery_cancelled': 'Récupération arrêtée',
    'user.erasure_requested': 'Compte supprimé',
    'user.erasure_cancelled': 'Suppression du compte annulée',
    'passkey.added': 'Clé d’accès ajoutée',
    'passkey.removed': 'Clé d’accès supprimée',
    'device_key.added': 'Appareil ajouté',
    'device_key.removed': 'Appareil supprimé',
    'identity.removed': 'Compte dissocié',
    'identity.added': 'Compte associé',
  },
  de: {
    'login.succeeded': 'Anmeldung',
    'login.failed': 'Fehlgeschlagene Anmeldung',
    'login.locked': 'Zu viele falsche Codes',
    'login.new_device': 'Anmeldung von einem neuen Gerät',
    'session.ended': 'Abmeldung',
    'user.email_added': 'E-Mail-Adresse hinzugefügt',
    'user.email_changed': 'E-Mail-Adresse geändert',
    'user.email_restored': 'E-Mail-Adresse zurückgeändert',
    'user.phone_added': 'Telefonnummer hinzugefügt',
    'user.phone_changed': 'Telefonnummer geändert',
    'user.undo_requested': 'Rücknahme einer Änderung beantragt',
    'user.recovery_requested': 'Zweiten Faktor als verloren gemeldet',
    'user.recovery_granted': 'Neuer zweiter Faktor erlaubt',
    'user.recovery_cancelled': 'Wiederherstellung gestoppt',
    'user.erasure_requested': 'Konto gelöscht',
    'user.erasure_cancelled': 'Löschung des Kontos rückgängig gemacht',
    'passkey.added': 'Passkey hinzugefügt',
    'passkey.removed': 'Passkey entfernt',
    'device_key.added': 'Gerät hinzugefügt',
    'device_key.removed': 'Gerät entfernt',
    'identity.removed': 'Konto getrennt',
    'identity.added': 'Konto verbunden',
  },
  ja: {
    'login.succeeded': 'ログイン',
    'login.failed': 'ログインの失敗',
    'login.locked': 'コードの誤入力が続きました',
    'login.new_device': '新しいデバイスからのログイン',
    'session.ended': 'ログアウト',
    'user.email_added': 'メールアドレスの追加',
    'user.email_changed': 'メールアドレスの変更',
    'user.email_restored': 'メールアドレスの変更の取り消し',
    'user.phone_added': '電話番号の追加',
    'user.phone_changed': '電話番号の変更',
    'user.undo_requested': '変更の取り消しの申請',
    'user.recovery_requested': '二要素目の紛失の申請',
    'user.recovery_granted': '新しい二要素目の許可',
    'user.recovery_cancelled': '復旧の中止',
    'user.erasure_requested': 'アカウントの削除',
    'user.erasure_cancelled': 'アカウント削除の取り消し',
    'passkey.added': 'パスキーの追加',
    'passkey.removed': 'パスキーの削除',
    'device_key.added': 'デバイスの追加',
    'device_key.removed': 'デバイスの削除',
    'identity.removed': 'アカウントの連携の解除',
    'identity.added': 'アカウントの連携',
  },
  ar: {
    'login.succeeded': 'تسجيل دخول',
    'login.failed': 'تسجيل دخول فاشل',
    'login.locked': 'رموز خاطئة كثيرة جدًا',
    'login.new_device': 'تسجيل دخول من جهاز جديد',
    'session.ended': 'تسجيل خروج',
    'user.email_added': 'أُضيف عنوان بريد إلكتروني',
    'user.email_changed': 'تغيّر عنوان البريد الإلكتروني',
    'user.email_restored': 'أُعيد عنوان البريد الإلكتروني',
    'user.phone_added': 'أُضيف رقم هاتف',
    'user.phone_changed': 'تغيّر رقم الهاتف',
    'user.undo_requested': 'طُلب التراجع عن تغيير',
    'user.recovery_requested': 'أُبلغ عن فقدان العامل الثاني',
    'user.recovery_granted': 'سُمح بعامل ثانٍ جديد',
    'user.recovery_cancelled': 'أُوقف الاسترداد',
    'user.erasure_requested': 'حُذف الحساب',
    'user.erasure_cancelled': 'تم التراجع عن حذف الحساب',
    'passkey.added': 'أُضيف مفتاح مرور',
    'passkey.removed': 'أُزيل مفتاح مرور',
    'device_key.added': 'أُضيف جهاز',
    'device_key.removed': 'أُزيل جهاز',
    'identity.removed': 'أُلغي ربط حساب',
    'identity.added': 'رُبط حساب',
  },
};
