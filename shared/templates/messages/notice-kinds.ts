import type { ErasureTexts } from './erasure-texts.ts';
import type { NoticeText, RecoveryTexts } from './recovery-texts.ts';

type OtherKind =
  | 'new_device'
  | 'locked'
  | 'passkey_added'
  | 'passkey_removed'
  | 'device_key_added'
  | 'device_key_removed'
  | 'identity_added'
  | 'identity_removed'
  | 'email_added'
  | 'email_changed'
  | 'email_restored'
  | 'phone_added'
  | 'phone_changed';

export type NoticeKind =
  | OtherKind
  | Extract<keyof RecoveryTexts, `recovery_${string}` | 'undo_requested' | 'reclaimed'>
  | Extract<keyof ErasureTexts, `erasure_${string}`>;

export type NoticeTexts = RecoveryTexts &
  ErasureTexts &
  Readonly<Record<OtherKind, (app: string) => NoticeText>> & {
    readonly time: string;
    readonly device: string;
    readonly footerText: (app: string) => string;
    /** Of a notice with a link. */
    readonly undoText: string;
    readonly undoFooterText: string;
    /** Text messages: GSM letters only, except in Japanese. */
    readonly sms: Readonly<
      Record<
        'account_changed' | 'number_removed' | 'recovery' | 'shut_out' | 'account_erased',
        (app: string) => string
      >
    >;
  };
