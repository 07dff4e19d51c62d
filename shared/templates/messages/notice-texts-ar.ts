import { erasureTexts } from './erasure-texts.ts';
import { identityTexts } from './identity-texts.ts';
import type { NoticeTexts } from './notice-kinds.ts';
import { recoveryTexts } from './recovery-texts.ts';

export const noticeTextsAr: NoticeTexts = {
  ...recoveryTexts.ar,
  ...erasureTexts.ar,
  ...identityTexts.ar,
  new_device: (app) => ({
    title: `تسجيل دخول جديد إلى ${app}`,
    bodyText: 'سجّل شخص ما الدخول إلى حسابك من جهاز لم نره من قبل.',
  }),
  email_changed: (app) => ({
    title: `تغيّر عنوان بريدك الإلكتروني لدى ${app}`,
    bodyText: 'لم يعد هذا العنوان تابعًا لحسابك. لن تصلك هنا رسائل تسجيل دخول بعد الآن.',
  }),
  email_restored: (app) => ({
    title: `أُعيد عنوان بريدك الإلكتروني لدى ${app}`,
    bodyText: 'ألغى العنوان السابق لحسابك التغيير. لن تصلك هنا رسائل تسجيل دخول بعد الآن.',
  }),
  phone_changed: (app) => ({
    title: `تغيّر رقم هاتفك لدى ${app}`,
    bodyText: 'تم تغيير رقم هاتف حسابك أو إزالته.',
  }),
  locked: (app) => ({
    title: `رموز خاطئة كثيرة جدًا لدى ${app}`,
    bodyText: 'أدخل شخص ما رموزًا خاطئة لحسابك عدة مرات. تسجيل الدخول بالرمز مقفل هناك لبعض الوقت.',
  }),
  passkey_added: (app) => ({
    title: `أُضيف مفتاح مرور لدى ${app}`,
    bodyText: 'أُضيف مفتاح مرور إلى حسابك. ويمكن لحامله تسجيل الدخول به.',
  }),
  passkey_removed: (app) => ({
    title: `أُزيل مفتاح مرور لدى ${app}`,
    bodyText: 'أُزيل مفتاح مرور من حسابك. ولم يعد يصلح لتسجيل الدخول.',
  }),
  device_key_added: (app) => ({
    title: `أُضيف جهاز لدى ${app}`,
    bodyText: 'أُضيف مفتاح جهاز إلى حسابك. ويمكنه الموافقة باسمك.',
  }),
  device_key_removed: (app) => ({
    title: `أُزيل جهاز لدى ${app}`,
    bodyText: 'أُزيل مفتاح جهاز من حسابك. ولم يعد يوافق على أي شيء.',
  }),
  email_added: (app) => ({
    title: `أُضيف عنوان بريد إلكتروني لدى ${app}`,
    bodyText: 'أصبح لحسابك الآن عنوان بريد إلكتروني لم يكن له من قبل.',
  }),
  phone_added: (app) => ({
    title: `أُضيف رقم هاتف لدى ${app}`,
    bodyText: 'أصبح لحسابك الآن رقم هاتف لم يكن له من قبل.',
  }),
  sms: {
    account_changed: (app) => `تغيّر الدخول إلى حسابك في ${app}. لست أنت؟ تواصل مع ${app}.`,
    number_removed: (app) => `لم يعد هذا الرقم لحسابك في ${app}. لست أنت؟ تواصل معهم.`,
    recovery: (app) => `طُلب استرداد حسابك في ${app}. لست أنت؟ سجّل الدخول لإيقافه.`,
    shut_out: (app) => `لم يعد هذا الرقم يفتح حسابك في ${app}. لست أنت؟ تواصل معهم.`,
    account_erased: (app) => `سيُحذف حسابك في ${app} بعد 7 أيام. للاحتفاظ به:`,
  },
  time: 'الوقت',
  device: 'الجهاز',
  undoText: 'لم يكن هذا أنا',
  undoFooterText:
    'إذا كنت أنت، فلا يلزمك فعل شيء. وإلا فاستخدم الرابط خلال 7 أيام: يعود حسابك كما كان ويُسجَّل الخروج من جميع الأجهزة.',
  footerText: (app) =>
    `إذا كنت أنت، فلا يلزمك فعل شيء. وإلا فتواصل مع ${app} بالطريقة المعتادة. لا تحتوي هذه الرسالة على روابط.`,
};
