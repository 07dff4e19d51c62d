const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the marks that change the direction of text, because they can make one name look like another. */
export const personName = (given: string): string => given.replace(DIRECTION_MARKS, '');
