import { _addIssue, type MaxLengthAction, maxLength } from 'valibot';

/**
 * Limits the number of characters of a string, counted in code points like JSON Schema's `maxLength`. valibot's own action
 * counts UTF-16 units, so a limit of 80 characters would reject a text of 80 emoji. In JSON Schema, the limit becomes
 * `maxLength`.
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
