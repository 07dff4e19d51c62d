// Channels: the ways in which a message with a code or link reaches its user. All layers read these tables. Functions that
// differ by channel are in tables of type `Record<Channel, …>` or `Record<AddressType, …>` next to their callers. For a new
// channel, the compiler therefore lists everything that is missing.

interface AddressFacts {
  /** Field of the user record that contains the address. Proofs use this name to identify their credential. */
  readonly attribute: string;
  /** Type of the factor that a user proves by entering a code, or opening a link, sent to the address. */
  readonly factorType: string;
  /** Name of this address type in events and in the account page's requests. */
  readonly item: string;
  /** Channel on which notices to this type of address are sent. */
  readonly noticeChannel: string;
}

/** Address types by the API's identifier type. Several channels may send to the same type of address. */
export const addressTypes = {
  email: { attribute: 'email', factorType: 'mail', item: 'email', noticeChannel: 'email' },
  phone_number: { attribute: 'phoneNumber', factorType: 'phone', item: 'phone', noticeChannel: 'sms' },
} as const satisfies Readonly<Record<string, AddressFacts>>;

export type AddressType = keyof typeof addressTypes;
export type AddressAttribute = (typeof addressTypes)[AddressType]['attribute'];
export type AddressItem = (typeof addressTypes)[AddressType]['item'];
export type AddressFactorType = (typeof addressTypes)[AddressType]['factorType'];
export type NoticeChannel = (typeof addressTypes)[AddressType]['noticeChannel'];

interface ChannelFacts {
  /** Type of the address to which messages of this channel are sent. */
  readonly address: AddressType;
  readonly sends: 'code' | 'link';
  /** Authentication method in `amr` (RFC 8176) and in stored proofs. */
  readonly method: string;
  /** True if each message costs money. The tenant's SMS budget and the limits of number ranges then apply. */
  readonly isBilled: boolean;
  /**
   * Data by which the provider's delivery reports identify the message. With `messageId`, the message's subject is stored under
   * the provider's message ID.
   */
  readonly reports: 'subject' | 'messageId';
}

/** Channels by the name of their login preference, in the order of their buttons on the hosted pages. */
export const channels = {
  email: { address: 'email', sends: 'code', method: 'eotp', isBilled: false, reports: 'subject' },
  link: { address: 'email', sends: 'link', method: 'eml', isBilled: false, reports: 'subject' },
  sms: { address: 'phone_number', sends: 'code', method: 'sms', isBilled: true, reports: 'messageId' },
} as const satisfies Readonly<Record<string, ChannelFacts>>;

export type Channel = keyof typeof channels;
/** Channels whose messages contain a code to type. */
export type PasscodeChannel = {
  [Name in Channel]: (typeof channels)[Name]['sends'] extends 'code' ? Name : never;
}[Channel];
/** Channels of codes. With `direct`, the backend receives the code in the response. */
export type CodeChannel = PasscodeChannel | 'direct';
export type ChannelMethod = (typeof channels)[Channel]['method'];

const listKeys = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[];

export const ADDRESS_TYPES = listKeys(addressTypes);
export const ADDRESS_ATTRIBUTES = ADDRESS_TYPES.map((type) => addressTypes[type].attribute);
export const NOTICE_CHANNELS = ADDRESS_TYPES.map((type) => addressTypes[type].noticeChannel);
export const ADDRESS_ITEMS = ADDRESS_TYPES.map((type) => addressTypes[type].item);
export const CHANNELS = listKeys(channels);
export const CHANNEL_METHODS = CHANNELS.map((channel) => channels[channel].method);

export const isAddressType = (type: string): type is AddressType => Object.hasOwn(addressTypes, type);

function typeWith(fact: 'attribute' | 'item', value: string): AddressType {
  const type = ADDRESS_TYPES.find((each) => addressTypes[each][fact] === value);
  if (type === undefined) throw new Error(`no type of address has the ${fact} ${value}`);
  return type;
}

export const typeOfAttribute = (attribute: AddressAttribute): AddressType => typeWith('attribute', attribute);

export const typeOfItem = (item: AddressItem): AddressType => typeWith('item', item);

export const isChannel = (name: string | number | undefined): name is Channel =>
  name !== undefined && Object.hasOwn(channels, name);

export const sendsCode = (channel: Channel): channel is PasscodeChannel => channels[channel].sends === 'code';

/**
 * Returns true if a code message on this channel can also contain a login link. Codes and links must be sent to the same type
 * of address.
 */
export const canContainLink = (channel: Channel): boolean =>
  sendsCode(channel) && channels[channel].address === channels.link.address;

export const PASSCODE_CHANNELS = CHANNELS.filter(sendsCode);

export const isBilled = (channel: string): boolean => isChannel(channel) && channels[channel].isBilled;

/** Returns true if delivery reports of this channel identify the message only by its message ID. */
export const isReportedById = (sent: string | number | undefined): boolean =>
  isChannel(sent) && channels[sent].reports === 'messageId';

/** Returns the channel of an authentication method. Returns undefined if the method needs no message. */
export const toChannel = (method: string | undefined): Channel | undefined =>
  CHANNELS.find((channel) => channels[channel].method === method);

/** Returns the field of the user record with the address to which a channel sends. */
export const toAddressAttribute = (channel: Channel): AddressAttribute =>
  addressTypes[channels[channel].address].attribute;
