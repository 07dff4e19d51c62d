import { _addIssue, type MaxLengthAction, maxLength } from 'valibot';

/**
 * Limits a string to a number of characters, counted in code points like JSON Schema's `maxLength`. valibot's own action counts
 * UTF-16 units and would reject a text of 80 emoji if 80 characters are allowed. In JSON Schema, the limit becomes `maxLength`.
 */
export function maxCharacters<const Max extends number>(max: Max): MaxLengthAction<string, Max, undefined> {
  const action = maxLength<string, Max>(max);
  return {
    ...action,
    '~run'(dataset, config) {
      if (dataset.typed && dataset.value.length > max && [...dataset.value].length > max)
        _addIssue(action, 'length', dataset, config);
      return dataset;
    },
  };
}
