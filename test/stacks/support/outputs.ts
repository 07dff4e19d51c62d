export type Output = Readonly<Record<'StackName' | 'OutputName', string>>;

/** Returns the outputs of other stacks that a part of a template references. */
export function outputsIn(value: unknown): readonly Output[] {
  if (typeof value !== 'object' || value === null) return [];
  const output = (value as { readonly 'Fn::GetStackOutput'?: Output })['Fn::GetStackOutput'];
  return output ? [output] : Object.values(value).flatMap(outputsIn);
}
