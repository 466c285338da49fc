import { isObject } from '../../kernel/json.ts'
import unreferencedReusableObject from '../functions/unreferencedReusableObject.ts'
import type { LintFunction } from '../rule.ts'

const kinds = [
  ...(['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links', 'callbacks'] as const),
]

/** Every component is what some reference names. Security schemes are used by name and not looked at. */
const unusedComponents: LintFunction = (input, _options, context) => {
  if (!isObject(input) || !isObject(input.components)) return []
  const { components } = input
  return kinds.flatMap(
    (kind) =>
      unreferencedReusableObject(components[kind], { reusableObjectsLocation: `#/components/${kind}` }, context) ?? [],
  )
}
export default unusedComponents
