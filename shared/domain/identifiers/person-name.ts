const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A name without the marks that turn the direction of text round: with them one name looks like another. */
export const personName = (given: string): string => given.replace(DIRECTION_MARKS, '');
